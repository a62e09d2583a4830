/**
 * Row 84: a process dies at any point of a comparison of a venue account with its books: before, after or during a response of
 * the venue, or inside a transaction. The next comparison arrives at the same books.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { reconcileConnection } from '../../engine/trading/reconciliation/reconcile.ts';
import { MortalProcess } from '../support/mortal-process.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedAccount } from '../support/scripted-account.ts';
import { intentOf, LIVE_SETTINGS, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);

type Account = { readonly work: Work; readonly connectionId: string; readonly venue: ScriptedAccount };

const compare = ({ work, connectionId, venue }: Account, mortal: MortalProcess | null = null) =>
  reconcileConnection(
    mortal === null ? work : { ...work, clock: mortal.clock },
    connectionId,
    mortal === null ? venue : mortal.broker(venue),
    { pauseMs: 0 },
  );

/** An account with every kind of finding: an unreported fill, an order canceled by hand, a foreign fill, and a deposit. */
async function eventful(): Promise<Account> {
  await fixture.quote(YES);
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  const { id: connectionId } = await fixture.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where('venue', '=', 'venue-a')
    .executeTakeFirstOrThrow();
  await fixture.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update venue_connection set created_at = ${fixture.now()} where id = ${connectionId}`.execute(
      tx,
    );
  });
  const work = { ...fixture.workOf(trader.accountId, 'system'), mode: 'live' as const };
  const account = { work, connectionId, venue: new ScriptedAccount(fixture.now) };
  await compare(account);
  const resting = async () => {
    const { id } = await proposeIntent(work, intentOf(trader), LIVE_SETTINGS);
    await sendOrder(work, account.venue, id);
    return id;
  };
  account.venue.fill(await resting(), { amount: '4', fee: '0.07' });
  await account.venue.cancel({ id: await resting() });
  account.venue.foreign({ tokenId: 'KXOTHER-26:yes', side: 'buy', amount: '3', price: '0.5' });
  fixture.wait(31_000);
  return account;
}

/** All bookings and findings, without names. */
async function booksOf({ work, connectionId }: Account) {
  const rows = async (table: 'cash_entry' | 'fill' | 'venue_difference') => {
    const found = await fixture.db
      .selectFrom(table)
      .selectAll()
      .where('connection_id', '=', connectionId)
      .execute();
    return found
      .filter((row) => !('state' in row) || row.state !== 'gone')
      .map((row) => {
        const { kind, amount, state } = row as { kind: string; amount?: string; state?: string };
        return `${table} ${kind} ${amount ?? ''} ${state ?? ''}`;
      })
      .sort();
  };
  const { cash, realized_pnl } = await fixture.db
    .selectFrom('trading_account')
    .select(['cash', 'realized_pnl'])
    .where('account_id', '=', work.accountId)
    .where('mode', '=', 'live')
    .executeTakeFirstOrThrow();
  const orders = await fixture.db
    .selectFrom('trade_order')
    .select(['status', 'filled_amount'])
    .where('account_id', '=', work.accountId)
    .orderBy('filled_amount')
    .execute();
  const lines = [await rows('cash_entry'), await rows('fill'), await rows('venue_difference')];
  return { cash, realized_pnl, orders, lines };
}

/** Compares until nothing changes: new findings have to be quiet before money is compared. */
async function finish(account: Account): Promise<void> {
  await compare(account);
  fixture.wait(31_000);
  account.venue.transfer('50');
  await compare(account);
}

test('row 84: killed at every await of a comparison: the same books, and nothing booked twice', {
  tags: ['long'],
}, async () => {
  const whole = await eventful();
  await finish(whole);
  const expected = await booksOf(whole);
  expect(expected.lines.flat()).toEqual(
    expect.arrayContaining([expect.stringMatching(/transfer 50/), expect.stringMatching(/fill trade 4/)]),
  );
  let lastStep = Number.POSITIVE_INFINITY;
  for (let dyingAt = 1; dyingAt <= lastStep; dyingAt++) {
    const account = await eventful();
    const mortal = new MortalProcess(dyingAt, fixture.clock);
    await compare(account, mortal).catch((error: unknown) => {
      if (!mortal.isDead) throw error;
    });
    if (!mortal.isDead) lastStep = dyingAt;
    // The successor may die anywhere too.
    const heir = new MortalProcess(1 + (dyingAt % 7), fixture.clock);
    await compare(account, heir).catch((error: unknown) => {
      if (!heir.isDead) throw error;
    });
    await finish(account);
    expect(await booksOf(account), `killed at step ${dyingAt}`).toEqual(expected);
  }
  expect(lastStep).toBeGreaterThan(15);
});
