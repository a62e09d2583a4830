/** Holdings, money and settled markets of a venue account and its books, compared. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { accountNow } from '../../engine/books/accounting/portfolio.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { cancelAtVenue } from '../../engine/trading/orders/execution/send.ts';
import { settleHolding } from '../../engine/trading/positions/settle-holding.ts';
import {
  type Account,
  boughtPosition,
  cashMoves,
  heldOf,
  liveAccounts,
  openDifferences,
  reconcile,
  reconcileQuiet,
  restingOrder,
  stateOf,
} from '../support/live-accounts.ts';
import { addInstrument, YES } from '../support/trading-fixture.ts';

const { fixture, opened } = liveAccounts();

describe('holdings and money', () => {
  test('row 91: positions that cannot be read, or are empty once, are never flat', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.nextPositions.push('fail');
    await expect(reconcileQuiet(account)).rejects.toThrow('connection reset');
    account.venue.nextPositions.push([]);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
    account.venue.nextPositions.push([], [], []);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
    expect(await heldOf(account)).toEqual([[YES, '10']]);
    account.venue.nextPositions.push([], [], [], []);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toMatchObject([
      { subject: `position:${YES}`, kind: 'unexplained', theirs: '0.000000000000' },
    ]);
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });

  test('a recorded deposit is booked at once, also while the account trades', async () => {
    const account = await opened();
    const id = await restingOrder(account);
    account.venue.fill(id, { amount: '10' }, 'filled');
    await reconcile(account);
    account.venue.transfer('5');
    await reconcile(account);
    expect(await openDifferences(account)).toEqual([]);
    expect((await cashMoves(account)).at(-1)).toEqual({ kind: 'transfer', amount: '5.000000000000' });
  });

  test('rows 53 and 92: a deposit and a withdrawal are transfers, and neither is a profit or a loss', async () => {
    const account = await opened();
    await boughtPosition(account);
    const before = await accountNow(account.work);
    for (const amount of ['500', '-300']) {
      account.venue.transfer(amount);
      await reconcileQuiet(account);
      expect((await cashMoves(account)).at(-1)).toEqual({
        kind: 'transfer',
        amount: exact(amount).toFixed(12),
      });
    }
    const count = (await cashMoves(account)).length;
    await reconcileQuiet(account);
    expect(await cashMoves(account)).toHaveLength(count);
    const after = await accountNow(account.work);
    expect(after.totalPnl).toBe(before.totalPnl);
    expect(exact(after.cash).minus(before.cash).toFixed()).toBe('200');
    const [day] = await fixture.db
      .selectFrom('account_day')
      .select('realized_pnl')
      .where('account_id', '=', account.trader.accountId)
      .where('mode', '=', 'live')
      .execute();
    expect(day).toEqual({ realized_pnl: '-0.180000000000' });
  });

  test('row 69: a fee other than booked waits for a person, unless it is tiny', async () => {
    const account = await opened();
    await boughtPosition(account);
    const id = await restingOrder(account, { limitPrice: '0.5', amount: '100' });
    account.venue.fill(id, { amount: '100', fee: '1.75' }, 'filled');
    await reconcile(account);
    account.venue.paid.push(exact('-0.5'));
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toMatchObject([
      { subject: 'cash:USD', kind: 'fee', worth: '0.500000000000' },
    ]);
    expect(await cashMoves(account)).toHaveLength(1);
  });

  test('row 87: after a restore of yesterday’s backup, newer trades at the venue count as foreign, and entries stop', async () => {
    const account = await opened();
    await boughtPosition(account);
    const foreign = (id: string) => ({ tokenId: YES, side: 'buy' as const, clientOrderId: id });
    account.venue.foreign({ ...foreign(randomUUID()), amount: '200', price: '0.5', fee: '0.5' });
    account.venue.foreignOrders.push({
      ...foreign(randomUUID()),
      venueOrderId: 'newer',
      amount: '5',
      limitPrice: '0.5',
      filledAmount: '0',
      placedAt: null,
    });
    await reconcileQuiet(account);
    await reconcileQuiet(account, 61_000);
    expect((await openDifferences(account)).map(({ kind }) => kind).sort()).toEqual([
      'external_fill',
      'external_order',
    ]);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });
});

describe('the end of a market', () => {
  const equityOf = async ({ work }: Account) => (await accountNow(work)).equity;

  test.each([
    ['pays 0.37', '0.37'],
    ['is void and pays 0.5', '0.5'],
  ])('row 93: %s while an order rests: the order ends first, and it is booked once', async (_, value) => {
    const account = await opened();
    const tokenId = `KXEND${value.replace('.', '')}-26:yes`;
    await addInstrument(fixture.db, tokenId);
    await fixture.quote(tokenId);
    const bought = await restingOrder(account, { tokenId });
    account.venue.fill(bought, { amount: '10' }, 'filled');
    await reconcile(account);
    const rests = await restingOrder(account, { tokenId, limitPrice: '0.4', amount: '5' });
    await fixture.closeMarket(tokenId, value);
    expect(await settleHolding(account.work, tokenId)).toBe(false);
    await cancelAtVenue(account.work, account.venue, rests);
    expect((await fixture.order(rests)).status).toBe('canceled');
    // The venue pays before the books do.
    account.venue.gone.add(tokenId);
    account.venue.paid.push(exact(value).times(10));
    await reconcileQuiet(account);
    expect((await openDifferences(account)).map(({ kind }) => kind)).toContain('lag');
    expect(await settleHolding(account.work, tokenId)).toBe(true);
    expect(await settleHolding(account.work, tokenId)).toBe(true);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
    expect(await cashMoves(account)).toHaveLength(1);
    expect(await heldOf(account)).toEqual([]);
  });

  test('row 94: a win at venue B redeemed a week later: settled at once, cash only then, listed until then', async () => {
    const account = await opened({ currency: 'pUSD', venue: 'venue-b' });
    const won = '4242424242424242';
    await addInstrument(fixture.db, won, { venue: 'venue-b', market: '0xe', min_size: '1' });
    await fixture.quote(won);
    const bought = await restingOrder(account, { tokenId: won });
    account.venue.fill(bought, { amount: '10' }, 'filled');
    await reconcileQuiet(account, 301_000);
    await fixture.closeMarket(won, '1');
    const before = await accountNow(account.work);
    expect(await settleHolding(account.work, won)).toBe(true);
    const after = await accountNow(account.work);
    expect(after.cash).toBe(before.cash);
    expect(exact(after.totalPnl).minus(before.totalPnl).gt(0)).toBe(true);
    expect(exact(after.equity).minus(after.cash).toFixed()).toBe('10');
    for (let day = 0; day < 7; day++) {
      await reconcileQuiet(account, 86_400_000);
      expect(await openDifferences(account)).toMatchObject([
        { subject: `unredeemed:${won}`, kind: 'unredeemed', worth: '10.000000000000' },
      ]);
    }
    const equity = await equityOf(account);
    account.venue.gone.add(won);
    account.venue.paid.push(exact(10));
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
    expect((await cashMoves(account)).at(-1)).toEqual({ kind: 'redemption', amount: '10.000000000000' });
    expect(await equityOf(account)).toBe(equity);
    expect((await accountNow(account.work)).cash).toBe(equity);
    expect((await stateOf(account)).state).toBe('ready');
  });
});
