/** What a venue account and its books come to, compared, row by row of the table of faults that live trading is judged by. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountNow, listPositions } from '../../engine/accounting/portfolio.ts';
import { loadConnection } from '../../engine/connections/row.ts';
import type { Work } from '../../engine/context.ts';
import { exact } from '../../engine/decimal.ts';
import { closePosition } from '../../engine/orders/entry/close.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import { sendOrder } from '../../engine/orders/execution/send.ts';
import { cancelOrder } from '../../engine/orders/lifecycle/cancel.ts';
import { reconcileConnection } from '../../engine/reconciliation/reconcile.ts';
import { type Desk, intentOf, LIVE, openDesk, type Trader, YES } from '../support/desk.ts';
import { ScriptedAccount } from '../support/scripted-account.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await desk.quote(YES);
});
afterAll(() => desk.close());

type Account = {
  trader: Trader;
  work: Work;
  connectionId: string;
  venue: ScriptedAccount;
};

/** A trader with real money at venue A, taken over by a first comparison. */
async function opened(more: ConstructorParameters<typeof ScriptedAccount>[1] = {}): Promise<Account> {
  const trader = await desk.trader();
  await desk.openLive(trader);
  const { id } = await desk.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where('venue', '=', 'venue-a')
    .executeTakeFirstOrThrow();
  // The database's own clock is of another year than the desk's.
  await desk.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update venue_connection set created_at = ${desk.now()} where id = ${id}`.execute(tx);
  });
  const work = { ...desk.workOf(trader.accountId, 'system'), mode: 'live' as const };
  const account = { trader, work, connectionId: id, venue: new ScriptedAccount(desk.now, more) };
  await reconcile(account);
  return account;
}

const reconcile = ({ work, connectionId, venue }: Account) =>
  reconcileConnection(work, connectionId, venue, { wait: async () => undefined });

/** The venue's answer is of another moment than the fills: what has moved lately is not compared. */
async function settled(account: Account, ms = 31_000) {
  desk.wait(ms);
  await desk.quote(YES);
  return reconcile(account);
}

const differences = ({ connectionId }: Account) =>
  desk.db
    .selectFrom('venue_difference')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .orderBy('first_seen')
    .orderBy('subject')
    .execute();
const openOnes = async (account: Account) =>
  (await differences(account)).filter(({ state }) => state === 'open');

const moves = ({ connectionId }: Account) =>
  desk.db
    .selectFrom('cash_entry')
    .select(['kind', 'amount'])
    .where('connection_id', '=', connectionId)
    .where('fill_id', 'is', null)
    .orderBy('seq')
    .execute();

const stateOf = async ({ work, connectionId }: Account) => {
  const { state, state_code } = await loadConnection(work, connectionId);
  return { state, code: state_code };
};

/** An order that rests at the venue. */
async function resting(account: Account, more: Parameters<typeof intentOf>[1] = {}): Promise<string> {
  const { id, status, reason } = await proposeIntent(account.work, intentOf(account.trader, more), LIVE);
  expect([status, reason]).toEqual(['queued', reason]);
  await sendOrder(account.work, account.venue, id);
  expect((await desk.order(id)).status).toBe('open');
  return id;
}

/** Ten YES at 0.50, bought through the connection. */
async function holding(account: Account): Promise<string> {
  const id = await resting(account);
  account.venue.fill(id, { amount: '10', fee: '0.18' }, 'filled');
  await settled(account);
  return id;
}

const heldOf = async ({ work }: Account) =>
  (await listPositions(work)).map(({ tokenId, amount }) => [tokenId, exact(amount).toFixed()]);

describe('the beginning', () => {
  test('row 92: the first balance is one transfer, and the account was compared', async () => {
    const account = await opened({ money: '250.5' });
    expect(await moves(account)).toEqual([{ kind: 'transfer', amount: '250.500000000000' }]);
    expect(await differences(account)).toMatchObject([{ kind: 'transfer', state: 'booked' }]);
    const { reconciled_at } = await loadConnection(account.work, account.connectionId);
    expect(new Date(reconciled_at ?? 0)).toEqual(desk.now());
    await reconcile(account);
    expect(await moves(account)).toHaveLength(1);
  });

  test('what was held there before is shown, and stops entries until a person has looked', async () => {
    const account = await opened();
    account.venue.foreign({
      tokenId: YES,
      side: 'buy',
      amount: '200',
      price: '0.4',
      at: new Date('2020-01-01'),
    });
    await desk.db.deleteFrom('venue_cursor').where('connection_id', '=', account.connectionId).execute();
    await settled(account);
    expect(await openOnes(account)).toMatchObject([
      { subject: `position:${YES}`, kind: 'external_fill', theirs: '200.000000000000' },
    ]);
    await settled(account, 61_000);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
  });
});

describe('orders', () => {
  test('row 88: an order placed by hand at the venue is shown with what it can cost, and not touched', async () => {
    const account = await opened();
    const foreign = {
      venueOrderId: 'by-hand',
      clientOrderId: null,
      tokenId: YES,
      side: 'buy' as const,
      amount: '20',
      limitPrice: '0.3',
      filledAmount: '5',
      placedAt: null,
    };
    account.venue.foreignOrders.push(foreign);
    await reconcile(account);
    await reconcile(account);
    expect(await openOnes(account)).toMatchObject([
      {
        subject: 'order:by-hand',
        kind: 'external_order',
        theirs: '15.000000000000',
        worth: '4.500000000000',
      },
    ]);
    expect(account.venue.foreignOrders).toEqual([foreign]);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
    account.venue.foreignOrders.splice(0);
    await reconcile(account);
    expect((await differences(account)).at(-1)).toMatchObject({ kind: 'external_order', state: 'gone' });
  });

  test('row 89: our order that was canceled by hand at the venue is canceled, for the reason the venue says', async () => {
    const account = await opened();
    const id = await resting(account);
    const order = account.venue.state(id);
    account.venue.orders.set(id, {
      ...order,
      status: 'canceled',
      reasonCode: 'at_venue',
      reason: 'Canceled at the venue.',
    });
    await settled(account);
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', reason_code: 'at_venue' });
    expect(await openOnes(account)).toEqual([]);
  });

  test.each([
    ['cannot tell of', false],
    ['has not got', true],
  ])(
    'row 109: an order that the venue %s stays as it is known, and a person is told',
    async (_, isAbsent) => {
      const account = await opened();
      const id = await resting(account);
      if (isAbsent) account.venue.orders.delete(id);
      else account.venue.isSure = false;
      account.venue.listOpen = async () => [];
      await settled(account);
      expect(await desk.order(id)).toMatchObject({ status: 'open' });
      expect(await openOnes(account)).toMatchObject([{ subject: `order:v-${id}`, kind: 'lag' }]);
      await settled(account, 61_000);
      expect(await openOnes(account)).toMatchObject([{ kind: 'unexplained', worth: null }]);
      expect(await desk.order(id)).toMatchObject({ status: 'open' });
      expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    },
  );

  test('row 20: fills that never come are a difference, entries stop, and nothing is invented', async () => {
    const account = await opened();
    const id = await resting(account);
    account.venue.orders.set(id, {
      ...account.venue.state(id),
      status: 'canceled',
      filledAmount: '6',
      reasonCode: 'canceled',
    });
    await settled(account);
    expect(await desk.order(id)).toMatchObject({ status: 'open', filled_amount: '0.000000000000' });
    await settled(account, 61_000);
    expect(await openOnes(account)).toMatchObject([{ subject: `order:v-${id}`, kind: 'unexplained' }]);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
    account.venue.fill(id, { amount: '6' }, 'canceled');
    await settled(account);
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', filled_amount: '6.000000000000' });
    expect(await openOnes(account)).toEqual([]);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
  });
});

describe('fills', () => {
  test('row 79: fills that nobody told are booked from the order itself, once', async () => {
    const account = await opened();
    const id = await resting(account);
    account.venue.fill(id, { amount: '4', fee: '0.07' });
    account.venue.fill(id, { amount: '3' });
    await reconcile(account);
    await reconcile(account);
    expect(await desk.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '7.000000000000',
    });
    expect(await heldOf(account)).toEqual([[YES, '7']]);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
  });

  test('a fill that the order does not show yet is asked for again until it is booked, also once the list has moved on', async () => {
    const account = await opened();
    const id = await resting(account);
    const before = account.venue.state(id);
    account.venue.fill(id, { amount: '4' });
    const after = account.venue.state(id);
    account.venue.orders.set(id, before);
    await reconcile(account);
    expect((await openOnes(account)).map(({ subject, kind }) => [subject, kind])).toEqual([
      ['cash:USD', 'in_flight'],
      [`fill:v-${id}:${id}-1`, 'lag'],
      [`position:${YES}`, 'in_flight'],
    ]);
    account.venue.orders.set(id, after);
    await settled(account);
    expect(await heldOf(account)).toEqual([[YES, '4']]);
    expect(await openOnes(account)).toEqual([]);
  });

  test('row 90: a fill by hand is a difference, entries stop above the tolerance, and positions stay ours', async () => {
    const account = await opened();
    await holding(account);
    account.venue.foreign({ tokenId: 'KXOTHER-26:yes', side: 'buy', amount: '300', price: '0.5' });
    await settled(account);
    expect(await openOnes(account)).toMatchObject([
      { kind: 'external_fill', theirs: '300.000000000000', worth: '150.000000000000' },
    ]);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
    await settled(account, 61_000);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
    expect(await heldOf(account)).toEqual([[YES, '10']]);
    expect(await moves(account)).toHaveLength(1);
  });

  test('row 73: a purchase of the other side by hand is netted: shown as that, with the dollar for each pair in its money', async () => {
    const account = await opened();
    await holding(account);
    // As venue A tells it: no for 0.40 is a sale of yes at 0.60.
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '4', price: '0.6', fee: '0.07' });
    await settled(account);
    expect(await openOnes(account)).toMatchObject([{ kind: 'netting', theirs: '4.000000000000' }]);
    expect(await moves(account)).toHaveLength(1);
  });

  test('row 26: a late fill of what was resold is unbacked, a difference, and no position is below zero', async () => {
    const account = await opened();
    await holding(account);
    const sell = async () => {
      const { intentId } = await closePosition(account.work, { tokenId: YES, amount: '10' }, LIVE);
      await sendOrder(account.work, account.venue, intentId);
      return intentId;
    };
    const first = await sell();
    await account.venue.cancel({ id: first });
    await settled(account);
    expect(await desk.order(first)).toMatchObject({ status: 'canceled' });
    const second = await sell();
    account.venue.fill(second, { amount: '10' }, 'filled');
    account.venue.fill(first, { amount: '10' }, 'canceled');
    await settled(account);
    expect(await heldOf(account)).toEqual([]);
    await settled(account);
    expect(await openOnes(account)).toEqual(
      expect.arrayContaining([expect.objectContaining({ subject: `position:${YES}`, kind: 'unexplained' })]),
    );
    await settled(account, 61_000);
    expect(await desk.order(first)).toMatchObject({ filled_amount: '10.000000000000' });
  });

  test('row 74: what the venue held less of than we sold stays held here, and is a difference', async () => {
    const account = await opened();
    await holding(account);
    account.venue.nextPositions.push(...Array(8).fill([{ tokenId: YES, amount: '6' }]));
    await settled(account);
    expect(await openOnes(account)).toMatchObject([
      { subject: `position:${YES}`, kind: 'unexplained', theirs: '6.000000000000' },
    ]);
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });
});

describe('holdings and money', () => {
  test('row 91: positions that cannot be read, or are empty once, are never flat', async () => {
    const account = await opened();
    await holding(account);
    account.venue.nextPositions.push('fail');
    await expect(settled(account)).rejects.toThrow('connection reset');
    account.venue.nextPositions.push([]);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
    account.venue.nextPositions.push([], [], []);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
    expect(await heldOf(account)).toEqual([[YES, '10']]);
    account.venue.nextPositions.push([], [], [], []);
    await settled(account);
    expect(await openOnes(account)).toMatchObject([
      { subject: `position:${YES}`, kind: 'unexplained', theirs: '0.000000000000' },
    ]);
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });

  test('while an order is under way nothing is concluded from what differs', async () => {
    const account = await opened();
    const id = await resting(account);
    account.venue.fill(id, { amount: '10' }, 'filled');
    await reconcile(account);
    account.venue.paid.push(exact(5));
    await reconcile(account);
    expect((await openOnes(account)).map(({ kind }) => kind)).toEqual(['in_flight']);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
    expect((await moves(account)).at(-1)).toEqual({ kind: 'transfer', amount: '5.000000000000' });
  });

  test('rows 53 and 92: a deposit and a withdrawal are transfers, and neither is a profit or a loss', async () => {
    const account = await opened();
    await holding(account);
    const before = await accountNow(account.work);
    for (const amount of ['500', '-300']) {
      account.venue.paid.push(exact(amount));
      await settled(account);
      expect((await moves(account)).at(-1)).toEqual({ kind: 'transfer', amount: exact(amount).toFixed(12) });
    }
    const after = await accountNow(account.work);
    expect(after.totalPnl).toBe(before.totalPnl);
    expect(exact(after.cash).minus(before.cash).toFixed()).toBe('200');
    const [day] = await desk.db
      .selectFrom('account_day')
      .select('realized_pnl')
      .where('account_id', '=', account.trader.accountId)
      .where('mode', '=', 'live')
      .execute();
    expect(day).toEqual({ realized_pnl: '-0.180000000000' });
  });

  test('row 69: a fee that was another than booked waits for a person, unless it is next to nothing', async () => {
    const account = await opened();
    await holding(account);
    const id = await resting(account, { limitPrice: '0.5', amount: '100' });
    account.venue.fill(id, { amount: '100', fee: '1.75' }, 'filled');
    await reconcile(account);
    account.venue.paid.push(exact('-0.5'));
    await settled(account);
    expect(await openOnes(account)).toMatchObject([
      { subject: 'cash:USD', kind: 'fee', worth: '0.500000000000' },
    ]);
    expect(await moves(account)).toHaveLength(1);
  });

  test('row 87: after a backup of yesterday, what is newer at the venue is of others, and entries stop', async () => {
    const account = await opened();
    await holding(account);
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
    await settled(account);
    await settled(account, 61_000);
    expect((await openOnes(account)).map(({ kind }) => kind).sort()).toEqual([
      'external_fill',
      'external_order',
    ]);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });
});

test('another account sees nothing of it, and a connection of another account cannot be compared', async () => {
  const [mine, theirs] = [await opened(), await opened()];
  await expect(
    reconcileConnection(mine.work, theirs.connectionId, mine.venue, { wait: async () => undefined }),
  ).rejects.toThrow();
  await cancelOrder(mine.work, await resting(mine));
  expect(await differences(theirs)).toHaveLength(1);
});
