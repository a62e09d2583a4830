import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newToken } from '../../engine/trading/keys/token.ts';
import { createUser } from '../../server/identity/users/users.ts';
import { bearer, expectOk } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { cookieOf } from '../support/sign-up.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(() => openWorld({ settings: { CELL: '3' } }));

/** The first digit of the check of a key of cell 3. */
const DIGIT = '7';

/** Signs a new user in; sign-up is closed in this cell. */
async function signIn(): Promise<string> {
  const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  await createUser(world.service.auth, { ...person, name: 'Ada' });
  return cookieOf(
    await world.send('POST', '/api/auth/sign-in/email', { headers: { origin: ORIGIN }, body: person }),
  )
    .split('; ')
    .filter((cookie) => cookie.includes('session_token'))
    .join();
}

const read = (headers: Record<string, string>) => world.send('GET', '/api/risk-rules', { headers });

describe('the number of a cell', () => {
  test('is in every new key, and in the name of the cookie of a session', async () => {
    const cookie = await signIn();
    expect(cookie).toMatch(/^cell3\.session_token=/);
    const headers = { cookie, origin: ORIGIN };
    const body = { name: 'Bot', scopes: ['risk:read'] };
    const { id, key } = expectOk(await world.send('POST', '/api/api-keys', { headers, body })) as {
      id: string;
      key: string;
    };
    expect(key).toMatch(/^tsk_[0-9A-Za-z]{49}$/);
    expect(key.charAt(47)).toBe(DIGIT);
    expectOk(await read(bearer(key)));
    const rotated = expectOk(await world.send('POST', `/api/api-keys/${id}/rotate`, { headers, body: {} }));
    expect((rotated as { key: string }).key.charAt(47)).toBe(DIGIT);
  });

  test('a key of another cell is answered as an unknown one, and so is a cookie', async () => {
    const unknown = await read(bearer(newToken(3)));
    for (const cell of [0, 1, 57]) {
      const other = await read(bearer(newToken(cell)));
      expect([other.status, other.body]).toMatchObject([
        401,
        { error: { code: 'credentials_invalid' }, message: (unknown.body as { message: string }).message },
      ]);
    }
    const cookie = await signIn();
    expectOk(await read({ cookie }));
    expect((await read({ cookie: cookie.replace('cell3', 'better-auth') })).status).toBe(401);
  });

  test('other than 0 creates no users: no sign-up, no command, no setting', async () => {
    const body = { email: `${randomUUID()}@example.com`, password: 'correct horse battery', name: 'Ada' };
    const refused = await world.send('POST', '/api/auth/sign-up/email', {
      headers: { origin: ORIGIN },
      body,
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('sign up is not enabled')]);
    const settings = { ...settingsOf(world.database), CELL: '3' };
    const created = await runCommand('users', ['create', '--email', body.email], settings);
    expect(created).toMatchObject({ code: 1, stderr: expect.stringContaining('Create it there, and move') });
    await expect(world.another({ SIGN_UP: 'open' })).rejects.toThrow('SIGN_UP=open is for cell 0 alone');
  });

  test('stays with the database: a start under another number is refused', async () => {
    await expect(world.another({ CELL: '4' })).rejects.toThrow(
      'CELL is 4, and this database belongs to cell 3: set CELL=3, or use another database.',
    );
    await (await world.another()).stop();
  });
});
