import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Mode } from '../../db/vocabulary.ts';
import {
  accountCurve,
  accountStatistics,
  blueprintCurve,
  blueprintStatistics,
} from '../../engine/books/accounting/books-statistics.ts';
import { type EquityRange, storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { moveCash } from '../../engine/books/accounting/move-cash.ts';
import { readSparklines } from '../../engine/books/accounting/sparklines.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { Work } from '../../engine/platform/context.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const DAY = 86_400_000;

const fixture = openedForFile(openTradingFixture);
beforeEach(() => fixture.quote(YES));

const sell = { side: 'sell', type: 'market' } as const;
/** A point of the curve, at current marks. */
const kept = async () => {
  await fixture.quote(YES, {});
  await storeEquityPoints(fixture.db, fixture.now());
};
async function deployed(mode: Mode = 'paper'): Promise<Trader> {
  const trader = await fixture.trader();
  await fixture.addDeployment(trader, undefined, mode);
  fixture.wait(1_000);
  return trader;
}

test('a trade spans from flat to flat, and its net profit is that of the account', async () => {
  const trader = await deployed();
  await fixture.trade(trader, {}, { fee: '0.2' });
  fixture.wait(3_600_000);
  await fixture.quote(YES);
  await fixture.trade(trader, { ...sell, amount: '4' }, { price: '0.6', fee: '0.05' });
  fixture.wait(3_600_000);
  await fixture.quote(YES);
  await fixture.trade(trader, { ...sell, amount: '6' }, { price: '0.47', fee: '0.05' });
  const { trades, netProfit, open } = await accountStatistics(trader.work(), 'all');
  expect(open).toEqual([]);
  expect(trades).toMatchObject({ closed: 1, fees: '0.3', meanHeldMs: { value: 7_200_000 } });
  expect(trades.best).toBe(netProfit);
  expect((await blueprintStatistics(trader.work(), trader.blueprintId, 'all')).netProfit).toBe(netProfit);
});

test('a curve and its drawdowns begin no earlier than the first deploy, also within its first five minutes', async () => {
  // The five minutes begin before the account is there.
  fixture.wait(300_000 - (fixture.now().getTime() % 300_000) + 200_000);
  const startMs = fixture.now().getTime();
  const trader = await deployed();
  await fixture.trade(trader, {}, { fee: '0.2' });
  await kept();
  fixture.wait(120_000);
  await kept();
  for (const curveOf of [accountCurve, blueprintCurveOf(trader.blueprintId)]) {
    const { curve, statistics } = await curveOf(trader.work(), 'all');
    expect(curve[0]).toEqual({ atMs: startMs, equity: '10000', drawdown: 0 });
    expect(curve.every(({ atMs }) => atMs >= startMs)).toBe(true);
    expect(statistics.drawdowns.worst).toMatchObject([{ peakAtMs: startMs }]);
    expect(statistics.netProfit).toBe('-0.4');
  }
});
const blueprintCurveOf = (id: string) => (work: Work, range: EquityRange) => blueprintCurve(work, id, range);

test('a deposit is no profit, and a withdrawal makes no drawdown', async () => {
  const trader = await deployed('live');
  await fixture.openLive(trader);
  const work = { ...trader.work(), mode: 'live' } as const;
  const { id: connectionId } = await fixture.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .limit(1)
    .executeTakeFirstOrThrow();
  await kept();
  for (const amount of [5_000, -9_000]) {
    fixture.wait(DAY);
    const move = { kind: 'transfer', amount: exact(amount), connectionId, reason: 'by hand' } as const;
    await underAccountLock(work, (tx, now) => moveCash(tx, move, now));
    fixture.wait(DAY);
    await kept();
  }
  // A win that is not redeemed is no cash, and is worth its payout.
  const claim = { kind: 'redemption', amount: exact(-500), connectionId, reason: 'not redeemed' } as const;
  await underAccountLock(work, (tx, now) => moveCash(tx, claim, now));
  fixture.wait(DAY);
  await kept();
  fixture.wait(DAY);
  expect(await accountStatistics(work, 'all')).toMatchObject({
    netProfit: '0',
    totalReturn: { value: 0 },
    drawdowns: { max: null },
  });
});

test('what was held before the range is held from its beginning, however few points there are', async () => {
  const trader = await deployed();
  await fixture.trade(trader, {});
  await kept();
  fixture.wait(40 * DAY);
  await fixture.quote(YES, {});
  const few = await accountStatistics(trader.work(), '1m');
  await sql`insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
    select account_id, mode, at + day * interval '1 day', equity, cash, realized_pnl, unrealized_pnl
    from equity_point, generate_series(1, 39) day where account_id = ${trader.accountId}`.execute(fixture.db);
  const { exposureOfEquity, risk } = await accountStatistics(trader.work(), '1m');
  expect(few.exposureOfEquity.value).toBeGreaterThan(0);
  expect(few.exposureOfEquity.value).toBeCloseTo(exposureOfEquity.value ?? 0, 12);
  expect(few.risk.returnOnExposure).toEqual(risk.returnOnExposure);
});

test('for a blueprint only its own trades and points count', async () => {
  const trader = await deployed();
  const other = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
  await fixture.trade(trader, {});
  await fixture.trade(other, {});
  await kept();
  fixture.wait(DAY);
  await fixture.quote(YES, { bid: '0.7', ask: '0.71' });
  await storeEquityPoints(fixture.db, fixture.now());
  fixture.wait(1_000);
  await fixture.trade(trader, { ...sell, amount: '10' }, { price: '0.7' });
  const [mine, others] = [
    await blueprintStatistics(trader.work(), trader.blueprintId, 'all'),
    await blueprintStatistics(trader.work(), other.blueprintId, 'all'),
  ];
  expect([mine.trades.closed, mine.open.length]).toEqual([1, 0]);
  expect([others.trades.closed, others.open.length]).toEqual([0, 1]);
  const whole = await accountStatistics(trader.work(), 'all');
  expect(Number(mine.netProfit) + Number(others.netProfit)).toBeCloseTo(Number(whole.netProfit), 9);
});

test('a strategy of some minutes has a sparkline of more than one point', async () => {
  const trader = await deployed();
  await fixture.trade(trader, {});
  for (let point = 0; point < 3; point++) {
    await kept();
    fixture.wait(300_000);
  }
  const [line] = await readSparklines(trader.work());
  expect(line?.made).toHaveLength(3);
});

test('points of blueprints are stored while they hold or trade, and not repeated while nothing moves', async () => {
  const trader = await deployed();
  const points = () =>
    fixture.db
      .selectFrom('blueprint_equity')
      .select(['held', 'realized_pnl'])
      .where('blueprint_id', '=', trader.blueprintId)
      .orderBy('at')
      .execute();
  await fixture.trade(trader, {});
  await kept();
  await kept();
  expect(await points()).toHaveLength(1);
  fixture.wait(300_000);
  await fixture.quote(YES, {});
  await fixture.trade(trader, { ...sell, amount: '10' });
  await storeEquityPoints(fixture.db, fixture.now());
  expect((await points()).map(({ held }) => Number(held) > 0)).toEqual([true, false]);
  fixture.wait(600_000);
  await kept();
  expect(await points()).toHaveLength(2);
});

test('the curve of the books and of a blueprint begins with the start and ends with the net profit', async () => {
  const trader = await deployed();
  const start = exact((await accountCurve(trader.work(), 'all')).curve[0]?.equity ?? 0);
  await fixture.trade(trader, {}, { fee: '0.2' });
  await kept();
  fixture.wait(600_000);
  await fixture.quote(YES);
  await fixture.trade(trader, { ...sell, amount: '10' }, { price: '0.47', fee: '0.05' });
  for (const { curve, statistics, totalPnl } of [
    await accountCurve(trader.work(), 'all'),
    await blueprintCurve(trader.work(), trader.blueprintId, 'all'),
  ]) {
    const [first, last] = [curve[0], curve.at(-1)];
    expect(first).toEqual({ atMs: statistics.fromMs, equity: start.toFixed(), drawdown: 0 });
    expect(
      exact(last?.equity ?? 0)
        .minus(start)
        .toFixed(),
    ).toBe(statistics.netProfit);
    expect(totalPnl).toBe(statistics.netProfit);
    expect(Math.max(...curve.map(({ drawdown }) => drawdown))).toBe(statistics.drawdowns.max?.share);
  }
});
