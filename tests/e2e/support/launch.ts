import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Without windows and extensions, a page takes half of the processor time. */
const HEADLESS = '/usr/bin/chromium-headless-shell';
const EXECUTABLE = process.env['CHROMIUM'] ?? (existsSync(HEADLESS) ? HEADLESS : '/usr/bin/chromium');

/** No feature of the browser itself may call home, or it would be counted against the pages. */
const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  // As letters are drawn in a window, and in the accepted pictures.
  '--font-render-hinting=slight',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Responses of a route count as public, and the event stream comes from this machine.
  '--disable-features=LocalNetworkAccessChecks',
];

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
