import { beforeEach, expect, test } from 'vitest';
import { accountStatistics } from '../../engine/books/accounting/books-statistics.ts';
import { storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { accountNow } from '../../engine/books/accounting/portfolio.ts';
import { exact, ZERO } from '../../engine/platform/decimal.ts';
import { Recorder } from '../../engine/research/playback/record/recorder.ts';
import { viewStatistics } from '../../routers/portfolio/statistics-view.ts';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture, YES } from '../support/trading-fixture.ts';

const HOUR = 3_600_000;

const fixture = openedForFile(openTradingFixture);
beforeEach(() => fixture.quote(YES));

test('row 50: a backtest has the same figures as live books with the same fills and points', async () => {
  const trader = await fixture.trader();
  await fixture.addDeployment(trader);
  fixture.wait(1_000);
  const sell = { side: 'sell', type: 'market' } as const;
  const kept = async () => {
    await fixture.quote(YES, {});
    await storeEquityPoints(fixture.db, fixture.now());
    fixture.wait(6 * HOUR);
    await fixture.quote(YES);
  };
  await kept();
  for (const price of ['0.6', '0.47', '0.55']) {
    await fixture.trade(trader, {}, { fee: '0.2' });
    await kept();
    await fixture.trade(trader, { ...sell, amount: '10' }, { price, fee: '0.05' });
    await kept();
  }
  await fixture.trade(trader, {}, { fee: '0.2' });
  fixture.wait(HOUR);
  await fixture.quote(YES, {});

  const work = trader.work();
  const live = await accountStatistics(work, 'all');
  const now = await accountNow(work);
  const points = await fixture.db
    .selectFrom('equity_point')
    .select(['at', 'equity', 'cash'])
    .where('account_id', '=', work.accountId)
    .orderBy('at')
    .execute();
  const fills = await fixture.db
    .selectFrom('fill')
    .select(['order_id', 'token_id', 'side', 'amount', 'price', 'fee', 'at'])
    .where('account_id', '=', work.accountId)
    .orderBy('seq')
    .execute();
  expect(fills).toHaveLength(7);

  const opening = await fixture.db
    .selectFrom('cash_entry')
    .select('amount')
    .where('account_id', '=', work.accountId)
    .where('kind', '=', 'deposit')
    .executeTakeFirstOrThrow();
  const start = exact(opening.amount).toFixed();
  const recorder = new Recorder(
    { fromMs: live.fromMs, toMs: live.toMs, start, riskFree: 0, isChecked: false, visuals: [] },
    () => {},
  );
  for (const { order_id, token_id, side, amount, price, fee, at } of fills) {
    const decimals = {
      amount: exact(amount).toFixed(),
      price: exact(price).toFixed(),
      fee: exact(fee).toFixed(),
    };
    const row = {
      orderId: order_id ?? '',
      at,
      tokenId: token_id,
      side,
      source: 'order',
      grade: 'quote',
      ...decimals,
    } as const;
    recorder.fill(row, Date.parse(at), '');
  }
  let before = { equity: exact(start), held: ZERO };
  const point = (atMs: number, { equity, cash }: { equity: string; cash: string }) => {
    const after = { equity: exact(equity), held: exact(equity).minus(cash) };
    recorder.point(atMs, before, after);
    before = after;
  };
  for (const { at, ...worth } of points.filter(({ at }) => Date.parse(at) >= live.fromMs)) {
    point(Date.parse(at), worth);
  }
  point(live.toMs, now);

  const { fromMs, toMs, isCut } = live;
  const simulated = viewStatistics({ ...recorder.statistics(), fromMs, toMs, isCut });
  expect(JSON.stringify(simulated)).toBe(JSON.stringify(viewStatistics(live)));
  expect(live.trades.closed).toBe(3);
});
