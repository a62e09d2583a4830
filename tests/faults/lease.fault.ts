/** Two processes that both believe to hold one connection: the system suspended one of them, and it resumes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import { expectOk } from '../support/api.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { connectReady, openLiveTrader, orderOf, propose, waitForStatus } from '../support/live.ts';
import { settingsOf } from '../support/run-command.ts';
import { LOOSE_RULES } from '../support/trading-fixture.ts';
import { openWorld, type World } from '../support/world.ts';

const SETTINGS = {
  ROLE: 'api',
  LIVE_TRADING: 'on',
  DEMO: '0',
  CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};
/** Longer than a lease: the next holder has taken over by then. */
const STOPPED_MS = 10_000;
const SLUG = 'will-elon-musk-visit-mars-before-august-2099';

let world: World;
const playground = new EmbeddedFolders();
const said: string[] = [];
beforeAll(async () => {
  world = await openWorld({ settings: SETTINGS });
});
afterAll(async () => {
  await world.close();
  await playground[Symbol.asyncDispose]();
});

/** A runner as an operator starts it. */
function startRunner(): ChildProcess {
  const child = spawn(process.execPath, ['server/start.mjs'], {
    cwd: path.join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      NODE_ENV: 'test',
      ...SETTINGS,
      ROLE: 'runner',
      ...settingsOf(world.database),
      DATA_DIR: playground.dir('runner'),
      AUTH_SECRET: 'a secret of the tests, long enough for signing',
      SIMULATOR_URL: world.market.simulatorUrl ?? '',
      CONSOLE_BUILD: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
  return child;
}

test('row 85: a suspended runner resumes while another one trades: nothing is sent twice, and only one sends heartbeats', async () => {
  const { markets } = await world.market.at('venue-b').slug(SLUG, 'markets');
  const tokenId = markets.find(({ slug }) => slug === SLUG)?.outcomes[0]?.tokenId ?? '';
  const wish = { tokenId, amount: '200', limitPrice: '0.01' };
  const venueServer = world.market.simulator?.simulatedVenues.get('clob');
  if (venueServer === undefined) throw new Error('There is no simulated venue.');
  const child = startRunner();
  const isRunning = () => said.some((line) => line.includes('running'));
  await vi.waitFor(() => expect(isRunning(), said.join('')).toBe(true), { timeout: 60_000 });
  const trader = await openLiveTrader(world);
  await updateRules(trader.work, LOOSE_RULES);
  const member = createDemoAccount('venue-b');
  const { id: connectionId } = await connectReady(world, trader, 'venue-b', member);
  const first = await propose(world, trader, wish);
  await waitForStatus(world, first.id, 'open');

  child.kill('SIGSTOP');
  const other = await world.another({ ROLE: 'runner' });
  const meanwhile = await propose(world, trader, wish);
  await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
  await waitForStatus(world, meanwhile.id, 'open');
  // Orders that both may find queued as the suspended one resumes.
  const ids = [first.id, meanwhile.id];
  for (let number = 0; number < 5; number += 1) ids.push((await propose(world, trader, wish)).id);
  child.kill('SIGCONT');
  for (let number = 0; number < 5; number += 1) ids.push((await propose(world, trader, wish)).id);
  for (const id of ids) await waitForStatus(world, id, 'open');

  const account = venueServer.venue.exchange.accounts.get(member.account.id);
  const there = [...venueServer.venue.exchange.orders.values()].filter((order) => order.account === account);
  expect(there).toHaveLength(ids.length);
  const own = () => venueServer.streams.clients().filter((session) => session.account === account);
  await expect.poll(() => own().length, { timeout: 60_000 }).toBe(1);
  const { lease_epoch: epoch } = await world.db
    .selectFrom('venue_connection')
    .select('lease_epoch')
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow();
  const sent = await world.db
    .selectFrom('order_dispatch')
    .select(['order_id', 'lease_epoch'])
    .where('connection_id', '=', connectionId)
    .execute();
  expect(sent).toHaveLength(ids.length);
  for (const dispatch of sent.filter(({ order_id }) => order_id !== first.id))
    expect(dispatch.lease_epoch, 'sent by the holder of the connection').toBe(epoch);
  expect((await orderOf(world, first.id)).status, 'heartbeats continued').toBe('open');

  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  await other.stop();
  expectOk(await trader.send('GET', `/api/venue-connections/${connectionId}`));
}, 240_000);
