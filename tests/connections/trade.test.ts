/** A live order from creation to its books, through HTTP, PostgreSQL and the simulated venues. */
import { beforeAll, expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import {
  approve,
  connectReady,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  propose,
  tokenOf,
  waitForStatus,
} from '../support/live.ts';

import { openedForFile } from '../support/opened.ts';

const world = openedForFile(openLiveWorld);
let trader: LiveTrader;
beforeAll(async () => {
  trader = await openLiveTrader(world);
});

/** Every text in credentials and in their parts; a key of several lines by its longest one, as a log would break it. */
const secretsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value.split('\n').sort((a, b) => b.length - a.length)[0] ?? value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : [];
};
const secrets: string[] = [];

test.each(VENUE_IDS)('%s: connected, checked, approved, filled at the venue and booked', async (venue) => {
  const member = createDemoAccount(venue);
  secrets.push(...secretsOf(member.credentials));
  const { id, checks } = await connectReady(world, trader, venue, member);
  expect(checks.filter(({ state }) => state === 'red')).toEqual([]);
  const pending = await propose(world, trader, await tokenOf(world, venue));
  expect(pending).toMatchObject({ status: 'pending', connection_id: id });
  expect((await approve(trader, pending.id)).status).toBe(200);
  const filled = await waitForStatus(world, pending.id, 'filled');
  expect(Number(filled.filled_amount)).toBeGreaterThanOrEqual(Number(filled.amount));
  const fills = await world.db.selectFrom('fill').selectAll().where('order_id', '=', filled.id).execute();
  expect(fills.map(({ connection_id }) => connection_id)).toContain(id);
  const dispatch = await world.db
    .selectFrom('order_dispatch')
    .selectAll()
    .where('order_id', '=', filled.id)
    .executeTakeFirstOrThrow();
  expect(dispatch).toMatchObject({ connection_id: id, lease_epoch: '1' });
});

test('row 106: after trading at every venue no credential is in what the service has logged', () => {
  const log = world.logged.join('');
  expect(log).toContain('"route":"/api/venue-connections"');
  // Excluded: the address of a wallet, which is public.
  const privateSecrets = secrets.filter((secret) => !/^0x[0-9a-f]{40}$/.test(secret));
  expect(privateSecrets.length).toBeGreaterThanOrEqual(8);
  for (const secret of privateSecrets) expect(log).not.toContain(secret);
});
