'use client';

import { useEffect, useState } from 'react';

/** Microdata that the browser completes. */
export default function Fair() {
  const [date, setDate] = useState('2030-01-01');
  useEffect(() => setDate('2031-05-05'), []);
  return (
    <div itemScope itemType="https://schema.org/Event">
      <h1 itemProp="name">Lamp Fair</h1>
      <time itemProp="startDate" dateTime={date}>{date}</time>
    </div>
  );
}
