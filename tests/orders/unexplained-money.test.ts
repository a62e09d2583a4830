/** A venue that moves money without a record: each case is found, named and stops entries, and none is booked automatically. */
import { describe, expect, test } from 'vitest';
import { exact } from '../../engine/platform/decimal.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
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
import { intentOf, LIVE_SETTINGS, YES } from '../support/trading-fixture.ts';

const { fixture, opened } = liveAccounts();

async function denied({ work, trader }: Account): Promise<void> {
  const { status } = await proposeIntent(work, intentOf(trader, { amount: '1000000' }), LIVE_SETTINGS);
  expect(status).toBe('denied');
}
const cashRows = async (account: Account) =>
  (await openDifferences(account)).filter(({ subject }) => subject === 'cash:USD');

describe('money that leaves without a record', () => {
  test('is unexplained at once, and stops entries after a minute, even while order after order is denied', async () => {
    const account = await opened();
    account.venue.paid.push(exact(-300));
    for (let look = 0; look < 3; look++) {
      await denied(account);
      await reconcile(account);
      expect(await cashRows(account)).toMatchObject([{ kind: 'unexplained', worth: '300.000000000000' }]);
      expect(await cashMoves(account)).toHaveLength(1);
      fixture.wait(31_000);
      await fixture.quote(YES);
    }
    await reconcile(account);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
  });

  test('is unexplained beyond what orders under way can explain, at the very next comparison', async () => {
    const account = await opened();
    await restingOrder(account);
    account.venue.paid.push(exact(-300));
    await reconcile(account);
    const [row] = await cashRows(account);
    expect(row).toMatchObject({ kind: 'unexplained' });
    // Ten at 0.5 and their fee may have been bought by now; the rest may not.
    expect(Number(row?.worth)).toBeGreaterThan(294);
    expect(Number(row?.worth)).toBeLessThan(296);
  });

  test('within the cost of an order under way passes for a minute, not longer, whatever is sent meanwhile', async () => {
    const account = await opened();
    await restingOrder(account, { amount: '400' });
    account.venue.paid.push(exact(-150));
    await reconcile(account);
    expect(await cashRows(account)).toMatchObject([{ kind: 'in_flight' }]);
    for (let look = 0; look < 3; look++) {
      fixture.wait(25_000);
      await fixture.quote(YES);
      await restingOrder(account, { amount: '1' });
      await reconcile(account);
    }
    expect(await cashRows(account)).toMatchObject([{ kind: 'unexplained' }]);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
  });

  test('is unexplained within two minutes and stops entries within three, while the account trades through 200 USD each 7 s for five', {
    tags: ['long'],
  }, async () => {
    const account = await opened();
    const trade = async (side: 'buy' | 'sell') => {
      const id =
        side === 'buy'
          ? (
              await proposeIntent(
                account.work,
                intentOf(account.trader, { amount: '400', timeInForce: 'ioc' }),
                LIVE_SETTINGS,
              )
            ).id
          : (await closePosition(account.work, { tokenId: YES, amount: '400' }, LIVE_SETTINGS)).intentId;
      if ((await fixture.order(id)).status === 'denied') return 'denied';
      await sendOrder(account.work, account.venue, id);
      account.venue.fill(id, { amount: '400' }, 'filled');
      return 'filled';
    };
    const seen: { seconds: number; kind: string | undefined; state: string }[] = [];
    for (let seconds = 0, isHeld = false; seconds < 300; seconds += 7) {
      if (seconds === 35) account.venue.paid.push(exact(-150));
      const traded = await trade(isHeld ? 'sell' : 'buy');
      if (traded === 'filled') isHeld = !isHeld;
      await reconcile(account);
      const [row] = await cashRows(account);
      seen.push({ seconds, kind: row?.kind, state: (await stateOf(account)).state });
      fixture.wait(7_000);
      await fixture.quote(YES);
    }
    const first = (is: (each: (typeof seen)[number]) => boolean) => seen.find(is)?.seconds ?? Infinity;
    expect(first(({ kind }) => kind !== undefined)).toBe(35);
    expect(first(({ kind }) => kind === 'unexplained')).toBeLessThanOrEqual(35 + 120);
    expect(first(({ state }) => state === 'reduce_only')).toBeLessThanOrEqual(35 + 180);
    expect(await cashRows(account)).toMatchObject([{ kind: 'unexplained', worth: '150.000000000000' }]);
  });
});

describe('a venue that acts otherwise than it reports', () => {
  test.each([
    ['charges another price than it states', '-250'],
    ['pays a settlement once more', '250'],
    ['takes a hidden fee above all that were stated', '-60'],
  ])('%s: unexplained, booked by a person only', async (_, amount) => {
    const account = await opened();
    await boughtPosition(account);
    const before = (await cashMoves(account)).length;
    account.venue.paid.push(exact(amount));
    await reconcileQuiet(account);
    await reconcileQuiet(account, 61_000);
    expect(await cashRows(account)).toMatchObject([
      { kind: 'unexplained', worth: exact(amount).abs().toFixed(12) },
    ]);
    expect(await cashMoves(account)).toHaveLength(before);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });
});

test('a new account takes its opening balance over, whatever was denied before', async () => {
  const account = await opened({ money: '250.5', before: denied });
  expect(await cashMoves(account)).toEqual([{ kind: 'transfer', amount: '250.500000000000' }]);
  expect(await openDifferences(account)).toEqual([]);
});

test('an account is taken over once: money missing later is no opening balance, whatever its cursor states', async () => {
  const account = await opened();
  account.venue.paid.push(exact(-300));
  await fixture.db
    .updateTable('venue_cursor')
    .set({ agreed_at: null })
    .where('connection_id', '=', account.connectionId)
    .execute();
  await reconcileQuiet(account);
  expect(await cashMoves(account)).toHaveLength(1);
  expect(await cashRows(account)).toMatchObject([{ kind: 'unexplained', worth: '300.000000000000' }]);
});

test('a deposit that the opening balance contains is not booked again', async () => {
  const account = await opened({
    before: async ({ venue }) => {
      venue.transfer('100');
    },
  });
  expect(await cashMoves(account)).toEqual([{ kind: 'transfer', amount: '1100.000000000000' }]);
  account.venue.paid.push(exact(100));
  await reconcileQuiet(account);
  expect(await cashMoves(account)).toHaveLength(1);
  expect(await cashRows(account)).toMatchObject([{ kind: 'unexplained' }]);
});
