/** A holding below the venue's minimum is listed separately, and holds nothing up. On paper it counts as before. */
import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions, portfolioSummary } from '../../engine/books/accounting/portfolio.ts';
import type { Work } from '../../engine/platform/context.ts';
import { readRiskSnapshot } from '../../engine/risk/read-risk-snapshot.ts';
import type { Receipt } from '../../engine/risk/receipt.ts';
import { ruleUsageOf } from '../../engine/risk/rule-usage.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { readHeldPositions } from '../../engine/trading/orders/read/held-positions.ts';
import { writeOff } from '../../engine/trading/positions/write-off.ts';
import { deleteBlueprint } from '../../engine/usecases/blueprints/drafts/delete.ts';
import { closedTrades } from '../../engine/usecases/blueprints/record/trading-record.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { openedForFile } from '../support/opened.ts';
import {
  BTC,
  fillingBroker,
  intentOf,
  LIVE_SETTINGS,
  openTradingFixture,
  type Trader,
  YES,
} from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  await quote(YES, '0.48');
  await quote(BTC, '50000');
});

/** A locked top of book has no mark. */
const quote = (tokenId: string, bid: string) => fixture.quote(tokenId, { bid, ask: `${Number(bid) + 0.01}` });

type Books = { trader: Trader; work: Work };

async function booksOf(mode: 'live' | 'paper'): Promise<Books> {
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  return { trader, work: { ...trader.work(), mode } };
}

async function trade({ trader, work }: Books, intent: Partial<ProposedIntent>) {
  const order = await proposeIntent(work, intentOf(trader, intent), LIVE_SETTINGS);
  expect([order.status, order.reason]).toEqual(['queued', null]);
  await sendOrder(work, fillingBroker(fixture.now), order.id, LIVE_SETTINGS);
  return fixture.order(order.id);
}

const coin = (side: 'buy' | 'sell', amount: string, limitPrice = '50000') => ({
  tokenId: BTC,
  side,
  amount,
  limitPrice,
});

/** All but a hundred-thousandth of a coin is sold: half a dollar, where the venue's minimum is five. */
async function withDust(mode: 'live' | 'paper'): Promise<Books> {
  const books = await booksOf(mode);
  await trade(books, coin('buy', '0.001'));
  await trade(books, coin('sell', '0.00099'));
  return books;
}

const tradesOf = async (work: Work, { blueprintId }: Trader) =>
  (await closedTrades(work, blueprintId, { limit: 10 })).rows;
const usedOf = async ({ work }: Books) => {
  const usage = ruleUsageOf(await readRiskSnapshot(work, { now: fixture.now() }), fixture.now());
  return usage.find(({ rule }) => rule === 'maxOpenPositions')?.used;
};
const heldOf = async ({ work, trader: { accountId } }: Books) =>
  (await readHeldPositions(fixture.db, [{ accountId, mode: work.mode }], fixture.now())).map(
    ({ tokenId }) => tokenId,
  );

describe('in live mode', () => {
  test('row 75: dust is listed and marked, and is no open position', async () => {
    const books = await withDust('live');
    expect(await listPositions(books.work)).toMatchObject([
      { tokenId: BTC, amount: '0.00001', isDust: true },
    ]);
    expect(await portfolioSummary(books.work)).toMatchObject({ openPositions: 0 });
    expect(await usedOf(books)).toBe('0');
    await trade(books, { amount: '10' });
    expect(await portfolioSummary(books.work)).toMatchObject({ openPositions: 1 });
    expect((await listPositions(books.work)).map(({ isDust }) => isDust)).toEqual([undefined, true]);
  });

  test('row 75: dust does not count for the limit on open positions, which the receipt proves', async () => {
    const books = await withDust('live');
    await updateRules(books.work, { maxOpenPositions: 1 });
    const { receipt } = await trade(books, { amount: '10' });
    const { lines, live } = receipt as unknown as Receipt;
    expect(live).toMatchObject({ dust: [BTC] });
    expect(lines).toContainEqual(expect.objectContaining({ rule: 'maxOpenPositions', actual: '1' }));
    const second = await proposeIntent(
      books.work,
      intentOf(books.trader, coin('buy', '0.001')),
      LIVE_SETTINGS,
    );
    expect(second).toMatchObject({ status: 'denied', reason_code: 'maxOpenPositions' });
  });

  test('a graph holds no dust: it is flat, and its next purchase includes the dust', async () => {
    const books = await withDust('live');
    expect(await heldOf(books)).toEqual([]);
    await trade(books, coin('buy', '0.001'));
    expect(await heldOf(books)).toEqual([BTC]);
    expect(await listPositions(books.work)).toMatchObject([{ amount: '0.00101' }]);
    expect((await trade(books, coin('sell', '0.00101'))).status).toBe('filled');
    expect(await listPositions(books.work)).toEqual([]);
  });

  test('the trade has ended, and its result is that of the amount sold', async () => {
    const { work, trader } = await withDust('live');
    expect(await tradesOf(work, trader)).toMatchObject([{ bought: '49.5', sold: '49.5', pnl: '0' }]);
  });

  test('a blueprint with dust states the remedy, and is deleted after that', async () => {
    const { trader, work } = await withDust('live');
    const remove = (from: Work) => deleteBlueprint(from, trader.blueprintId);
    await expect(remove(work)).rejects.toMatchObject({
      code: 'blueprint_holds_positions',
      message: expect.stringMatching(/holds 0\.00001 of BTCUSDT\. .+ Write it off under Portfolio/),
    });
    await expect(remove(trader.work())).rejects.toMatchObject({
      message: expect.stringMatching(/of BTCUSDT in live mode\. .+ Write it off there/),
    });
    await writeOff(work, { tokenId: BTC, value: '0' });
    await remove(work);
  });
});

test('on paper the rest is a position like any other', async () => {
  const books = await withDust('paper');
  const [position] = await listPositions(books.work);
  expect(position).not.toHaveProperty('isDust');
  expect(await portfolioSummary(books.work)).toMatchObject({ openPositions: 1 });
  expect(await usedOf(books)).toBe('1');
  expect(await heldOf(books)).toEqual([BTC]);
  expect(await tradesOf(books.work, books.trader)).toEqual([]);
});
