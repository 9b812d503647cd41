export default function Page() {
  return <main><script type="application/ld+json" dangerouslySetInnerHTML={{ __html: '{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp"}' }} /></main>;
}
