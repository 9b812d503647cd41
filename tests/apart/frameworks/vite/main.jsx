import { Activity, StrictMode, Suspense, use, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes, useParams } from 'react-router';
import { start } from 'agenticschema';

const PAGES = {
  lamp: { '@type': 'Product', name: 'Desk Lamp', offers: { '@type': 'Offer', price: '10.00', priceCurrency: 'EUR' } },
  fair: { '@type': 'Event', name: 'Lamp Fair', startDate: '2031-05-05' },
};

/** The package, as docs/react.md has it, on the page that has no tag. */
function Agents() {
  useEffect(() => {
    if (document.querySelector('script[src*="agenticschema.js"]')) return;
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

/** A route whose data comes later than itself. */
function Page({ page }) {
  const [data, setData] = useState();
  useEffect(() => {
    setData(undefined);
    const timer = setTimeout(() => setData(PAGES[page]), 300);
    return () => clearTimeout(timer);
  }, [page]);
  if (!data) return <p>Loading</p>;
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data });
  return <><title>{data.name}</title><h1>{data.name}</h1><script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} /></>;
}

const Routed = () => <Page page={useParams().page} />;

/** A variant picker: microdata that a click changes. */
function Picker() {
  const [price, setPrice] = useState('10.00');
  return (
    <div itemScope itemType="https://schema.org/Product">
      <h1 itemProp="name">Floor Lamp</h1>
      <div itemProp="offers" itemScope itemType="https://schema.org/Offer">
        <meta itemProp="price" content={price} /><b itemProp="priceCurrency">EUR</b>
      </div>
      <button id="large" onClick={() => setPrice('15.00')}>Large</button>
    </div>
  );
}

/** Routes that React keeps, hidden, when they are left. */
function Kept() {
  const { page } = useParams();
  return Object.keys(PAGES).map((name) => (
    <Activity key={name} mode={name === page ? 'visible' : 'hidden'}>
      <section><Page page={name} /></section>
    </Activity>
  ));
}

let ready;
const Waiting = () => (ready && use(ready), <p itemScope itemType="https://schema.org/Event"><b itemProp="name">Lamp Fair</b></p>);

/** Content that React hides while a part of it waits. */
function Pause() {
  const [, again] = useState(0);
  const wait = () => {
    ready = new Promise((done) => { globalThis.resume = done; });
    again((n) => n + 1);
  };
  return <><button id="wait" onClick={wait}>Wait</button><Suspense fallback={<p id="waiting">Waiting</p>}><section><Waiting /></section></Suspense></>;
}

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <BrowserRouter>
      <nav>{['lamp', 'fair', 'picker', 'pause', 'kept/lamp', 'kept/fair'].map((to) => <Link key={to} id={`to-${to.replace('/', '-')}`} to={`/${to}`}>{to}</Link>)}</nav>
      <Routes>
        <Route path="/picker" element={<Picker />} />
        <Route path="/pause" element={<Pause />} />
        <Route path="/kept/:page" element={<Kept />} />
        <Route path="/:page" element={<Routed />} />
        <Route path="*" element={<p>Home</p>} />
      </Routes>
      <Agents />
    </BrowserRouter>
  </StrictMode>,
);
