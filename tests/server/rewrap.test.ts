import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSecretUse, rewrapSecrets } from '../../engine/notifications/rewrap.ts';
import { openChannel } from '../../engine/notifications/secrets.ts';
import { withOpened } from '../../engine/trading/connections/credentials/encryption.ts';
import { KeyRing, type KeyWrapper } from '../../engine/trading/connections/credentials/key-ring.ts';
import {
  type RewrapPage,
  readKeyUse,
  rewrapCredentials,
} from '../../engine/trading/connections/credentials/rewrap.ts';
import { expectOk } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const [K1, K2] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const OLD = `k1:${K1}`;
const BOTH = `k2:${K2},k1:${K1}`;
const both = KeyRing.parse(BOTH);
const HOOK = 'https://hooks.example.com/trading';
const SECRET = 'theSecretNobodyMaySeeAgain0123456789';

const world = openedForFile(() => openWorld({ settings: { CREDENTIAL_KEYS: OLD } }));
let cookie: string;
beforeAll(async () => {
  cookie = (await world.signUp()).cookie;
});

/** A connection whose credentials were sealed by the running service, which has only the old key. */
async function connected(): Promise<string> {
  const answer = await world.send('POST', '/api/venue-connections', {
    headers: { cookie, origin: ORIGIN },
    body: {
      venue: 'crypto',
      environment: 'testnet',
      label: 'Small',
      credentials: { apiKey: `apiKeyOfTheTests${randomBytes(16).toString('hex')}`, secret: SECRET },
      password: 'correct horse battery',
    },
  });
  return (expectOk(answer) as { id: string }).id;
}

/** A webhook whose address and secret the running service has sealed. */
async function channel(): Promise<string> {
  const answer = await world.send('POST', '/api/notification-channels', {
    headers: { cookie, origin: ORIGIN },
    body: { kind: 'webhook', label: 'Hook', url: HOOK },
  });
  return (expectOk(answer) as { id: string }).id;
}

/** The opened credentials of a connection. */
async function openedOf(id: string, keys = both): Promise<string> {
  const row = await world.db
    .selectFrom('venue_credential')
    .innerJoin('venue_connection', 'venue_connection.id', 'venue_credential.connection_id')
    .select(['venue_credential.account_id', 'venue_credential.version', 'venue', 'environment'])
    .select(['key_id', 'wrapped_key', 'nonce', 'ciphertext', 'tag'])
    .where('connection_id', '=', id)
    .executeTakeFirstOrThrow();
  const { account_id, version, venue, environment } = row;
  const bytes = Object.fromEntries(
    (['nonce', 'ciphertext', 'tag'] as const).map((name) => [name, Buffer.from(row[name])]),
  ) as Record<'nonce' | 'ciphertext' | 'tag', Buffer>;
  return withOpened(
    { keyId: row.key_id, wrappedKey: Buffer.from(row.wrapped_key), ...bytes },
    { accountId: account_id, connectionId: id, version, venue, environment },
    keys,
    (plain) => plain.toString(),
  );
}

const command = (what: string, keys: string) =>
  runCommand('credentials', [what], { ...settingsOf(world.database), CREDENTIAL_KEYS: keys });

async function pagesOf(keys: KeyWrapper, pageRows?: number): Promise<RewrapPage[]> {
  const pages: RewrapPage[] = [];
  for await (const page of rewrapCredentials(world.db, keys, pageRows)) pages.push(page);
  return pages;
}

const movedOf = (pages: readonly RewrapPage[]) => pages.reduce((sum, { moved }) => sum + moved, 0);

async function rewrapAll(pageRows: number): Promise<number> {
  return movedOf(await pagesOf(both, pageRows));
}

describe('moving credentials to another key', () => {
  test('stopped after any page it is resumed by the next run, and no row is skipped or moved twice', async () => {
    for (let n = 0; n < 5; n += 1) await connected();
    const first = await rewrapCredentials(world.db, both, 2).next();
    expect(first.value).toEqual({ moved: 2, gone: 0, failed: [] });
    expect(await readKeyUse(world.db)).toEqual([
      { keyId: 'k1', credentials: 3 },
      { keyId: 'k2', credentials: 2 },
    ]);
    expect(await rewrapAll(2)).toBe(3);
    expect(await rewrapAll(2)).toBe(0);
  });

  test('two concurrent runs move each row once, and all can be opened', async () => {
    const ids = [await connected(), await connected(), await connected()];
    const [one, other] = await Promise.all([rewrapAll(1), rewrapAll(3)]);
    expect(one + other).toBe(3);
    for (const id of ids) {
      expect(await openedOf(id)).toContain(SECRET);
      expect(await openedOf(id, KeyRing.parse(`k2:${K2}`))).toContain(SECRET);
    }
  });

  test('credentials added or removed while their page is moved are left unchanged', async () => {
    const id = await connected();
    const deleting = {
      currentKeyId: both.currentKeyId,
      unwrap: async (...wrapped: Parameters<KeyRing['unwrap']>) => {
        await world.db.deleteFrom('venue_credential').where('connection_id', '=', id).execute();
        return both.unwrap(...wrapped);
      },
      wrap: both.wrap.bind(both),
    };
    const pages = await pagesOf(deleting);
    expect(pages).toEqual([{ moved: 0, gone: 1, failed: [] }]);
  });

  test('a row that was tampered with stays, is named without its content, and stops no other', async () => {
    const [broken, sound] = [await connected(), await connected()];
    await world.db
      .updateTable('venue_credential')
      .set({ wrapped_key: randomBytes(60) })
      .where('connection_id', '=', broken)
      .execute();
    const pages = await pagesOf(both, 1);
    expect(movedOf(pages)).toBe(1);
    expect(pages.flatMap(({ failed }) => failed)).toEqual([
      { connectionId: broken, reason: expect.stringContaining('enter them again') },
    ]);
    expect(await openedOf(sound)).toContain(SECRET);
    await world.db.deleteFrom('venue_credential').where('connection_id', '=', broken).execute();
  });
});

describe('the command', () => {
  test('a rotation beside the running service: rows that an old process still wraps are reported, and moved by the next run', {
    tags: ['long'],
  }, async () => {
    await rewrapAll(100);
    const ids = [await connected(), await connected()];
    const listed = await command('list', BOTH);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/^k1: credentials of 2 connections, a further key$/m);
    expect(listed.stdout).toMatch(/^k2: credentials of \d+ connections, the first key/m);

    expect(await command('rewrap', BOTH)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Moved to k2: credentials of 2 connections.\n'),
    });
    const late = await connected(); // by the process that knows the old key alone
    expect((await command('list', BOTH)).stdout).toContain('k1: credentials of 1 connection, a further key');
    expect(await command('rewrap', BOTH)).toMatchObject({ code: 0 });
    for (const id of [...ids, late]) expect(await openedOf(id)).toContain(SECRET);
  });

  test('credentials under a missing key stay locked, and the exit code says so', {
    tags: ['long'],
  }, async () => {
    const id = await connected();
    const rewrapped = await command('rewrap', `k2:${K2}`);
    expect(rewrapped.code).toBe(1);
    expect(rewrapped.stdout).toContain('Still under k1: credentials of 1 connection.');
    expect(rewrapped.stderr).toContain(id);
    expect((await command('list', `k2:${K2}`)).stdout).toContain('not among the keys: they are locked');
  });

  test('secrets of channels are moved as well, one channel after the other', { tags: ['long'] }, async () => {
    const channels = [await channel(), await channel(), await channel()];
    const pages = rewrapSecrets(world.db, both, 2);
    expect((await pages.next()).value, 'no push service was ever asked').toEqual({ moved: 0, failed: [] });
    expect((await pages.next()).value).toEqual({ moved: 2, failed: [] });
    expect((await command('list', BOTH)).stdout).toContain('k1: 1 secret of notifications, a further key');
    expect(await command('rewrap', BOTH)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Moved to k2: 1 secret of notifications.\n'),
    });
    expect(await readSecretUse(world.db)).toEqual([{ keyId: 'k2', secrets: 3 }]);
    for (const id of channels) {
      const row = await world.db
        .selectFrom('notification_channel')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const owner = { accountId: row.account_id, channelId: id };
      expect(await openChannel(owner, row, KeyRing.parse(`k2:${K2}`))).toMatchObject({ url: HOOK });
    }
  });

  test('nothing secret is printed', { tags: ['long'] }, async () => {
    const ran = [await command('list', BOTH), await command('rewrap', BOTH), await command('no', BOTH)];
    const printed = ran.map(({ stdout, stderr }) => stdout + stderr).join('');
    for (const secret of [K1, K2, SECRET]) expect(printed).not.toContain(secret);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 1]);
  });
});
