/** What a venue account and its books come to, compared, row by row of the table of faults that live trading is judged by. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Venue } from '../../db/vocabulary.ts';
import { accountNow, listPositions } from '../../engine/accounting/portfolio.ts';
import { applyFinding } from '../../engine/connections/findings.ts';
import { loadConnection } from '../../engine/connections/row.ts';
import type { Work } from '../../engine/context.ts';
import { exact } from '../../engine/decimal.ts';
import { closePosition } from '../../engine/orders/entry/close.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import { cancelAtVenue, sendOrder } from '../../engine/orders/execution/send.ts';
import { cancelOrder } from '../../engine/orders/lifecycle/cancel.ts';
import { settleAccount } from '../../engine/positions/settle.ts';
import { findDifferences } from '../../engine/reconciliation/judge.ts';
import { reconcileConnection } from '../../engine/reconciliation/reconcile.ts';
import { resolveDifference } from '../../engine/reconciliation/resolve.ts';
import { addInstrument, type Desk, intentOf, LIVE, openDesk, type Trader, YES } from '../support/desk.ts';
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
async function opened({
  venue = 'venue-a',
  ...more
}: ConstructorParameters<typeof ScriptedAccount>[1] & { venue?: Venue } = {}): Promise<Account> {
  const trader = await desk.trader();
  await desk.openLive(trader);
  const { id } = await desk.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where('venue', '=', venue)
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
  reconcileConnection(work, connectionId, venue, { pauseMs: 0 });

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
    // What it may cost counts with what may be open through the connection.
    const cap = (usd: string) =>
      desk.db
        .updateTable('venue_connection')
        .set({ max_open_notional: usd })
        .where('id', '=', account.connectionId)
        .execute();
    await cap('9');
    const denied = await proposeIntent(account.work, intentOf(account.trader), LIVE);
    expect(denied.status).toBe('denied');
    await cap('9.5');
    const cleared = await proposeIntent(account.work, intentOf(account.trader), LIVE);
    expect(cleared.status).toBe('queued');
    await cancelOrder(account.work, cleared.id);
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

  test('what differs keeps entries out through a check that is green, whatever they were stopped for first', async () => {
    const account = await opened();
    await holding(account);
    account.venue.foreign({ tokenId: 'KXOTHER-26:yes', side: 'buy', amount: '300', price: '0.5' });
    await settled(account);
    await settled(account, 61_000);
    const { work, connectionId: id } = account;
    const { lease_epoch: epoch } = await loadConnection(work, id);
    const sound = () =>
      applyFinding(work, { id, epoch, books: findDifferences }, { kind: 'sound' }).then(() =>
        stateOf(account),
      );
    expect(await sound()).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
    const stoppedBy = (code: string) =>
      desk.db.updateTable('venue_connection').set({ state_code: code }).where('id', '=', id).execute();
    await stoppedBy('venue_silent');
    expect(await sound()).toEqual({ state: 'reduce_only', code: 'venue_silent' });
    await stoppedBy('unexplained_difference');
    await desk.db
      .updateTable('venue_difference')
      .set({ state: 'explained', resolved_at: desk.now(), resolved_by: 'session:tester' })
      .where('connection_id', '=', id)
      .where('state', '=', 'open')
      .execute();
    const brake = { parts: [], isElseSound: () => false };
    await reconcileConnection(work, id, account.venue, brake);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    expect(await sound()).toEqual({ state: 'ready', code: null });
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

describe('what a person says of a difference', () => {
  const decide = async (account: Account, as: 'adjustment' | 'explained', subject?: string) => {
    const open = await openOnes(account);
    const row = subject === undefined ? open[0] : open.find((each) => each.subject === subject);
    if (row === undefined) throw new Error('Nothing is open.');
    const ids = { connectionId: account.connectionId, differenceId: row.id };
    return resolveDifference(account.trader.work(), ids, { as, note: 'Seen.' });
  };
  const actions = async ({ trader }: Account) =>
    (
      await desk.db
        .selectFrom('audit_event')
        .select(['action', 'actor'])
        .where('account_id', '=', trader.accountId)
        .where('mode', '=', 'live')
        .orderBy('at')
        .execute()
    ).map(({ action, actor }) => `${action} ${actor}`);

  test('row 90: a sale by hand of what we hold is booked as an adjustment at its price; entries are given back', async () => {
    const account = await opened();
    await holding(account);
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '10', price: '0.3', fee: '0.15' });
    await settled(account);
    const resolved = await decide(account, 'adjustment');
    expect(resolved).toMatchObject({ state: 'booked', resolved_by: 'session:tester', note: 'Seen.' });
    expect(await decide(account, 'adjustment').catch(() => 'nothing open')).toBe('nothing open');
    expect(await heldOf(account)).toEqual([]);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
    expect(await moves(account)).toHaveLength(1);
    expect(await actions(account)).toEqual(
      expect.arrayContaining(['position.adjusted session:tester', 'venue_difference.booked session:tester']),
    );
  });

  test('row 73: what was netted by hand is booked with the dollar for each pair', async () => {
    const account = await opened();
    await holding(account);
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '4', price: '0.6', fee: '0.07' });
    await settled(account);
    await decide(account, 'adjustment');
    expect(await heldOf(account)).toEqual([[YES, '6']]);
    const cash = await desk.db
      .selectFrom('cash_entry')
      .select('amount')
      .where('connection_id', '=', account.connectionId)
      .where('kind', '=', 'netting')
      .execute();
    // A dollar a pair, less 0.40 for each no.
    expect(cash).toEqual([{ amount: '2.400000000000' }]);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
  });

  test('the same word once more changes nothing, another one is refused', async () => {
    const account = await opened();
    await holding(account);
    account.venue.foreign({ tokenId: YES, side: 'sell', amount: '10', price: '0.3' });
    await settled(account);
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

  test('what is explained stays and counts no more: fills, positions and money; what changes after it is new', async () => {
    const account = await opened();
    await holding(account);
    const other = 'KXOTHER-26:yes';
    account.venue.foreign({ tokenId: other, side: 'buy', amount: '300', price: '0.5' });
    await settled(account);
    await settled(account, 61_000);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    await expect(decide(account, 'adjustment')).rejects.toMatchObject({ code: 'invalid_state' });
    await decide(account, 'explained');
    expect(await stateOf(account)).toEqual({ state: 'ready', code: null });
    await settled(account);
    expect(await openOnes(account)).toEqual([]);

    account.venue.nextPositions.push(
      ...Array(8).fill([
        { tokenId: YES, amount: '10' },
        { tokenId: other, amount: '250' },
      ]),
    );
    await settled(account);
    expect(await openOnes(account)).toMatchObject([
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
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
  });

  test('row 69: a fee that was another than booked is realized once a person has booked it', async () => {
    const account = await opened();
    const id = await resting(account, { amount: '100' });
    account.venue.fill(id, { amount: '100', fee: '1.75' }, 'filled');
    account.venue.paid.push(exact('-0.5'));
    await reconcile(account);
    await settled(account);
    const before = await accountNow(account.work);
    await decide(account, 'adjustment');
    expect((await moves(account)).at(-1)).toEqual({ kind: 'fee_true_up', amount: '-0.500000000000' });
    const after = await accountNow(account.work);
    expect(exact(after.totalPnl).minus(before.totalPnl).toFixed()).toBe('-0.5');
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
  });

  test('what passes by itself and what is of others at the venue cannot be booked', async () => {
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
    expect(await openOnes(account)).toEqual([]);
    account.venue.foreignOrders.splice(0);
    await reconcile(account);
    expect((await differences(account)).at(-1)).toMatchObject({ state: 'gone' });
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
    await addInstrument(desk.db, tokenId);
    await desk.quote(tokenId);
    const bought = await resting(account, { tokenId });
    account.venue.fill(bought, { amount: '10' }, 'filled');
    await reconcile(account);
    const rests = await resting(account, { tokenId, limitPrice: '0.4', amount: '5' });
    await desk.closeMarket(tokenId, value);
    expect(await settleAccount(account.work, tokenId)).toBe(false);
    await cancelAtVenue(account.work, account.venue, rests);
    expect((await desk.order(rests)).status).toBe('canceled');
    // The venue pays before the books do.
    account.venue.gone.add(tokenId);
    account.venue.paid.push(exact(value).times(10));
    await settled(account);
    expect((await openOnes(account)).map(({ kind }) => kind)).toContain('lag');
    expect(await settleAccount(account.work, tokenId)).toBe(true);
    expect(await settleAccount(account.work, tokenId)).toBe(true);
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
    expect(await moves(account)).toHaveLength(1);
    expect(await heldOf(account)).toEqual([]);
  });

  test('row 94: won at venue B and redeemed a week later: settled at once, cash only then, listed until then', async () => {
    const account = await opened({ currency: 'pUSD', venue: 'venue-b' });
    const won = '4242424242424242';
    await addInstrument(desk.db, won, { venue: 'venue-b', market: '0xe', min_size: '1' });
    await desk.quote(won);
    const bought = await resting(account, { tokenId: won });
    account.venue.fill(bought, { amount: '10' }, 'filled');
    await settled(account, 301_000);
    await desk.closeMarket(won, '1');
    const before = await accountNow(account.work);
    expect(await settleAccount(account.work, won)).toBe(true);
    const after = await accountNow(account.work);
    expect(after.cash).toBe(before.cash);
    expect(exact(after.totalPnl).minus(before.totalPnl).gt(0)).toBe(true);
    expect(exact(after.equity).minus(after.cash).toFixed()).toBe('10');
    for (let day = 0; day < 7; day++) {
      await settled(account, 86_400_000);
      expect(await openOnes(account)).toMatchObject([
        { subject: `unredeemed:${won}`, kind: 'unredeemed', worth: '10.000000000000' },
      ]);
    }
    const equity = await equityOf(account);
    account.venue.gone.add(won);
    account.venue.paid.push(exact(10));
    await settled(account);
    expect(await openOnes(account)).toEqual([]);
    expect((await moves(account)).at(-1)).toEqual({ kind: 'redemption', amount: '10.000000000000' });
    expect(await equityOf(account)).toBe(equity);
    expect((await accountNow(account.work)).cash).toBe(equity);
    expect((await stateOf(account)).state).toBe('ready');
  });
});

test('another account sees nothing of it, and a connection of another account cannot be compared', async () => {
  const [mine, theirs] = [await opened(), await opened()];
  await expect(
    reconcileConnection(mine.work, theirs.connectionId, mine.venue, { pauseMs: 0 }),
  ).rejects.toThrow();
  await cancelOrder(mine.work, await resting(mine));
  expect(await differences(theirs)).toHaveLength(1);
});
