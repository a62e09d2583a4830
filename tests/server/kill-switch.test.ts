import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { expectOk } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import type { SignedIn } from '../support/sign-up.ts';
import { type Member, openVenueMember } from '../support/venue-members.ts';
import { ORIGIN, openWorld, type World } from '../support/world.ts';

const CREDENTIAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;

const world = openedForFile(() => openWorld({ settings: { CREDENTIAL_KEYS } }));
let person: SignedIn;
beforeEach(async () => {
  person = await world.signUp();
});

function simulatorOf({ market }: World) {
  if (market.simulator === null) throw new Error('The venues are not simulated.');
  return market.simulator;
}

type Connected = Member & { readonly id: string };

async function connected(venue: Venue, by = person, at = world): Promise<Connected> {
  const member = await openVenueMember(simulatorOf(at), venue);
  const { environment, credentials } = member;
  const answer = await at.send('POST', '/api/venue-connections', {
    headers: { cookie: by.cookie, origin: ORIGIN },
    body: { venue, environment, label: 'Mine', credentials, password: by.password },
  });
  return { ...member, id: (expectOk(answer) as { id: string }).id };
}

const killIn = (at: World, ...args: string[]) =>
  runCommand('kill-switch', args, {
    ...settingsOf(at.database),
    CREDENTIAL_KEYS,
    MARKET_DATA: 'simulator',
    SIMULATOR_URL: simulatorOf(at).url,
  });
const kill = (...args: string[]) => killIn(world, ...args);

const rowOf = (id: string) =>
  world.db.selectFrom('venue_connection').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const auditsOf = (id: string) =>
  world.db
    .selectFrom('audit_event')
    .select(['action', 'actor', 'after'])
    .where('subject_id', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute();

describe('the kill switch', () => {
  test.each(VENUE_IDS)(
    'one connection to %s: halted, every order at the venue ended, all written down',
    { tags: ['long'] },
    async (venue) => {
      const connection = await connected(venue);
      await connection.rest(3);
      await expect.poll(() => connection.broker.listOpen()).toHaveLength(3);

      const ran = await kill('--connection', connection.id);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toBe(
        `${venue} demo "Mine" (${connection.id}): halted; no order rests at the venue.\n`,
      );
      expect(await connection.broker.listOpen()).toEqual([]);
      expect(await rowOf(connection.id)).toMatchObject({
        state: 'halted',
        state_code: 'kill_switch',
        is_held_by_person: true,
        cancel_all_requested_at: null,
      });
      expect((await auditsOf(connection.id)).filter(({ actor }) => actor === 'operator')).toMatchObject([
        { action: 'venue_connection.halted', after: { code: 'kill_switch' } },
        { action: 'venue_connection.cancel_all' },
        { action: 'venue_connection.orders_ended', after: { kind: 'empty' } },
      ]);
    },
  );

  test('an account by its e-mail: its connections, and no other account’s', { tags: ['long'] }, async () => {
    const [own, other] = [await connected('crypto'), await connected('crypto', await world.signUp())];
    await Promise.all([own.rest(1), other.rest(1)]);
    expect(await kill('--account', person.email)).toMatchObject({ code: 0 });
    expect([await own.broker.listOpen(), await other.broker.listOpen()].map(({ length }) => length)).toEqual([
      0, 1,
    ]);
    expect((await rowOf(other.id)).state).toBe('unverified');
    await kill('--account', 'unknown@example.com').then(({ code, stderr }) => {
      expect([code, stderr]).toEqual([1, expect.stringContaining('there is no user unknown@example.com')]);
    });
  });

  test('an unreachable venue is reported, stops no other, and its request stays for the next process that reaches it', {
    tags: ['long'],
  }, async () => {
    const [dead, sound] = [await connected('venue-a'), await connected('crypto')];
    await Promise.all([dead.rest(1), sound.rest(2)]);
    dead.revoke();
    const ran = await kill('--account', person.email);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(new RegExp(`\\(${dead.id}\\): halted; the venue was NOT REACHED \\(.*401`));
    expect(ran.stdout).toContain(`(${sound.id}): halted; no order rests`);
    expect(await sound.broker.listOpen()).toEqual([]);
    expect((await rowOf(dead.id)).cancel_all_requested_at).not.toBeNull();
  });

  test('credentials that cannot be opened do not prevent the halt', async () => {
    const locked = await connected('crypto');
    await world.db.deleteFrom('venue_credential').where('connection_id', '=', locked.id).execute();
    const ran = await kill('--connection', locked.id);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('has no credentials');
    expect((await rowOf(locked.id)).state).toBe('halted');
  });

  test('row 100: a cancel-all that is answered and leaves an order is repeated until none rests', async () => {
    const connection = await connected('venue-a');
    await connection.rest(2);
    connection.fault({
      method: 'DELETE',
      path: '/portfolio/events/orders',
      isProcessed: false,
      times: 2,
      answer: { status: 204, body: null },
    });
    expect(await kill('--connection', connection.id)).toMatchObject({ code: 0 });
    expect(await connection.broker.listOpen()).toEqual([]);
  });

  test('a second run finds it halted, ends newer orders, and prints the same', {
    tags: ['long'],
  }, async () => {
    const connection = await connected('crypto');
    await kill('--connection', connection.id);
    await connection.rest(1);
    expect(await kill('--connection', connection.id)).toMatchObject({ code: 0 });
    expect(await connection.broker.listOpen()).toEqual([]);
    const actions = (await auditsOf(connection.id)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'venue_connection.halted')).toHaveLength(1);
  });

  test('a dry run lists resting orders and changes nothing', async () => {
    const connection = await connected('crypto');
    await connection.rest(2);
    const before = await rowOf(connection.id);
    const ran = await kill('--connection', connection.id, '--dry-run');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(': unverified; 2 orders rest at the venue.');
    expect(await rowOf(connection.id)).toEqual(before);
    await expect.poll(() => connection.broker.listOpen()).toHaveLength(2);
  });

  test.each([
    ['nothing', []],
    ['two scopes', ['--all', '--account', 'a@example.com']],
    ['no id', ['--connection', 'mine']],
    ['an unknown option', ['--everything']],
  ])('%s: prints its usage and does nothing', async (_what, args) => {
    const ran = await kill(...args);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Usage: npm run kill-switch');
  });
});

test('all: every connection there is, of any account', { tags: ['long'] }, async () => {
  const own = await openWorld({ settings: { CREDENTIAL_KEYS } });
  const [one, other] = [
    await connected('venue-b', await own.signUp(), own),
    await connected('crypto', await own.signUp(), own),
  ];
  await Promise.all([one.rest(1), other.rest(1)]);
  const ran = await killIn(own, '--all');
  expect(ran.code).toBe(0);
  for (const each of [one, other]) {
    expect(ran.stdout).toContain(`(${each.id}): halted; no order rests`);
    expect(await each.broker.listOpen()).toEqual([]);
  }
  await own.close();
});
