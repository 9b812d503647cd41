// The playground and the demo shop, as people use them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { searchPage } from '../../scripts/search.mjs';
import { serve } from '../../scripts/serve.mjs';
import { SAMPLES } from '../../www/playground/samples.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser, site;

before(async () => {
  site = await serve(8600);
  browser = await chromium.launch({ executablePath: process.env.CHROME_BIN ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--enable-features=WebMCP'] });
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** A page, once it has read its first input; `errors` collects what it logs and throws. */
async function open(path = '', options = {}) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(30_000);
  page.errors = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && page.errors.push(m.text()));
  page.on('pageerror', (error) => page.errors.push(String(error)));
  await page.goto(site.url + path);
  await settled(page, 0);
  return page;
}

/** Waits until the page has read again since it had done so `before` times. */
const settled = (page, before) => page.waitForFunction((before) => Number(document.documentElement.dataset.read ?? document.body.dataset.ready ?? 0) > before, before);
const turn = (page) => page.evaluate(() => Number(document.documentElement.dataset.read ?? document.body.dataset.ready));
const names = (page) => page.$$eval('.tool h3', (all) => all.map((h) => h.firstChild.textContent));
const fill = async (page, text) => {
  const before = await turn(page);
  await page.fill('#source', text);
  await settled(page, before);
};

test('every sample gives tools, and the hostile one none of what it asks for', async () => {
  const page = await open();
  for (const [name, label] of SAMPLES) {
    const before = await turn(page);
    if (name !== SAMPLES[0][0]) {
      await page.selectOption('#sample', { label });
      await settled(page, before);
    }
    assert.notDeepEqual(await names(page), [], name);
    assert.ok((await page.textContent('#tree')).length > 40, name);
  }
  assert.ok((await names(page)).includes('get_product'));
  assert.match(await page.textContent('#notes'), /action-skipped/);
  assert.ok(!/ignore|password|proto|constructor/i.test(await page.$$eval('.tool h3, .tool p', (all) => all.map((e) => e.textContent).join(' '))));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('typing shows tools, and a form runs one', async () => {
  const page = await open();
  await fill(page, '{"@context":"https://schema.org","@type":"Product","name":"Lamp","offers":{"price":"12.00","priceCurrency":"EUR"}}');
  assert.ok((await names(page)).includes('get_product'));
  assert.equal(await page.inputValue('#sample'), '');
  await page.click('.tool button[type=submit]');
  await page.waitForFunction(() => /tokens/.test(document.querySelector('.tool pre').textContent));
  assert.match(await page.textContent('.tool pre'), /"name": "Lamp"[\s\S]*12\.00/);
  await page.close();
});

test('a diagnostic leads to its place in the input', async () => {
  const page = await open();
  const text = '<p>é</p><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lämp",}</script>';
  await fill(page, text);
  await page.click('#notes button');
  const at = await page.$eval('#source', (source) => source.selectionStart);
  assert.equal(text.slice(at - 1, at + 2), '",}');
  await page.close();
});

test('a file can be dropped', async () => {
  const page = await open();
  const before = await turn(page);
  await page.$eval('#source', (source) => {
    const data = new DataTransfer();
    data.items.add(new File(['<p itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ada</b></p>'], 'a.html'));
    source.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await settled(page, before);
  assert.deepEqual(await names(page), ['get_person']);
  await page.close();
});

test('the address carries input and options, and what is in it is data', async () => {
  const page = await open();
  await fill(page, '<script>window.ran = 1</script><img src=x onerror="window.ran = 1"><p itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ada</b></p>');
  await page.uncheck('[name=actions]');
  await page.waitForFunction(() => /actions=off/.test(location.hash) && /input=/.test(location.hash));
  const other = await open(new URL(page.url()).hash);
  assert.deepEqual(await names(other), ['get_person']);
  assert.equal(await other.isChecked('[name=actions]'), false);
  assert.match(await other.textContent('#snippet'), /data-actions="off"/);
  assert.equal(await other.evaluate(() => window.ran), undefined);
  // Chromium says that it did not even compile the handler.
  assert.deepEqual(other.errors.filter((line) => !/inline event handler violates/.test(line)), []);
  for (const odd of ['#input=%%%', '#sample=../../x', '#input=AAAA', '#maxTools=-1&allowHosts=%22%3E%3Cb%3E']) {
    const page = await open(odd);
    assert.notDeepEqual(await names(page), [], odd);
    assert.ok(!/<b>/.test(await page.textContent('#snippet')));
    await page.close();
  }
  await page.close();
  await other.close();
});

test('the tag to copy works with the file to download, and has its hash', async () => {
  const page = await open();
  await page.waitForFunction(() => /integrity="sha384-[\w+/=]{64}"/.test(document.getElementById('snippet').textContent));
  // As a site owner does: the file from the link, under its name, and the tag.
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#file')]);
  const tag = await page.textContent('#snippet');
  await page.route(`**/${download.suggestedFilename()}`, async (route) => route.fulfill({ contentType: 'text/javascript', path: await download.path() }));
  await page.route('**/own.html', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>t</title>${tag}<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Soup"}</script>` }));
  await page.goto(`${site.url}own.html`);
  assert.deepEqual(await page.evaluate(async () => (await agenticschema.ready).tools().map(({ name }) => name)), ['get_recipe']);
  await page.close();
});

test('the keyboard is enough', async () => {
  const page = await open();
  const reach = async (test) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(test)) return;
    }
    assert.fail(`never reached: ${test}`);
  };
  await reach(`document.activeElement.id === 'sample'`);
  const before = await turn(page);
  await page.keyboard.press('ArrowDown');
  await settled(page, before);
  assert.deepEqual(await names(page), ['get_recipe']);
  await reach(`document.activeElement.closest('.tool form') && document.activeElement.type === 'submit'`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /Lentil/.test(document.querySelector('.tool pre').textContent));
  await page.close();
});

test('the demo shop: what changes is noticed, what does not matter is not', async () => {
  const page = await open('demo.html');
  const press = async (label) => {
    const before = await turn(page);
    await page.click(`#scenarios button:text-is("${label}")`);
    await settled(page, before);
    return page.textContent('.log li');
  };
  assert.match(await page.textContent('#inspector'), /3 tools registered, in native WebMCP/);
  assert.match(await press('Change 1,000 things that do not matter'), /nothing that an agent would notice/);
  await press('Lower the price');
  assert.match(await page.textContent('.log'), /get_product answers .*119\.00/);
  assert.match(await page.textContent('#inspector'), /toolchange came 0 times/);
  await press('Sell out');
  assert.match(await page.textContent('.log'), /OutOfStock/);
  await press('Go to the next product');
  assert.match(await page.textContent('.log'), /Fjord 45/);
  await press('Break the markup');
  assert.match(await page.textContent('#inspector .notes'), /json-parse-error/);
  await press('Inject hostile text');
  assert.ok(!/javascript:|<script/.test(await page.textContent('.log')));
  await page.fill('#inspector [name=search_term_string]', 'bottle');
  await page.$eval('#inspector [name=search_term_string]', (input) => input.form.requestSubmit());
  await page.waitForFunction(() => /Birch water bottle/.test(document.querySelector('#inspector .cards').textContent));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('a page asks for all its modules at once', () => {
  for (const page of ['index', 'demo']) {
    const html = readFileSync(new URL(`../../www/${page}.html`, import.meta.url), 'utf8');
    const asked = new Set([...html.matchAll(/(?:src|modulepreload" href)="([^"]+\.js)"/g)].map(([, file]) => file));
    const missing = [...asked].filter((file) => file !== 'agenticschema.js').flatMap((file) => {
      const source = readFileSync(new URL(`../../www/${file}`, import.meta.url), 'utf8');
      return [...source.matchAll(/from '([^']+)'/g)].map(([, to]) => new URL(to, `file:///${file}`).pathname.slice(1)).filter((to) => !asked.has(to));
    });
    assert.ok(asked.size > 5, page);
    assert.deepEqual(missing, [], page);
  }
});

test('search.html, for hosts that serve files only, is what the search says without words', () => {
  assert.equal(readFileSync(new URL('../../www/search.html', import.meta.url), 'utf8'), searchPage(''));
});

for (const path of ['', 'demo.html', 'search.html?q=fjord']) {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing in ${path || 'the playground'}, ${colorScheme}`, async () => {
      const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
      await page.goto(site.url + path);
      if (!path.startsWith('search')) await settled(page, 0);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
      await page.close();
    });
  }
}
