/** How connectors make themselves known. */

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RETENTION } from '../../server/kernel/retention.ts';
import { expiredRowDeletions } from '../../server/workers/trading/expired-row-deletions.ts';
import {
  BACK,
  codeFor,
  dataOf,
  expectError,
  expectRefused,
  ISSUER,
  openForConnectors,
  redeem,
  register,
  requestOf,
  view,
  world,
} from '../support/connectors.ts';
import { openWorld } from '../support/world.ts';

openForConnectors();

describe('registration', () => {
  test.each([
    'http://connector.test/callback',
    'javascript:alert(1)',
    'myapp://callback',
    'https://connector.test/callback#part',
    'https://connector.test/\u0000',
    'https://connector.test/\ud800',
    ' https://connector.test/callback',
    'https://someone@connector.test/callback',
    `https://connector.test/${'x'.repeat(2_000)}`,
    'no address',
  ])('refuses the address %s', async (address) => {
    const answer = await world.send('POST', '/oauth/register', { body: { redirect_uris: [address] } });
    expectError(answer, 400, 'invalid_redirect_uri');
  });

  test('takes an address of the person’s own machine, whose port may change', async () => {
    const clientId = await register({ redirect_uris: ['http://127.0.0.1:1234/callback'] });
    const request = { client_id: clientId, redirect_uri: 'http://127.0.0.1:5678/callback' };
    expect(dataOf(await view(await requestOf(request)))).toMatchObject({
      host: '127.0.0.1:5678',
      problem: null,
    });
    const other = { client_id: clientId, redirect_uri: 'http://localhost:1234/callback' };
    expectRefused(await view(await requestOf(other)), 400, 'validation_failed');
  });

  test('refuses what is no registration, or is too large', async () => {
    for (const body of [{}, { redirect_uris: 'x' }, [], null, { redirect_uris: [1] }])
      expectError(await world.send('POST', '/oauth/register', { body }), 400, 'invalid_client_metadata');
    expectError(await world.send('POST', '/oauth/register', { raw: '{' }), 400, 'invalid_client_metadata');
    expectError(
      await world.send('POST', '/oauth/register', { body: { redirect_uris: [] } }),
      400,
      'invalid_redirect_uri',
    );
    const large = await world.send('POST', '/oauth/register', { raw: 'x'.repeat(1_000_000) });
    expectError(large, 400, 'invalid_request');
  });

  test('takes few kilobytes of addresses', async () => {
    const long = (name: string) => `${BACK}/${name}${'x'.repeat(1_900)}`;
    await register({ redirect_uris: [long('a'), long('b')] });
    const answer = await world.send('POST', '/oauth/register', {
      body: { redirect_uris: [long('a'), long('b'), long('c')] },
    });
    expectError(answer, 400, 'invalid_redirect_uri');
  });

  test('makes a client that counts as used once its code is redeemed, not when it was granted', async () => {
    const clientId = await register();
    const code = await codeFor(clientId);
    const lastUsed = () =>
      world.db
        .selectFrom('oauth_client')
        .select('last_used_at')
        .where('id', '=', clientId)
        .executeTakeFirstOrThrow();
    expect(await lastUsed()).toEqual({ last_used_at: null });
    await redeem(clientId, code);
    expect(await lastUsed()).toEqual({ last_used_at: expect.anything() });
  });

  test('past the limit is refused until old clients are swept, and evicts none that waits', async () => {
    const waiting = await register();
    const fill = (prefix: string, ageMin: number, count: number) =>
      sql`insert into oauth_client (id, name, redirect_uris, created_at)
        select gen_random_uuid(), ${prefix}, '{}', now() - ${ageMin} * interval '1 minute'
        from generate_series(1, ${count}::int)`.execute(world.db);
    await fill('old', 11, 4_000);
    await fill('young', 9, 6_000);
    const send = () => world.send('POST', '/oauth/register', { body: { redirect_uris: [BACK] } });
    const refused = await send();
    expectError(refused, 503, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toBe('60');
    const sweep = expiredRowDeletions(DEFAULT_RETENTION).find(({ what }) =>
      what.startsWith('clients beyond'),
    );
    for (let batch = 0; batch < 5; batch++) await sweep?.delete.execute(world.db);
    const left = await world.db.selectFrom('oauth_client').select(['id', 'name']).execute();
    expect(left.filter(({ name }) => name === 'old')).toEqual([]);
    expect(left.filter(({ name }) => name === 'young')).toHaveLength(6_000);
    expect(left.map(({ id }) => id)).toContain(waiting);
    expect((await send()).status).toBe(201);
    await sql`delete from oauth_client where redirect_uris = '{}'`.execute(world.db);
  });

  test('is limited by address', async () => {
    const limited = await openWorld({
      settings: { PUBLIC_URL: ISSUER, RATE_LIMITS: '{"registration":{"points":2,"windowSec":60}}' },
    });
    const send = () => limited.send('POST', '/oauth/register', { body: { redirect_uris: [BACK] } });
    expect([(await send()).status, (await send()).status]).toEqual([201, 201]);
    const refused = await send();
    expectError(refused, 429, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await limited.close();
  });
});
