/** Backtests over a series of markets, as recorded. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendQuotes } from '../../engine/history/quote-log.ts';
import { resolveSeries } from '../../engine/usecases/series/resolve-series.ts';
import type { RunningBacktests } from '../../server/workers/research/index.ts';
import { expectOk } from '../support/api.ts';
import { contract, iso } from '../support/backtest.ts';
import { cheapContractGraph, spanOf, termsOf } from '../support/cheap-contract-graph.ts';
import { settledMarkets } from '../support/contracts.ts';
import { openedForFile } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { type Account, openWorld } from '../support/world.ts';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const RULE = { series: 'KXBTC15M', venue: 'venue-a', outcome: 'yes' };

const markets = settledMarkets()
  .filter(({ quotes, result }) => quotes.length > 0 && result !== '')
  .sort((a, b) => a.closeMs - b.closeMs);
/** Eight in a row, and the time until all are paid out. */
const few = markets.slice(0, 8);
const SPAN = { ...spanOf(few), to: iso(Math.max(...few.map(({ closeMs }) => closeMs)) + HOUR_MS + 60_000) };
const listedThen = markets
  .filter(({ closeMs }) => closeMs > Date.parse(SPAN.from) && closeMs - QUARTER_MS < Date.parse(SPAN.to))
  .map(({ tokenId }) => tokenId);

const world = openedForFile(openWorld);
let running: RunningBacktests;

beforeAll(async () => {
  const now = new Date().toISOString();
  const rows = markets.map((market) => ({
    ...contract(market.tokenId, {
      ...termsOf(market),
      series: 'KXBTC15M',
      opens_at: iso(market.closeMs - QUARTER_MS),
      terms_at: now,
      updated_at: now,
    }),
    price_ranges: sql<never>`'[]'::jsonb`,
  }));
  await world.db.insertInto('instrument').values(rows).execute();
  for (const { tokenId, quotes } of markets)
    if (listedThen.includes(tokenId)) await appendQuotes(world.db, [{ tokenId, quotes }]);
  await world.db
    .insertInto('series_coverage')
    .values({ venue: 'venue-a', series: 'KXBTC15M', from_at: SPAN.from, until_at: SPAN.to })
    .execute();
  running = runQueued(world);
});
afterAll(() => running.stop());

const graphOf = (value: unknown) => ({
  ...JSON.parse(JSON.stringify(cheapContractGraph('X')).replaceAll('"X"', '{"parameter":"markets"}')),
  parameters: { markets: { value } },
});
const start = (account: Account, value: unknown, more: object = {}) =>
  account.http('POST', '/api/backtests', {
    visual: graphOf(value),
    ...SPAN,
    cash: '1000',
    checks: false,
    risk: {
      rules: {
        maxOrderSize: 1_000,
        maxOpenPositions: 100,
        maxOrdersPerMinute: 100,
        maxDailyLoss: 10_000,
        cooldownAfterLossSec: 0,
        requireApprovalAbove: 1_000,
      },
    },
    ...more,
  });

type View = { status: string; failure: unknown; request: { members?: unknown }; requestHash: string };
async function ended(account: Account, started: Awaited<ReturnType<typeof start>>) {
  const { id } = expectOk(started) as { id: string };
  running.wake();
  const read = async () => expectOk(await account.http('GET', `/api/backtests/${id}`)) as View;
  await expect
    .poll(async () => (await read()).status, { timeout: 60_000, interval: 50 })
    .toMatch(/done|failed|canceled/);
  const trades = (await account.http('GET', `/api/backtests/${id}/trades.csv`)).text;
  return { id, view: await read(), trades };
}

test('trades as with the list of the markets that were open then typed in, and a repeat has the same members', {
  tags: ['long'],
}, async () => {
  const account = await world.account();
  const byRule = await ended(account, await start(account, RULE));
  expect(byRule.view.status, JSON.stringify(byRule.view.failure)).toBe('done');
  expect(byRule.view.request.members).toEqual({ markets: listedThen });
  expect(listedThen.length).toBeGreaterThanOrEqual(few.length);
  const typed = await ended(account, await start(account, listedThen));
  expect(typed.view.request).not.toHaveProperty('members');
  expect(typed.trades.trim().split('\n').length).toBeGreaterThan(2);
  expect(byRule.trades).toBe(typed.trades);
  expect(expectOk(await start(account, RULE))).toMatchObject({
    reusedFrom: byRule.id,
    requestHash: byRule.view.requestHash,
  });
});

test('refuses a span of which not every market is known, and says so', async () => {
  const account = await world.account();
  const from = iso(Date.parse(SPAN.from) - 48 * HOUR_MS);
  expect(await start(account, RULE, { from })).toMatchObject({
    status: 400,
    body: { error: { issues: [{ path: '/visual/parameters/markets/value', code: 'no_history' }] } },
  });
});

test('counts markets that were stored before their series was known', async () => {
  const [from, to] = [Date.parse(SPAN.from) - 72 * HOUR_MS, Date.parse(SPAN.from) - 71 * HOUR_MS];
  const now = new Date().toISOString();
  const tokens = ['KXOLD-1:yes', 'KXOLD-2:yes'];
  const times = { opens_at: iso(from), closes_at: iso(to), terms_at: now, updated_at: now };
  const rows = tokens.map((tokenId) => ({
    ...contract(tokenId, { ...times, status: 'settled', settlement_value: '1' }),
    price_ranges: sql<never>`'[]'::jsonb`,
  }));
  await world.db.insertInto('instrument').values(rows).execute();
  await world.db.updateTable('instrument').set({ series: 'KXOLD' }).where('token_id', 'in', tokens).execute();
  await world.db
    .insertInto('series_coverage')
    .values({ venue: 'venue-a', series: 'KXOLD', from_at: iso(from), until_at: iso(to) })
    .execute();
  const visual = graphOf({ ...RULE, series: 'KXOLD' });
  const span = { firstMs: from, lastMs: to - 1 };
  const options = { market: world.market, span, admit: async () => {} };
  expect(await resolveSeries(world.db, visual, options)).toEqual({
    members: { markets: tokens },
    issues: [],
  });
});

test('asks the venue for markets of the last weeks, and records that it knows them', async () => {
  const account = await world.account();
  const toMs = Math.floor(world.market.now() / QUARTER_MS) * QUARTER_MS;
  const recent = { from: iso(toMs - HOUR_MS), to: iso(toMs) };
  const { id } = expectOk(await start(account, RULE, recent)) as { id: string };
  const { request } = expectOk(await account.http('GET', `/api/backtests/${id}`)) as View;
  expect(request.members).toMatchObject({ markets: { length: 4 } });
  const rows = await world.db.selectFrom('series_coverage').selectAll().orderBy('from_at').execute();
  expect(rows.at(-1)).toMatchObject({
    venue: 'venue-a',
    series: 'KXBTC15M',
    from_at: expect.stringContaining(recent.from.slice(11, 19)),
  });
});
