import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** How much two equal pixels may differ, 0 to 1: letters are drawn a little softer or harder at times. */
const PIXEL_THRESHOLD = 0.2;
/** How many pixels may differ: a cursor's edge, not a word. */
const DIFFERENT_MAX = 60;
/** Another version of the browser draws letters a little differently: then the limit is a part of the page. */
const DIFFERENT_PART_MAX = 0.01;

const LOOKS_MAX = 12;
const LOOK_MS = 200;

const KEPT = path.join(import.meta.dirname, '../pictures');
const BROWSER = path.join(KEPT, 'browser.txt');
const SEEN = path.join(import.meta.dirname, '../../../node_modules/.cache/pictures');

/**
 * Compares a page with its accepted picture. Returns null if they agree, else words; the picture taken and the differences are
 * then in `node_modules/.cache/pictures`.
 */
export async function pictureFault(page: Page, name: string, accept: boolean): Promise<string | null> {
  const seen = await settled(page);
  const file = path.join(KEPT, `${name}.png`);
  const kept = existsSync(file) ? readFileSync(file) : null;
  if (kept?.equals(seen)) return null;
  const accepted = kept && PNG.sync.read(kept);
  const now = PNG.sync.read(seen);
  if (accepted && accepted.width === now.width && accepted.height === now.height) {
    const { width, height } = now;
    const difference = new PNG({ width, height });
    const different = pixelmatch(accepted.data, now.data, difference.data, width, height, {
      threshold: PIXEL_THRESHOLD,
    });
    if (different <= (isSameBrowser(page) ? DIFFERENT_MAX : width * height * DIFFERENT_PART_MAX)) return null;
    if (!accept) {
      keep(SEEN, `${name}.difference`, PNG.sync.write(difference));
      keep(SEEN, name, seen);
      return `${name}: ${different} pixels differ`;
    }
  }
  if (!accept) {
    keep(SEEN, name, seen);
    return `${name}: ${accepted ? 'has another size' : 'no picture of it was accepted'}`;
  }
  keep(KEPT, name, seen);
  writeFileSync(BROWSER, `${versionOf(page)}\n`);
  return null;
}

const versionOf = (page: Page) => page.context().browser()?.version() ?? 'unknown';

const isSameBrowser = (page: Page) =>
  existsSync(BROWSER) && readFileSync(BROWSER, 'utf8').trim() === versionOf(page);

/** A picture of the page once it no longer moves. */
async function settled(page: Page): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready.then(() => null));
  await page.locator('.chip[data-connection=connecting]').waitFor({ state: 'detached' });
  let last: Buffer = Buffer.alloc(0);
  for (let attempt = 0; attempt < LOOKS_MAX; attempt += 1) {
    await page.waitForTimeout(LOOK_MS);
    const seen = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (seen.equals(last)) return seen;
    last = seen;
  }
  return last;
}

function keep(folder: string, name: string, picture: Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.png`), picture);
}
