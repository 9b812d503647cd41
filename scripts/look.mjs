import { chromium } from 'playwright-core';

/** Milliseconds that a page has to show its tools. */
const PATIENCE = 20_000;

/**
 * The tools an agent finds on a page, in Chromium with WebMCP.
 *
 * @returns `tools` as the browser lists them, and the script's `diagnostics`
 */
export async function look(url, executablePath = process.env.CHROME_BIN) {
  const browser = await chromium.launch({
    executablePath,
    args: ['--enable-features=WebMCP', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(url);
    return await page.evaluate(async () => {
      const handle = await window.agenticschema.ready;
      const listed = (await document.modelContext?.getTools?.()) ?? handle.tools();
      return {
        tools: listed.map(({ name, title, description }) => ({ name, title, description })),
        diagnostics: handle.diagnostics(),
      };
    });
  } finally {
    await browser.close();
  }
}
