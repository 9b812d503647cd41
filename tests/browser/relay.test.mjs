// The relay between desktop MCP clients and pages, as it is on npm, with a real client on its standard input and output.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { apart } from '../../scripts/setup/apart.mjs';
import { freePort, lamp, ld, MODES, stage } from './lib.mjs';

let modules, refusal;
try {
  modules = join(await apart('relay'), 'node_modules');
} catch (error) {
  refusal = `the relay and the Node it needs cannot be had: ${error.message}`;
  console.log(refusal);
}

describe('relay', { skip: refusal }, () => {
  for (const mode of MODES) describe(mode, () => {
    let s, client, port;
    before(async () => {
      s = await stage(mode);
      port = await freePort();
      const sdk = (file) => import(pathToFileURL(join(modules, '@modelcontextprotocol/sdk/dist/esm/client', file)));
      const { Client } = await sdk('index.js'), { StdioClientTransport } = await sdk('stdio.js');
      client = new Client({ name: 'test', version: '1' });
      const cli = join(modules, '@mcp-b/webmcp-local-relay/dist/cli.js');
      await client.connect(new StdioClientTransport({ command: join(modules, 'node/bin/node'), args: [cli, '--port', `${port}`], stderr: 'ignore' }));
    });
    after(async () => {
      await client?.close();
      await s?.close();
    });

    const names = async () => (await client.listTools()).tools.map(({ name }) => name).filter((name) => !name.startsWith('webmcp_'));
    const until = async (wanted) => {
      for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((done) => setTimeout(done, 200))) if (wanted(await names())) return true;
      return assert.fail(`the relay lists ${await names()}`);
    };

    for (const [order, tag] of [['before', (own, relay) => own + relay], ['after', (own, relay) => relay + own]]) test(`the tag ${order} the relay's: tools are listed, called, and change with the page`, async () => {
      const file = (name, type) => ({ body: readFileSync(join(modules, '@mcp-b/webmcp-local-relay/dist/browser', name)), headers: { 'content-type': type } });
      const page = await s.show(ld(lamp()), {
        tag: tag('<script src="/agenticschema.js"></script>', `<script src="/relay/embed.js" data-relay-port="${port}"></script>`),
        pages: { '/relay/embed.js': file('embed.js', 'text/javascript'), '/relay/widget.html': file('widget.html', 'text/html'), '/relay/widget.js': file('widget.js', 'text/javascript') },
      });
      await until((list) => list.includes('get_product'));
      const { tools } = await client.listTools();
      const tool = tools.find(({ name }) => name === 'get_product');
      assert.equal(tool.inputSchema.type, 'object');
      const right = await client.callTool({ name: 'get_product', arguments: {} });
      assert.match(right.content[0].text, /Desk Lamp/);
      assert.equal(right.structuredContent.name, 'Desk Lamp');
      assert.ok(!right.isError);

      const wrong = await client.callTool({ name: 'get_product', arguments: { page: 99 } });
      assert.match(wrong.content[0].text, /"error"/);
      assert.equal(wrong.isError, true);

      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), ld({ '@type': 'Event', name: 'Fair' }, 'e'));
      await until((list) => list.includes('get_event'));
      await page.evaluate(() => document.querySelector('#e').remove());
      await until((list) => !list.includes('get_event'));
      assert.deepEqual(page.errors, []);
      await page.context().close();
      await until((list) => !list.length);
    });
  });
});
