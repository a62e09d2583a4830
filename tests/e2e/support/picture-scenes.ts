import type { Locator, Page } from 'playwright-core';
import { withDust } from './dust.ts';
import { showGraph } from './editor.ts';
import { withMonth, withWeeks } from './past.ts';
import type { Replay } from './recording.ts';

/** The screens of the pictures: a desk or a phone, dark or light, and in German. */
export const VIEWS = {
  'desk-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  'desk-light': { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  'phone-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  'phone-light': { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  'desk-german': { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'de-DE' },
  'phone-german': { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'de-DE' },
} as const;
export type View = keyof typeof VIEWS;

type SceneContext = {
  readonly page: Page;
  readonly ids: Readonly<Record<string, string>>;
  readonly replay?: Replay;
};

export type Scene = {
  readonly name: string;
  readonly views: readonly View[];
  readonly show: (seen: SceneContext) => Promise<void>;
};

const BOTH: readonly View[] = ['desk-dark', 'phone-light'];
const OTHERS: readonly View[] = ['desk-light', 'phone-dark'];
const GERMAN: readonly View[] = ['desk-german', 'phone-german'];
const DESK: readonly View[] = ['desk-dark'];
const DESK_LIGHT: readonly View[] = ['desk-light'];

const at =
  (path: string | ((ids: Readonly<Record<string, string>>) => string), ready?: string) =>
  async ({ page, ids }: SceneContext): Promise<void> => {
    await page.goto(new URL(typeof path === 'string' ? path : path(ids), page.url()).href);
    await page.locator('h1').first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    if (ready) await page.locator(ready).first().waitFor();
  };

const dialog = (show: Scene['show'], name: string | RegExp) => async (seen: SceneContext) => {
  await show(seen);
  await seen.page.getByRole('button', { name }).first().click();
  await seen.page.getByRole('alertdialog').or(seen.page.getByRole('dialog')).first().waitFor();
};

/** Scrolls near the end, in whole steps: the end may lie within a pixel, at a different part each time. */
const toTheEnd = (part: Locator) =>
  part.evaluate((element, step) => {
    element.scrollTo(0, Math.floor((element.scrollHeight - element.clientHeight) / step) * step);
  }, 20);

/** A node on the canvas, or in the list that a phone opens with. */
const NODE = '.react-flow__node, .node-line';
const graph = at(({ running }) => `/blueprints/${running}`, NODE);
/** The equity since before the last hour: in its first, the page has another order. */
const withPast = (answer: string): string =>
  answer.replace(/"at":"([^"]+)"/, (_, at) => `"at":"${new Date(Date.parse(at) - 7_200_000).toISOString()}"`);
/** The daily loss at its limit since this instant of the recording. */
const withLock = (answer: string): string =>
  answer.replace(
    '"rule":"maxDailyLoss"',
    '"rule":"maxDailyLoss","note":"tripped at 2026-11-29T21:48:00.000Z: no buys until 00:00 UTC, or until this rule is changed"',
  );
const overview: Scene['show'] = async (seen) => {
  if (seen.replay) seen.replay.alter = [{ of: 'portfolio.history', to: withPast }];
  await at('/', '[data-equity]')(seen);
};

/** A user who has used the service for a while. */
export const FULL: readonly Scene[] = [
  { name: 'overview', views: [...BOTH, ...OTHERS, ...GERMAN], show: overview },
  { name: 'overview, first hour', views: BOTH, show: at('/', '[data-equity]') },
  {
    name: 'overview, after a month',
    views: BOTH,
    show: async (seen) => {
      if (seen.replay)
        seen.replay.alter = [
          { of: 'portfolio.history', to: withMonth },
          { of: 'console.sparks', to: withWeeks([seen.ids['running'], seen.ids['average']]) },
        ];
      await at('/', '[data-equity]')(seen);
      await seen.page.getByText('1M', { exact: true }).click();
      await seen.page.mouse.move(1, 1);
    },
  },
  {
    name: 'orders, locked',
    views: OTHERS,
    show: async (seen) => {
      if (seen.replay) seen.replay.alter = [{ of: 'console.account', to: withLock }];
      await at('/orders', seen.replay && '[data-lock]')(seen);
    },
  },
  { name: 'blueprints', views: [...BOTH, ...GERMAN], show: at('/blueprints') },
  { name: 'orders', views: [...BOTH, ...OTHERS, 'phone-german'], show: at('/orders', 'tr[data-row]') },
  { name: 'portfolio', views: BOTH, show: at('/portfolio', 'td[data-label="Market value"]') },
  {
    name: 'dust',
    views: [...BOTH, 'desk-light'],
    show: async (seen) => {
      if (seen.replay) seen.replay.alter = [{ of: 'console.account', to: withDust }];
      await at('/portfolio', 'td[data-label="Market value"]')(seen);
      if (seen.replay) await seen.page.getByText('dust', { exact: true }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'markets', views: OTHERS, show: at('/markets') },
  { name: 'coins', views: DESK, show: at('/markets?venue=crypto') },
  {
    name: 'a ticket',
    views: BOTH,
    show: async (seen) => {
      await dialog(at('/markets?venue=crypto&market=BTCUSDT'), 'Trade…')(seen);
      const ticket = seen.page.getByRole('dialog');
      await ticket.getByLabel('How').selectOption('Now, within the price band');
      await ticket.getByLabel('Amount').fill('0.0005');
      await ticket.getByText('Would be sent at once').waitFor();
    },
  },
  { name: 'risk', views: [...BOTH, 'phone-german'], show: at('/risk') },
  { name: 'keys', views: OTHERS, show: at('/keys') },
  { name: 'connections', views: DESK, show: at('/connections') },
  { name: 'activity', views: OTHERS, show: at('/activity') },
  { name: 'settings', views: ['desk-dark', 'desk-german'], show: at('/settings') },
  { name: 'account', views: DESK_LIGHT, show: at('/settings/account') },
  { name: 'notifications', views: DESK, show: at('/notifications') },
  { name: 'watchlist', views: ['phone-dark'], show: at('/markets?venue=watchlist') },
  { name: 'backtests', views: DESK_LIGHT, show: at('/backtests') },
  {
    name: 'a backtest',
    views: OTHERS,
    show: at(({ backtest }) => `/backtests/${backtest}`, '.chart-keys'),
  },
  { name: 'sweeps', views: DESK, show: at('/sweeps') },
  { name: 'a sweep', views: OTHERS, show: at(({ sweep }) => `/sweeps/${sweep}`, '.heatmap') },
  { name: 'a running graph', views: [...BOTH, 'desk-light'], show: graph },
  { name: 'a draft', views: DESK, show: at(({ draft }) => `/blueprints/${draft}`, NODE) },
  {
    name: 'a step that was tried',
    views: [...BOTH, 'desk-light'],
    show: async (seen) => {
      await at(({ draft }) => `/blueprints/${draft}?node=buy`, NODE)(seen);
      await seen.page.getByRole('button', { name: 'Try on live data' }).click();
      await seen.page.locator('.tried').waitFor();
      // Under the button lies what the panel scrolls there, which would look pressed; the panel still grows for a moment.
      await seen.page.mouse.move(1, 1);
      await seen.page.waitForTimeout(500);
      await toTheEnd(seen.page.locator('.inspector'));
    },
  },
  {
    name: 'a step on a phone',
    views: ['phone-dark', 'phone-german'],
    show: async (seen) => {
      await at(({ draft }) => `/blueprints/${draft}`, NODE)(seen);
      await seen.page.locator('.node-line').nth(3).click();
      await seen.page.locator('.inspector.sheet').waitFor();
    },
  },
  {
    name: 'groups',
    views: [...BOTH, 'desk-light'],
    show: async (seen) => {
      await at(({ grouped }) => `/blueprints/${grouped}`, NODE)(seen);
      if (await seen.page.locator('.node-line').count()) await showGraph(seen.page);
      await seen.page.locator('[data-id="group:a"] .node-title').click();
      await seen.page.locator('#group-name').waitFor();
    },
  },
  {
    name: 'performance',
    views: DESK_LIGHT,
    show: at(({ running }) => `/blueprints/${running}?tab=performance&range=1w`),
  },
  {
    name: 'indicators on the price',
    views: OTHERS,
    show: async (seen) => {
      await at(({ average }) => `/blueprints/${average}?tab=performance&range=1w`, '.chart-keys')(seen);
      await seen.page.getByRole('heading', { name: 'Price, equity and drawdown' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'tags',
    views: ['phone-dark'],
    show: async (seen) => {
      await at(({ draft }) => `/blueprints/${draft}`, NODE)(seen);
      await seen.page.getByRole('button', { name: 'More actions' }).click();
      await seen.page.getByRole('menuitem', { name: 'Tags…' }).click();
      await seen.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'releases',
    views: [...BOTH, ...OTHERS],
    show: at(({ average }) => `/blueprints/${average}?tab=releases`, '.node-card.changed'),
  },
  {
    name: 'an approval',
    views: [...BOTH, 'desk-light'],
    show: dialog(at('/orders', 'tr[data-row]'), 'Review…'),
  },
  {
    name: 'an approval of several',
    views: DESK,
    show: dialog(at('/orders', 'tr[data-row]'), 'Review one by one…'),
  },
  { name: 'a reset', views: BOTH, show: dialog(at('/settings/account'), 'Reset the paper account…') },
  { name: 'a close', views: DESK, show: dialog(at('/portfolio', 'td[data-label="Market value"]'), 'Close…') },
  { name: 'stop all', views: ['phone-dark'], show: dialog(overview, 'Stop all…') },
  { name: 'a stop', views: DESK_LIGHT, show: dialog(graph, 'Stop…') },
  {
    name: 'an order',
    views: ['desk-light', 'phone-dark'],
    show: async (seen) => {
      await at('/orders', 'tr[data-row]')(seen);
      await seen.page.locator('tr[data-row]').last().click();
      await seen.page.getByText('Timeline').waitFor();
    },
  },
  {
    name: 'a looser rule',
    views: DESK,
    show: dialog(async (seen) => {
      await at('/risk')(seen);
      await seen.page.getByLabel('Largest order').fill('900');
    }, /Review 1 change/),
  },
  { name: 'templates', views: BOTH, show: dialog(at('/blueprints'), 'New strategy') },
  {
    name: 'a template',
    views: ['desk-light', 'phone-dark'],
    show: async (seen) => {
      await dialog(at('/blueprints'), 'New strategy')(seen);
      const choice = seen.page.getByRole('dialog');
      await choice.getByText('Reversion', { exact: true }).click();
      await choice.getByLabel('Grid of three levels').check();
      await toTheEnd(choice);
    },
  },
  { name: 'a new key', views: DESK_LIGHT, show: dialog(at('/keys'), 'New key') },
  {
    name: 'a step of a draft',
    views: ['desk-light', 'desk-german'],
    show: async (seen) => {
      await at(({ draft }) => `/blueprints/${draft}`, NODE)(seen);
      await seen.page.locator('.react-flow__node').first().click();
    },
  },
  {
    name: 'the search',
    views: BOTH,
    show: async (seen) => {
      await overview(seen);
      await seen.page.keyboard.press('Control+k');
      await seen.page.getByRole('dialog', { name: 'Search' }).waitFor();
    },
  },
  {
    name: 'overview after a graph',
    views: DESK,
    show: async (seen) => {
      if (seen.replay) seen.replay.alter = [{ of: 'portfolio.history', to: withPast }];
      await graph(seen);
      await seen.page.getByRole('link', { name: 'Overview' }).click();
      await seen.page.locator('[data-equity]').waitFor();
    },
  },
  {
    name: 'orders that load',
    views: DESK_LIGHT,
    show: async ({ page, replay }) => {
      if (replay) replay.withhold = 'console.orders';
      await page.goto(new URL('/orders', page.url()).href);
      if (replay) await page.locator('.skeleton').first().waitFor();
    },
  },
  {
    name: 'orders in trouble',
    views: DESK,
    show: async ({ page, replay }) => {
      if (replay) replay.fail = 'console.orders';
      await page.goto(new URL('/orders', page.url()).href);
      if (replay) await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    },
  },
];

/** A user who has just signed up. */
export const EMPTY: readonly Scene[] = [
  { name: 'overview, new', views: BOTH, show: at('/') },
  { name: 'blueprints, new', views: DESK_LIGHT, show: at('/blueprints') },
  { name: 'orders, new', views: DESK, show: at('/orders') },
  { name: 'portfolio, new', views: ['phone-dark'], show: at('/portfolio') },
  { name: 'keys, new', views: DESK, show: at('/keys') },
  { name: 'connections, new', views: DESK_LIGHT, show: at('/connections') },
  { name: 'nowhere', views: DESK, show: at('/nowhere') },
];
