import { beforeEach, expect, test } from 'vitest';
import { flatten, holdingsToFlatten } from '../../engine/trading/orders/entry/flatten.ts';
import { openedForFile } from '../support/opened.ts';
import { BTC, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  for (const token of [YES, NO, BTC]) await fixture.quote(token);
});

async function holder(): Promise<Trader> {
  const trader = await fixture.trader({});
  await fixture.trade(trader, { amount: '8' });
  await fixture.trade(trader, { tokenId: NO, amount: '4' });
  return trader;
}

test('holdings are listed by instrument, of one venue or of all, with the free and the unsellable amount', async () => {
  const trader = await holder();
  const [no, yes] = (await holdingsToFlatten(trader.work(), null)).sort((a) => (a.tokenId === NO ? -1 : 1));
  expect([no, yes]).toMatchObject([
    { tokenId: NO, amount: '4', free: '4', stuck: null },
    { tokenId: YES, amount: '8', free: '8', stuck: null },
  ]);
  expect(await holdingsToFlatten(trader.work(), 'crypto')).toEqual([]);
  expect((await holdingsToFlatten(trader.work(), yes?.venue ?? null)).length).toBeGreaterThan(0);
});

test('each position is sold separately: a refusal of one does not stop the others', async () => {
  const trader = await holder();
  const results = await flatten(trader.work(), [
    { tokenId: BTC, amount: '1' },
    { tokenId: YES, amount: '9' },
    { tokenId: NO, amount: '4' },
    { tokenId: YES, amount: '8' },
  ]);
  expect(results).toMatchObject([
    { tokenId: BTC, intentId: null, refusal: { code: 'not_found' } },
    { tokenId: YES, intentId: null, refusal: { code: 'validation_failed' } },
    { tokenId: NO, amount: '4', status: 'queued', refusal: null },
    { tokenId: YES, amount: '8', status: 'queued', refusal: null },
  ]);
  const sells = await Promise.all(
    results.flatMap(({ intentId }) => (intentId === null ? [] : fixture.order(intentId))),
  );
  expect(sells).toMatchObject([
    { side: 'sell', origin: 'manual', token_id: NO },
    { side: 'sell', origin: 'manual', token_id: YES },
  ]);
  expect((await holdingsToFlatten(trader.work(), null)).map(({ free }) => free)).toEqual(['0', '0']);
  const again = await flatten(trader.work(), [{ tokenId: NO, amount: '4' }]);
  expect(again).toMatchObject([{ intentId: null, refusal: { code: 'validation_failed' } }]);
});

test('the audit trail records the reviewed positions and the person, and nothing of another mode is sold', async () => {
  const trader = await holder();
  const live = { ...trader.work(), mode: 'live' as const };
  expect(await holdingsToFlatten(live, null)).toEqual([]);
  expect(await flatten(live, [{ tokenId: YES, amount: '1' }])).toMatchObject([
    { refusal: { code: 'not_found' } },
  ]);
  const trail = await fixture.db
    .selectFrom('audit_event')
    .select(['mode', 'actor', 'after'])
    .where('account_id', '=', trader.accountId)
    .where('action', '=', 'position.flatten_requested')
    .execute();
  expect(trail).toMatchObject([
    { mode: 'live', actor: trader.work().actor, after: { positions: [{ tokenId: YES, amount: '1' }] } },
  ]);
});
