import path from 'node:path';
import { type Browser, firefox, type Locator } from 'playwright-core';

const PROGRAM = path.join(import.meta.dirname, 'firefox-program.mjs');
const START_MS_MAX = 120_000;

/** Debian's Firefox, without a window. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: PROGRAM,
    timeout: START_MS_MAX,
  });
  const page = await browser.newPage();
  Object.assign(Object.getPrototypeOf(page.locator('html')), {
    fill: fillByKeys,
    allInnerTexts: innerTextsOneByOne,
  });
  await page.close();
  return browser;
}

/** The driver's own `fill` sets a value in Firefox that React does not hear of. */
async function fillByKeys(this: Locator, value: string): Promise<void> {
  await this.focus();
  await this.selectText();
  if (value === '') await this.press('Delete');
  else await this.pressSequentially(value);
}

/**
 * The driver's own finds elements in the world of the page's scripts. There Firefox crashes (signal 11) where a role is looked for
 * in an open dialog.
 */
async function innerTextsOneByOne(this: Locator): Promise<string[]> {
  const texts: string[] = [];
  for (const part of await this.all()) texts.push(await part.innerText());
  return texts;
}
