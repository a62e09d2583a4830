import { sql } from 'kysely';
/** Compares a venue account with its books. The tests follow the rows of the table of faults for live trading. */
import { describe, expect, test } from 'vitest';
import { applyBreakerFinding } from '../../engine/trading/connections/apply-breaker-finding.ts';
import { readBreakerFacts } from '../../engine/trading/connections/breaker-facts.ts';
import { loadConnection } from '../../engine/trading/connections/row.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { readDifferencesFinding } from '../../engine/trading/reconciliation/evaluate-differences.ts';
import { reconcileConnection } from '../../engine/trading/reconciliation/reconcile.ts';
import { VenueError } from '../../venues/errors.ts';
import { limitConnections } from '../support/connections.ts';
import {
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
import { intentOf, LIVE_SETTINGS, YES } from '../support/trading-fixture.ts';

const { fixture, opened } = liveAccounts();

describe('the beginning', () => {
  test('row 92: the first balance is one transfer, and the account was compared', async () => {
    const account = await opened({ money: '250.5' });
    expect(await cashMoves(account)).toEqual([{ kind: 'transfer', amount: '250.500000000000' }]);
    expect(await differences(account)).toMatchObject([{ kind: 'transfer', state: 'booked' }]);
    const { reconciled_at } = await loadConnection(account.work, account.connectionId);
    expect(new Date(reconciled_at ?? 0)).toEqual(fixture.now());
    await reconcile(account);
    expect(await cashMoves(account)).toHaveLength(1);
  });

  test('earlier holdings are listed, and stop entries until a person has checked them', async () => {
    const account = await opened({
      before: async ({ venue }) => {
        venue.foreign({
          tokenId: YES,
          side: 'buy',
          amount: '200',
          price: '0.4',
          at: new Date('2020-01-01'),
        });
      },
    });
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toMatchObject([
      { subject: `position:${YES}`, kind: 'external_fill', theirs: '200.000000000000' },
    ]);
    await reconcileQuiet(account, 61_000);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
  });
});

describe('orders', () => {
  test('row 88: an order placed by hand at the venue is listed with its possible cost, and not touched', async () => {
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
    expect(await openDifferences(account)).toMatchObject([
      {
        subject: 'order:by-hand',
        kind: 'external_order',
        theirs: '15.000000000000',
        worth: '4.500000000000',
      },
    ]);
    expect(account.venue.foreignOrders).toEqual([foreign]);
    // Its possible cost counts with the open exposure of the connection.
    const cap = (usd: string) =>
      limitConnections(fixture.db, account.trader.accountId, 'venue-a', { maxOpenNotional: usd });
    await cap('9');
    const denied = await proposeIntent(account.work, intentOf(account.trader), LIVE_SETTINGS);
    expect(denied.status).toBe('denied');
    await cap('9.5');
    const cleared = await proposeIntent(account.work, intentOf(account.trader), LIVE_SETTINGS);
    expect(cleared.status).toBe('queued');
    await cancelOrder(account.work, cleared.id);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
    account.venue.foreignOrders.splice(0);
    await reconcile(account);
    expect((await differences(account)).at(-1)).toMatchObject({ kind: 'external_order', state: 'gone' });
  });

  test('an order that the venue refused, keeps and fills is canceled there, its fills are booked, and entries stop', async () => {
    const account = await opened();
    account.venue.next = 'refuse';
    const { id } = await proposeIntent(account.work, intentOf(account.trader), LIVE_SETTINGS);
    await sendOrder(account.work, account.venue, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'rejected', reason_code: 'refused' });
    account.venue.next = 'answer';
    account.venue.arrive(id);
    account.venue.fill(id, { amount: '4' });
    await reconcileQuiet(account);
    expect(account.venue.state(id)).toMatchObject({ status: 'canceled' });
    expect(await fixture.order(id)).toMatchObject({ status: 'rejected', filled_amount: '4.000000000000' });
    expect(await heldOf(account)).toEqual([[YES, '4']]);
    const facts = await readBreakerFacts(fixture.db, [account.connectionId], fixture.now());
    expect(facts.get(account.connectionId)).toMatchObject({ cameBack: 1 });
  });

  test('such an order that the venue will not cancel holds up no other part of the reconciliation', async () => {
    const account = await opened();
    account.venue.next = 'refuse';
    const { id } = await proposeIntent(account.work, intentOf(account.trader), LIVE_SETTINGS);
    await sendOrder(account.work, account.venue, id);
    account.venue.next = 'answer';
    account.venue.arrive(id);
    const resting = await restingOrder(account);
    account.venue.fill(resting, { amount: '4' });
    account.venue.cancel = () => Promise.reject(VenueError.unavailable('trading is paused'));
    await reconcileQuiet(account);
    expect(await fixture.order(resting)).toMatchObject({ filled_amount: '4.000000000000' });
    expect(await heldOf(account)).toEqual([[YES, '4']]);
  });

  test("row 89: our order that was canceled by hand at the venue is canceled, with the venue's reason", async () => {
    const account = await opened();
    const id = await restingOrder(account);
    const order = account.venue.state(id);
    account.venue.orders.set(id, {
      ...order,
      status: 'canceled',
      reasonCode: 'at_venue',
      reason: 'Canceled at the venue.',
    });
    await reconcileQuiet(account);
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason_code: 'at_venue' });
    expect(await openDifferences(account)).toEqual([]);
  });

  test.each([
    ['cannot determine', false],
    ['has not got', true],
  ])(
    'row 109: an order that the venue %s keeps its known state, and a person is notified',
    async (_, isAbsent) => {
      const account = await opened();
      const id = await restingOrder(account);
      if (isAbsent) account.venue.orders.delete(id);
      else account.venue.isSure = false;
      account.venue.listOpen = async () => [];
      await reconcileQuiet(account);
      expect(await fixture.order(id)).toMatchObject({ status: 'open' });
      expect(await openDifferences(account)).toMatchObject([{ subject: `order:v-${id}`, kind: 'lag' }]);
      await reconcileQuiet(account, 61_000);
      expect(await openDifferences(account)).toMatchObject([{ kind: 'unexplained', worth: null }]);
      expect(await fixture.order(id)).toMatchObject({ status: 'open' });
      expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    },
  );

  test('row 20: fills that never come are a difference, entries stop, and nothing is invented', async () => {
    const account = await opened();
    const id = await restingOrder(account);
    account.venue.orders.set(id, {
      ...account.venue.state(id),
      status: 'canceled',
      filledAmount: '6',
      reasonCode: 'canceled',
    });
    await reconcileQuiet(account);
    expect(await fixture.order(id)).toMatchObject({ status: 'open', filled_amount: '0.000000000000' });
    await reconcileQuiet(account, 61_000);
    expect(await openDifferences(account)).toMatchObject([{ subject: `order:v-${id}`, kind: 'unexplained' }]);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
    account.venue.fill(id, { amount: '6' }, 'canceled');
    await reconcileQuiet(account);
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', filled_amount: '6.000000000000' });
    expect(await openDifferences(account)).toEqual([]);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
  });
});

describe('fills', () => {
  test('row 79: fills without a report are booked from the order itself, once', async () => {
    const account = await opened();
    const id = await restingOrder(account);
    account.venue.fill(id, { amount: '4', fee: '0.07' });
    account.venue.fill(id, { amount: '3' });
    await reconcile(account);
    await reconcile(account);
    expect(await fixture.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '7.000000000000',
    });
    expect(await heldOf(account)).toEqual([[YES, '7']]);
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toEqual([]);
  });

  test('a fill listed before the venue order id is known is ours once the order is found', async () => {
    const account = await opened();
    const { venue } = account;
    const { id } = await proposeIntent(account.work, intentOf(account.trader), LIVE_SETTINGS);
    venue.next = 'lose_answer';
    await sendOrder(account.work, venue, id);
    venue.isSure = false;
    venue.fill(id, { amount: '4' });
    // Venue C lists trades under its own order id only.
    venue.log.push(...venue.log.splice(-1).map((fill) => ({ ...fill, clientOrderId: null })));
    await reconcile(account);
    expect((await openDifferences(account)).map(({ kind }) => kind)).toContain('external_fill');
    venue.isSure = true;
    await reconcileQuiet(account);
    await reconcileQuiet(account);
    expect(await heldOf(account)).toEqual([[YES, '4']]);
    expect(await openDifferences(account)).toEqual([]);
  });

  test('a fill that the order does not show yet is polled until it is booked, even once the list has moved on', async () => {
    const account = await opened();
    const id = await restingOrder(account);
    const before = account.venue.state(id);
    account.venue.fill(id, { amount: '4' });
    const after = account.venue.state(id);
    account.venue.orders.set(id, before);
    await reconcile(account);
    expect((await openDifferences(account)).map(({ subject, kind }) => [subject, kind])).toEqual([
      ['cash:USD', 'in_flight'],
      [`fill:v-${id}:${id}-1`, 'lag'],
      [`position:${YES}`, 'in_flight'],
    ]);
    account.venue.orders.set(id, after);
    await reconcileQuiet(account);
    expect(await heldOf(account)).toEqual([[YES, '4']]);
    expect(await openDifferences(account)).toEqual([]);
  });

  test('row 90: a fill by hand is a difference, entries stop above the tolerance, and positions stay ours', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.foreign({ tokenId: 'KXOTHER-26:yes', side: 'buy', amount: '300', price: '0.5' });
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toMatchObject([
      { kind: 'external_fill', theirs: '300.000000000000', worth: '150.000000000000' },
    ]);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
    await reconcileQuiet(account, 61_000);
    expect(await stateOf(account)).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
    expect(await heldOf(account)).toEqual([[YES, '10']]);
    expect(await cashMoves(account)).toHaveLength(1);
  });

  test('a difference stops entries through a green check, whatever stopped them first', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.foreign({ tokenId: 'KXOTHER-26:yes', side: 'buy', amount: '300', price: '0.5' });
    await reconcileQuiet(account);
    await reconcileQuiet(account, 61_000);
    const { work, connectionId: id } = account;
    const { lease_epoch: epoch } = await loadConnection(work, id);
    const sound = () =>
      applyBreakerFinding(work, { id, epoch, books: readDifferencesFinding }, { kind: 'sound' }).then(() =>
        stateOf(account),
      );
    expect(await sound()).toEqual({ state: 'reduce_only', code: 'unexplained_difference' });
    const stoppedBy = (code: string) =>
      fixture.db.updateTable('venue_connection').set({ state_code: code }).where('id', '=', id).execute();
    await stoppedBy('venue_silent');
    expect(await sound()).toEqual({ state: 'reduce_only', code: 'venue_silent' });
    await stoppedBy('unexplained_difference');
    await sql`with explained as (
        update venue_difference set state = 'explained', resolved_at = ${fixture.now()}, resolved_by = 'session:tester'
        where connection_id = ${id} and state = 'open' returning account_id, id)
      insert into audit_event (account_id, id, at, actor, action, mode, subject_id)
      select account_id, gen_random_uuid(), ${fixture.now()}, 'session:tester', 'venue_difference.explained', 'live', id
      from explained`.execute(fixture.db);
    const brake = { parts: [], isElseSound: () => false };
    await reconcileConnection(work, id, account.venue, brake);
    expect(await stateOf(account)).toMatchObject({ state: 'reduce_only' });
    expect(await sound()).toEqual({ state: 'ready', code: null });
  });

  test('a finding with credentials that were replaced meanwhile does not apply to the new ones', async () => {
    const account = await opened();
    const { work, connectionId: id } = account;
    const { lease_epoch: epoch, credential_version: version } = await loadConnection(work, id);
    const broken = { kind: 'broken', code: 'credentials_not_accepted', reason: 'Not accepted.' } as const;
    await applyBreakerFinding(work, { id, epoch, version: version - 1 }, broken);
    expect(await stateOf(account)).toMatchObject({ state: 'ready' });
    await applyBreakerFinding(work, { id, epoch, version }, broken);
    expect(await stateOf(account)).toMatchObject({ state: 'halted', code: 'credentials_not_accepted' });
  });

  test('row 74: if the venue held less than we sold, the rest stays held here, and is a difference', async () => {
    const account = await opened();
    await boughtPosition(account);
    account.venue.nextPositions.push(...Array(8).fill([{ tokenId: YES, amount: '6' }]));
    await reconcileQuiet(account);
    expect(await openDifferences(account)).toMatchObject([
      { subject: `position:${YES}`, kind: 'unexplained', theirs: '6.000000000000' },
    ]);
    expect(await heldOf(account)).toEqual([[YES, '10']]);
  });
});

test('another account has no access to it, and a connection of another account cannot be compared', async () => {
  const [mine, theirs] = [await opened(), await opened()];
  await expect(
    reconcileConnection(mine.work, theirs.connectionId, mine.venue, { pauseMs: 0 }),
  ).rejects.toThrow();
  await cancelOrder(mine.work, await restingOrder(mine));
  expect(await differences(theirs)).toHaveLength(1);
});
