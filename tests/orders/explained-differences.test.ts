/** A difference between a venue account and its books after a person has resolved it. */
import { describe, expect, test } from 'vitest';
import { accountNow } from '../../engine/books/accounting/portfolio.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { resolveDifference } from '../../engine/trading/reconciliation/resolve.ts';
import {
  type Account,
  boughtPosition,
  cashMoves,
  differences,
  heldOf,
  liveAccounts,
  openDifferences,
  reconcile,
  reconcileQuiet,
  restingOrder,
  stateOf,
} from '../support/live-accounts.ts';
import { YES } from '../support/trading-fixture.ts';

const { fixture, opened } = liveAccounts();

describe("a person's resolution of a difference", () => {
  const decide = async (account: Account, as: 'adjustment' | 'explained', subject?: string) => {
    const open = await openDifferences(account);
    const row = subject === undefined ? open[0] : open.find((each) => each.subject === subject);
    if (row === undefined) throw new Error('Nothing is open.');
    const ids = { connectionId: account.connectionId, differenceId: row.id };
    return resolveDifference(account.trader.work(), ids, { as, note: 'Seen.' });
  };
  const actions = async ({ trader }: Account) =>
    (
      await fixture.db
        .selectFrom('audit_event')
        .select(['action', 'actor'])
        .where('account_id', '=', trader.accountId)
        .where('mode', '=', 'live')
        .orderBy('at')
        .execute()
    ).map(({ action, actor }) => `${action} ${actor}`);

  test('row 90: a sale by hand of a holding is booked as an adjustment at its price; entries are allowed again', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '10', price: '0.3', fee: '0.15' });
    await reconcileQuiet(account);
    const resolved = await decide(account, 'adjustment');
    expect(resolved).toMatchObject({ state: 'booked', resolved_by: 'session:tester', note: 'Seen.' });
    expect(await decide(account, 'adjustment').catch(() => 'nothing open')).toBe('nothing open');
    expect(await heldOf(account)).toEqual([]);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
    expect(await cashMoves(account)).toHaveLength(1);
    expect(await actions(account)).toEqual(
      expect.arrayContaining(['position.adjusted session:tester', 'venue_difference.booked session:tester']),
    );
  });

  test('row 73: a netting by hand is booked with the dollar for each pair', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '4', price: '0.6', fee: '0.07' });
    await reconcileQuiet(account);
    await decide(account, 'adjustment');
    expect(await heldOf(account)).toEqual([[YES, '6']]);
    const cash = await fixture.db
      .selectFrom('cash_entry')
      .select('amount')
      .where('connection_id', '=', account.connectionId)
      .where('kind', '=', 'netting')
      .execute();
    // A dollar a pair, less 0.40 for each no.
    expect(cash).toEqual([{ amount: '2.400000000000' }]);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
  });

  test('the same resolution once more changes nothing, another one is refused', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '10', price: '0.3' });
    await reconcileQuiet(account);
    const { id: differenceId } = await decide(account, 'adjustment');
    const again = (as: 'adjustment' | 'explained') =>
      resolveDifference(
        account.trader.work(),
        { connectionId: account.connectionId, differenceId },
        {
          as,
          note: null,
        },
      );
    expect(await again('adjustment')).toMatchObject({ note: 'Seen.' });
    await expect(again('explained')).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await heldOf(account)).toEqual([]);
  });

  test('an explained difference stays and no longer counts: fills, positions and money; later changes are new', async () => {
    const account = await opened();
    await boughtPosition(account);
    const other = 'KXOTHER-26:yes';
    account.venue.foreign({ tokenId: other, side: 'buy', amount: '300', price: '0.5' });
    await reconcileQuiet(account);
    await reconcileQuiet(account, 61_000);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    await expect(decide(account, 'adjustment')).rejects.toMatchObject({ code: 'invalid_state' });
    await decide(account, 'explained');
    expect(await stateOf(account)).toEqual({ state: 'ready', code: null });
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);

    account.venue.nextPositions.push(
      ...Array(8).fill([
        { tokenId: YES, amount: '10' },
        { tokenId: other, amount: '250' },
      ]),
    );
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toMatchObject([
      { subject: `position:${other}`, kind: 'unexplained', about: { gap: '-50' } },
    ]);
    await decide(account, 'explained');
    account.venue.nextPositions.splice(0);
    account.venue.nextPositions.push(
      ...Array(8).fill([
        { tokenId: YES, amount: '10' },
        { tokenId: other, amount: '250' },
      ]),
    );
    await reconcileQuiet(account);
    // Fewer of a position that nets would have been paid out: no money came, which is a difference of its own.
    expect(await openDifferences(account)).toMatchObject([{ subject: 'cash:USD', kind: 'unexplained' }]);
    await decide(account, 'explained');
    account.venue.nextPositions.splice(0);
    account.venue.nextPositions.push(
      ...Array(8).fill([
        { tokenId: YES, amount: '10' },
        { tokenId: other, amount: '250' },
      ]),
    );
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
  });

  test('row 69: a fee other than booked is realized once a person has booked it', async () => {
    const account = await opened();
    const id = await restingOrder(account, { amount: '100' });
    account.venue.fill(id, { amount: '100', fee: '1.75' }, 'filled');
    account.venue.paid.push(exact('-0.5'));
    await reconcile(account);
    await reconcileQuiet(account);
    const before = await accountNow(account.work);
    await decide(account, 'adjustment');
    expect((await cashMoves(account)).at(-1)).toEqual({ kind: 'fee_true_up', amount: '-0.500000000000' });
    const after = await accountNow(account.work);
    expect(exact(after.totalPnl).minus(before.totalPnl).toFixed()).toBe('-0.5');
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
  });

  test('a difference that passes on its own, and a foreign order, cannot be booked', async () => {
    const account = await opened();
    account.venue.foreignOrders.push({
      venueOrderId: 'by-hand',
      clientOrderId: null,
      tokenId: YES,
      side: 'buy',
      amount: '20',
      limitPrice: '0.3',
      filledAmount: '0',
      placedAt: null,
    });
    await reconcile(account);
    await expect(decide(account, 'adjustment')).rejects.toMatchObject({ code: 'invalid_state' });
    await decide(account, 'explained');
    await reconcile(account);
    expect(await openDifferences(account)).toEqual([]);
    account.venue.foreignOrders.splice(0);
    await reconcile(account);
    expect((await differences(account)).at(-1)).toMatchObject({ state: 'gone' });
  });
});
