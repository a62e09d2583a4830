/** Reports of a venue on an account that is locked: refused at first, and repeated by the next comparison or poll. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPool, type Pool, systemDb } from '../../db/pool.ts';
import { openWork } from '../../engine/platform/context.ts';
import { cancelAtVenue } from '../../engine/trading/orders/execution/send.ts';
import { applyVenueEvent } from '../../engine/trading/orders/execution/venue-events.ts';
import {
  type Account,
  openAccount,
  openDifferences,
  reconcile,
  restingOrder,
} from '../support/live-accounts.ts';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let impatient: Pool;
beforeAll(async () => {
  impatient = await openPool(fixture.database.connection, { lockTimeoutMs: 100 });
});
beforeEach(() => fixture.quote(YES));
afterAll(() => impatient.close());

/** Runs `act` while another process holds the account's lock. */
const whileLocked = ({ work: { accountId } }: Account, act: () => Promise<void>) =>
  systemDb(fixture.pool)
    .transaction()
    .execute(async (tx) => {
      await sql`select id from account where id = ${accountId} for no key update`.execute(tx);
      await act();
    });

function inHaste({ work: { db: _, ...caller } }: Account) {
  return openWork(impatient, caller);
}
const fillsOf = (id: string) =>
  fixture.db.selectFrom('fill').select(['amount']).where('order_id', '=', id).execute();

test("a stream's fill on a busy account is refused, and booked once by the next comparison", async () => {
  const account = await openAccount(fixture);
  const id = await restingOrder(account);
  account.venue.fill(id, { amount: '4', fee: '0.07' });
  const [fill] = account.venue.log;
  if (fill === undefined) throw new Error('Nothing was filled.');
  await whileLocked(account, async () => {
    const taken = applyVenueEvent(inHaste(account), account.connectionId, { kind: 'fill', fill });
    await expect(taken).rejects.toMatchObject({ code: 'overloaded' });
  });
  expect(await fillsOf(id)).toEqual([]);
  await reconcile(account);
  expect(await fillsOf(id)).toEqual([{ amount: '4.000000000000' }]);
  await applyVenueEvent(account.work, account.connectionId, { kind: 'fill', fill });
  expect(await fillsOf(id)).toHaveLength(1);
  expect(await openDifferences(account)).toEqual([]);
});

test('a response that finds its account busy is requested again, and the order ends as its venue reports', async () => {
  const account = await openAccount(fixture);
  const id = await restingOrder(account);
  account.venue.fill(id, { amount: '10', fee: '0.18' }, 'filled');
  const brokers = { of: () => account.venue };
  await whileLocked(account, async () => {
    const canceled = cancelAtVenue(inHaste(account), brokers, id);
    await expect(canceled).rejects.toMatchObject({ code: 'overloaded' });
  });
  expect((await fixture.order(id)).status).toBe('open');
  await reconcile(account);
  expect(await fixture.order(id)).toMatchObject({ status: 'filled', filled_amount: '10.000000000000' });
  expect(await fillsOf(id)).toHaveLength(1);
});
