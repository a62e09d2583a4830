import { IntlMessageFormat } from 'intl-messageformat';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import GERMAN from '../../web/src/language/de.json' with { type: 'json' };
import SERVED from '../../web/src/language/served/de.json' with { type: 'json' };
import { newGuest, open, visit } from './support/browser.ts';
import { buysAtOnce, deployed, drafted, heldPosition, orderIn } from './support/strategies.ts';

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern of all texts that a part of a message may become once its placeholders are filled. */
function patternOf(part: Part): string {
  if ('options' in part)
    return `(?:${Object.values(part.options)
      .map(({ value }) => value.map(patternOf).join(''))
      .join('|')})`;
  if ('children' in part) return part.children.map(patternOf).join('');
  return 'value' in part && part.type === 0 ? escaped(part.value) : '.*';
}

const matcherOf = (message: string): RegExp =>
  new RegExp(`^${new IntlMessageFormat(message, 'en').getAst().map(patternOf).join('')}$`, 's');

/** English words that a message contains whatever its placeholders hold. */
const wordsOf = (message: string): number =>
  (message.replaceAll(/\{.*\}/gs, '').match(/[a-z]{2,}/gi) ?? []).length;

/** Messages recognized by some of their words: one that is all placeholders would match anything. */
const KNOWN = Object.entries(GERMAN)
  .map(([key, german]) => ({ english: key.replace(/ \([^()]*\)$/, ''), key, german }))
  .filter(({ english, german }) => wordsOf(english) > 0 && english !== german)
  .map(({ key, english, german }) => ({ key, english: matcherOf(english), german: matcherOf(german) }));
const SERVED_TEXTS = new Set(
  Object.entries(SERVED).flatMap(([english, german]) => (english === german ? [] : [english])),
);
/** Texts that are the same in both languages, or that exist as a German text elsewhere. */
const SAID_IN_GERMAN = new Set([...Object.values(GERMAN), ...Object.values(SERVED)]);

/** All visible and spoken text of a page, except typed text: code, names of keys, users' own words. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = new Set<string>();
    const VERBATIM = 'code, kbd, pre, script, style';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement && !node.parentElement.closest(VERBATIM))
        texts.add(node.textContent?.trim() ?? '');
    for (const element of document.body.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label'])
        if (!element.closest(VERBATIM)) texts.add(element.getAttribute(name)?.trim() ?? '');
    return [...texts].filter((text) => text !== '');
  });

/** The label and the ids in this test's graph, and a word of the language of strategies: no messages. */
const WRITTEN = new Set(['Buy', 'buy', 'above', 'when']);

function englishAmong(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    if (SAID_IN_GERMAN.has(text) || WRITTEN.has(text)) return [];
    if (SERVED_TEXTS.has(text)) return [text];
    const found = KNOWN.find(({ english, german }) => english.test(text) && !german.test(text));
    return found && !KNOWN.some(({ german }) => german.test(text)) ? [`${text} | ${found.key}`] : [];
  });
}

test('with German chosen, the reasons of a denied order and of a refused request are in German', async () => {
  await using guest = await newGuest({ locale: 'de-DE' });
  const { page } = guest;
  const { id } = await deployed(guest, buysAtOnce(5_000), 'Zu gross');
  await orderIn(guest, 'denied');
  const why = /Größte Order ist 100,00\s\$, diese Order ist [\d.]+,\d\d\s\$/;
  for (const path of ['/activity', `/blueprints/${id}`]) {
    await open(page, path);
    await page.getByText(why).first().waitFor();
  }
  await open(page, '/orders');
  await page.locator('tr[data-row]').first().click();
  await page.getByText(why).first().waitFor();
  await open(page, `/backtests/compare?ids=${id},${crypto.randomUUID()}`);
  await page.getByText('Das gibt es nicht, oder es gehört zu einem anderen Konto.').waitFor();
});

test('with German chosen, no page has an English message, with data in the account', async () => {
  await using guest = await newGuest({ locale: 'de-DE' });
  const { page } = guest;
  await heldPosition(guest);
  const running = await deployed(guest, buysAtOnce(80), 'Läuft');
  await orderIn(guest, 'pending');
  const draft = await drafted(guest, buysAtOnce(10), 'Entwurf');
  const url = 'https://pult.example.com/hook';
  await guest.api('POST', '/api/notification-channels', { kind: 'webhook', label: 'Pult', url });
  const found: string[] = [];
  const read = new Set<string>();
  const check = async (where: string) => {
    await page.waitForTimeout(500);
    // Each text is compared with every message, so one that many pages have is compared once.
    const unread = (await textsOn(page)).filter((text) => !read.has(text));
    for (const text of unread) read.add(text);
    found.push(...englishAmong(unread).map((text) => `${where}: ${text}`));
  };
  const tabs = ['graph', 'text', 'json', 'orders', 'trades', 'log', 'backtest', 'performance', 'releases'];
  for (const path of [
    '/',
    '/blueprints',
    ...[draft, running].flatMap(({ id }) => tabs.map((tab) => `/blueprints/${id}?tab=${tab}`)),
    '/orders',
    '/portfolio',
    '/markets',
    '/markets?venue=crypto&market=BTCUSDT',
    '/markets?venue=watchlist',
    '/backtests',
    '/sweeps',
    '/risk',
    '/connections',
    '/keys',
    '/notifications',
    '/activity',
    '/settings',
    '/settings/account',
    '/nowhere',
  ]) {
    await visit(page, path);
    await check(path);
  }
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');

  await open(page, `/blueprints/${draft.id}`);
  await page.locator('[data-id=buy] .node-card').click();
  await check('a step of a draft');
  await page.getByRole('button', { name: 'Mit Live-Daten probieren' }).click();
  await page.locator('.tried').waitFor();
  await check('a step that was tried');
  for (const [path, name] of [
    ['/orders', 'Prüfen…'],
    ['/portfolio', 'Schließen…'],
    ['/keys', 'Neuer Schlüssel'],
    ['/', 'Alle stoppen…'],
    [`/blueprints/${draft.id}`, 'Starten…'],
  ] as const) {
    await open(page, path);
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
    await check(`${path} ${name}`);
  }
  await open(page, '/');
  await page.keyboard.press('Control+k');
  const suggested = page.getByRole('dialog', { name: 'Suchen' });
  await suggested.getByText('Entwurf', { exact: true }).first().waitFor();
  expect(await suggested.getByText('draft', { exact: true }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/orders', '/portfolio', '/keys']) {
    await visit(page, path);
    await check(`${path}, on a phone`);
  }
  expect([...new Set(found)]).toEqual([]);
}, 180_000);
