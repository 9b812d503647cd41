// The TypeScript SDK's client lists, calls and reads, over both transports.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { natively, ownPages, realPages } from '../corpus.mjs';
import { client, ld, lamp, search, socket } from './lib.mjs';

for (const transport of ['stdio', 'http']) describe(transport, () => {
  let pages, one, two;
  before(async () => {
    pages = await socket({
      '/lamp': ld({ '@graph': [lamp, search('/search?q={q}')] }),
      '/desk': ld({ ...lamp, name: 'Oak Desk' }),
      '/many': ld({ '@graph': Array.from({ length: 250 }, (_, i) => ({ '@type': 'Product', name: `Lamp ${i}` })) }),
      '/search': (request) => `<title>Results</title><main><a href="/p/1">${request.url} ${request.headers.cookie ?? 'no cookie'} result</a></main>`,
    });
    one = await client(transport, [`${pages.origin}/lamp`]);
    two = await client(transport, [`${pages.origin}/lamp`, `${pages.origin}/gone`, `${pages.origin}/desk`, `${pages.origin}/many`]);
  });
  after(async () => {
    await one.close();
    await two.close();
    pages.close();
  });

  test('lists, calls and reads', async () => {
    const { tools, ...listing } = await one.client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ['get_product', 'search_web_site', 'get_product_offer']);
    assert.equal(tools[0].annotations.readOnlyHint, true);
    assert.equal(listing.ttlMs, 300_000);
    assert.equal(listing.cacheScope, 'public');
    const { content, structuredContent, isError } = await one.client.callTool({ name: 'get_product', arguments: {} });
    assert.equal(structuredContent.name, 'Desk Lamp');
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    assert.ok(!isError);
    const { resources } = await one.client.listResources();
    const product = resources.find(({ uri }) => /^agenticschema:\/\/[a-z0-9-]+\/product$/.test(uri));
    assert.equal(product.mimeType, 'application/json');
    const read = await one.client.readResource({ uri: product.uri });
    assert.equal(JSON.parse(read.contents[0].text).name, 'Desk Lamp');
    assert.equal(read.cacheScope, 'private');
  });

  test('searches without cookies and without leaving the plan', async () => {
    const { structuredContent, isError } = await one.client.callTool({ name: 'search_web_site', arguments: { q: 'oak' } });
    assert.ok(!isError, JSON.stringify(structuredContent));
    assert.match(JSON.stringify(structuredContent), /search\?q=oak no cookie result/);
  });

  test('says what is wrong', async () => {
    const wrong = await one.client.callTool({ name: 'search_web_site', arguments: {} });
    assert.equal(wrong.isError, true);
    assert.equal(wrong.structuredContent.code, 'invalid-argument');
    await assert.rejects(one.client.callTool({ name: 'nothing' }), { code: -32602 });
    await assert.rejects(one.client.readResource({ uri: 'agenticschema://x/y' }), ({ code }) => code === -32002 || code === -32602);
    await assert.rejects(one.client.listResources({ cursor: 'x' }), { code: -32602 });
    await assert.rejects(one.client.listResources({ cursor: '999999' }), { code: -32602 });
  });

  test('several pages, one of them gone', async () => {
    const { tools } = await two.client.listTools();
    const names = tools.map((tool) => tool.name);
    assert.equal(new Set(names).size, names.length);
    const found = [];
    for (const name of ['get_product_lamp', 'get_product_desk']) {
      found.push((await two.client.callTool({ name })).structuredContent.name);
      assert.match(tools.find((tool) => tool.name === name).description, new RegExp(`Page: ${pages.origin}/${name.split('_').pop()}$`));
    }
    assert.deepEqual(found, ['Desk Lamp', 'Oak Desk']);
  });

  test('pages of resources hold each once', async () => {
    const seen = [];
    for (let cursor; ; ) {
      const { resources, nextCursor } = await two.client.listResources({ cursor });
      assert.ok(resources.length <= 100);
      seen.push(...resources.map(({ uri }) => uri));
      if (!(cursor = nextCursor)) break;
    }
    assert.ok(seen.length >= 252);
    assert.equal(new Set(seen).size, seen.length);
    const last = seen.findLast((uri) => /product-\d+$/.test(uri));
    assert.equal(JSON.parse((await two.client.readResource({ uri: last })).contents[0].text).name, 'Lamp 249');
  });
});

test('every page, own and real, says what it says in the browser', async () => {
  // Under the address of the socket, natively and through the server: the native core is compared with Chromium in
  // tests/browser/corpus.test.mjs.
  const all = [...ownPages(), ...realPages()];
  const pages = await socket(Object.fromEntries(all.map(({ body }, i) => [`/${i}`, body])));
  const placed = all.map((page, i) => ({ ...page, url: `${pages.origin}/${i}` }));
  const native = await natively(placed);
  const different = [];
  let next = 0, calls = 0;
  const work = async () => {
    for (let i; (i = next++) < placed.length; ) {
      const { client: agent, close } = await client('stdio', [placed[i].url, '--no-actions']);
      try {
        const { tools } = await agent.listTools();
        const readers = native[i].tools.filter(({ name }) => /^(get|list)_/.test(name));
        const surface = ({ name, title, description, inputSchema, annotations: { readOnlyHint } }) => ({ name, title, description, inputSchema, readOnlyHint });
        if (!isDeepStrictEqual(tools.map(surface).filter(({ name }) => /^(get|list)_/.test(name)), readers.map(surface))) different.push(`${placed[i].name}: tools`);
        for (const [call, answer] of Object.entries(native[i].answers)) {
          const [name] = call.split(' ');
          const { content, structuredContent } = await agent.callTool({ name, arguments: JSON.parse(call.slice(name.length)) });
          calls++;
          if (JSON.stringify(JSON.parse(content[0].text)) !== JSON.stringify(answer)) different.push(`${placed[i].name}: ${call}`);
          if (JSON.stringify(structuredContent) !== JSON.stringify(answer)) different.push(`${placed[i].name}: ${call}, structured`);
        }
      } finally {
        await close();
      }
    }
  };
  await Promise.all([work(), work()]);
  // Nothing but the pages was asked for, each once: no picture, script or style of any.
  assert.deepEqual(pages.asked.map((path) => Number(path.slice(1))).sort((a, b) => a - b), placed.map((_, i) => i));
  pages.close();
  console.log(`server: ${placed.length} pages, ${calls} answers as natively`);
  assert.deepEqual(different, []);
});
