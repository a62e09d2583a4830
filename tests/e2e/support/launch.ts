import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { launchFirefox } from './firefox.ts';

const WINDOWED = '/usr/bin/chromium';
/** Without windows and extensions, a page takes half of the processor time. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

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

const launch = (place: string): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM'] ?? place, args: FLAGS });

/** `E2E_BROWSER=firefox` tries the console there. */
export const launchBrowser = (): Promise<Browser> =>
  process.env['E2E_BROWSER'] === 'firefox'
    ? launchFirefox()
    : launch(existsSync(HEADLESS) ? HEADLESS : WINDOWED);

/** The shell denies all notifications. */
export const launchWithNotifications = (): Promise<Browser> => launch(WINDOWED);
