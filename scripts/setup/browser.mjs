import { existsSync } from 'node:fs';
import { quietly, root, say, Stop, which } from './command.mjs';
import { install, isDebian } from './debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium: CHROME_BIN, an installed one, Debian's package, or Playwright's download. */
export async function browser() {
  const { CHROME_BIN } = process.env;
  if (CHROME_BIN) {
    if (!existsSync(CHROME_BIN)) throw new Stop(`CHROME_BIN is ${CHROME_BIN}, and there is no such file.`);
    return CHROME_BIN;
  }
  const found = installed();
  if (found) return found;
  if (isDebian()) {
    await install(['chromium'], 60);
    const chromium = installed();
    if (chromium) return chromium;
  }
  const { chromium } = await import('playwright-core');
  if (!existsSync(chromium.executablePath())) {
    say("Downloading a Chromium (Playwright's, about 60 s)");
    await quietly(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'], {
      cwd: root,
      advice: 'Install Chromium or Chrome, or name one: CHROME_BIN=/path/to/chrome',
    });
  }
  return chromium.executablePath();
}

const installed = () => NAMES.map((name) => which(name)).find(Boolean) ?? APPLICATIONS.find(existsSync);
