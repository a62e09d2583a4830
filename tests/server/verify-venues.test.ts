import { randomBytes } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { reconcileConnection } from '../../engine/trading/reconciliation/reconcile.ts';
import { expectOk } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { openVenueMember } from '../support/venue-members.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const CREDENTIAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const OTHER_KEYS = `k9:${randomBytes(32).toString('base64')}`;

const world = openedForFile(() => openWorld({ settings: { CREDENTIAL_KEYS } }));

const verify = (keys: string, ...args: string[]) =>
  runCommand('verify-ledger', args, {
    ...settingsOf(world.database),
    CREDENTIAL_KEYS: keys,
    MARKET_DATA: 'simulator',
    SIMULATOR_URL: world.market.simulator?.url ?? '',
  });

test('verify-ledger --venues compares live books with the venue, and names those it could not query', {
  tags: ['long'],
}, async () => {
  const person = await world.signUp();
  const { simulator } = world.market;
  const exchange = simulator?.simulatedVenues.get('binance')?.venue.exchange;
  if (simulator === null || exchange === undefined) throw new Error('The venues are not simulated.');
  const { environment, credentials, broker } = await openVenueMember(simulator, 'crypto');
  const answer = await world.send('POST', '/api/venue-connections', {
    headers: { cookie: person.cookie, origin: ORIGIN },
    body: { venue: 'crypto', environment, label: 'Mine', credentials, password: person.password },
  });
  const { id } = expectOk(answer) as { id: string };
  const early = await verify(CREDENTIAL_KEYS, '--venues');
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining(`(${id}): NOT CHECKED: the service has never`),
  ]);

  const { account_id: accountId } = await world.db
    .selectFrom('venue_connection')
    .select('account_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await reconcileConnection(systemWork(world.pool, { accountId, mode: 'live' }), id, broker, {
    pauseMs: 50,
  });
  const agreed = await verify(CREDENTIAL_KEYS, '--venues');
  expect(agreed.stdout).toContain(`(${id}): holdings and money agree.`);
  expect(agreed.code).toBe(0);

  const locked = await verify(OTHER_KEYS, '--venues');
  expect([locked.code, locked.stderr]).toEqual([1, expect.stringContaining(`(${id}): NOT CHECKED: `)]);
  expect((await verify(OTHER_KEYS)).code).toBe(0);
  expect((await verify(CREDENTIAL_KEYS, '--venue')).code).toBe(1);

  const account = [...exchange.accounts.values()].at(-1);
  if (account === undefined) throw new Error('The simulated exchange has no account.');
  exchange.transfer(account, 'USDT', new Decimal(-500));
  const differs = await verify(CREDENTIAL_KEYS, '--venues');
  expect([differs.code, differs.stderr]).toEqual([1, expect.stringContaining(`(${id}): 1 differences.`)]);
  expect(differs.stdout).toContain('9500');
});
