import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendQuotes } from '../../engine/history/quote-log.ts';
import type { RunningBacktests } from '../../server/workers/research/index.ts';
import { expectOk } from '../support/api.ts';
import { contract } from '../support/backtest.ts';
import {
  CASH,
  cheapContractGraph,
  reportedTrades,
  spanOf,
  type TradeRow,
  termsOf,
  tradesByLoop,
} from '../support/cheap-contract-graph.ts';
import { settledMarkets } from '../support/contracts.ts';
import { openedForFile } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { openWorld } from '../support/world.ts';

const priced = settledMarkets().filter(({ quotes }) => quotes.length > 0);

const world = openedForFile(openWorld);
let running: RunningBacktests;

beforeAll(async () => {
  const now = new Date().toISOString();
  const rows = priced.map((market) => ({
    ...contract(market.tokenId, { ...termsOf(market), terms_at: now, updated_at: now }),
    price_ranges: sql<never>`'[]'::jsonb`,
  }));
  await world.db.insertInto('instrument').values(rows).execute();
  for (const { tokenId, quotes } of priced) await appendQuotes(world.db, [{ tokenId, quotes }]);
  running = runQueued(world);
});
afterAll(() => running.stop());

test('row 19: requested over HTTP, the result of 180 settled markets equals that of a loop over their quotes, row by row', {
  tags: ['long'],
}, async () => {
  const account = await world.account();
  const [graphToken = ''] = priced.map(({ tokenId }) => tokenId);
  const started = await account.http('POST', '/api/backtests', {
    visual: cheapContractGraph(graphToken),
    ...spanOf(priced),
    cash: CASH,
    data: { substitute: { [graphToken]: priced.map(({ tokenId }) => tokenId) } },
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
  });
  const { id } = expectOk(started) as { id: string };
  running.wake();
  const readBacktest = async () =>
    expectOk(await account.http('GET', `/api/backtests/${id}`)) as { status: string };
  await expect
    .poll(async () => (await readBacktest()).status, { timeout: 240_000, interval: 100 })
    .toMatch(/done|failed|canceled/);
  const backtest = await readBacktest();
  const { decided, cash, ...rows } = tradesByLoop(priced);
  expect(rows.bought.length).toBeGreaterThan(60);
  expect(backtest, JSON.stringify(backtest)).toMatchObject({
    status: 'done',
    result: {
      orders: { intents: decided },
      finalCash: Number(cash),
      // No market was skipped, and the run was checked for look-ahead.
      verdicts: [
        { code: 'unsettled', count: rows.bought.length - rows.settled.length },
        { code: 'no_prices' },
        { code: 'orders_unfilled', count: decided - rows.bought.length },
      ],
      fidelity: 'A',
      statistics: { trades: { closed: rows.settled.length } },
    },
  });
  const { fills } = (await account.http('GET', `/api/backtests/${id}/result.json`)).body as {
    fills: (TradeRow & { source: string })[];
  };
  expect(reportedTrades(fills, priced)).toEqual(rows);
});
