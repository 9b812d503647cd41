'use client';

import { useEffect } from 'react';
import { start } from 'agenticschema';

export default function Agents() {
  useEffect(() => {
    let handle, gone = false;
    start({ maxTools: 12 }).then((started) => {
      if (gone) started.stop();
      else handle = started;
    });
    return () => {
      gone = true;
      handle?.stop();
    };
  }, []);
  return null;
}
