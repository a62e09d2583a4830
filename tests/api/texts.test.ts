import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

const create = (name: string) => account.http('POST', '/api/blueprints', { name });

const INVISIBLE = 'holds a character that is invisible or changes the direction of writing';

describe('a name', () => {
  test.each([
    ['one character', 'x', 'x'],
    ['120 characters', 'n'.repeat(120), 'n'.repeat(120)],
    ['120 emoji, each one character', '\u{1f680}'.repeat(120), '\u{1f680}'.repeat(120)],
    ['spaces around it, which go', '  \u00a0 spaced \u3000', 'spaced'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['SQL', "'; drop table blueprint; --", "'; drop table blueprint; --"],
    ['the characters of LIKE', '100%_\\', '100%_\\'],
    [
      'a family of emoji',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    ],
    ['a flag of emoji', '\u{1f3f3}\ufe0f\u200d\u{1f308}', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['many accents', 'a\u0301\u0302\u0303\u0304', 'a\u0301\u0302\u0303\u0304'],
    ['a format string', '%s %d {0} %n', '%s %d {0} %n'],
    [
      'any script',
      '\u7b56\u7565 \u0627\u0633\u062a\u0631 \u0928\u0940\u0924\u093f',
      '\u7b56\u7565 \u0627\u0633\u062a\u0631 \u0928\u0940\u0924\u093f',
    ],
  ])('%s is stored as it was sent', async (_what, name, stored) => {
    const created = expectOk(await create(name)) as { id: string };
    expect(created).toMatchObject({ name: stored });
    expect(expectOk(await account.http('GET', `/api/blueprints/${created.id}`))).toMatchObject({
      name: stored,
    });
  });

  test.each([
    ['nothing', '', 'must not be empty'],
    ['only spaces', ' \u00a0\t\u3000', 'must not be empty'],
    ['121 characters', 'n'.repeat(121), 'must have at most 120 characters'],
    ['121 emoji', '\u{1f680}'.repeat(121), 'must have at most 120 characters'],
    ['a line break inside', 'two\nlines', 'holds a control character'],
    ['an escape sequence', '\u001b[31mred', 'holds a control character'],
    ['a C1 control', 'a\u0085b', 'holds a control character'],
    ['NUL', 'a\u0000b', 'holds a control character'],
    ['an override of direction', '\u202eabc\u202c', INVISIBLE],
    ['a letter without width', 'Dip\u200b', INVISIBLE],
    ['a joint between letters', 'a\u200db', INVISIBLE],
    ['tags after a flag', '\u{1f3f4}\u{e0067}', INVISIBLE],
    ['half a character', 'a\ud83db', 'holds half of a surrogate pair, which is not a character'],
  ])('400: %s', async (_what, name, problem) => {
    const { issues, message } = expectRefusal(await create(name), 400, 'validation_failed');
    expect(issues).toEqual([{ path: '/name', code: 'custom', message: problem }]);
    expect(message).toBe(`Request validation failed at /name: ${problem}`);
  });
});

describe('a search', () => {
  test.each([
    "'; drop table instrument; --",
    '%',
    '_',
    '\\',
    '*',
    '.*',
    '(a+)+$',
    '\u{1f680}',
    'x'.repeat(200),
  ])('%j is searched literally', async (text) => {
    for (const path of ['/api/venue-a', '/api/venue-b']) {
      expectOk(await account.http('GET', `${path}?search=${encodeURIComponent(text)}`));
    }
  });

  test.each([
    ['symbol', '/api/crypto', 'BTC\r\nX: y'],
    ['symbol', '/api/crypto', 'BTC?x=1'],
    ['symbol', '/api/crypto', '//evil.example'],
    ['ticker', '/api/venue-a', '../../admin'],
    ['ticker', '/api/venue-a', 'http://169.254.169.254/latest'],
    ['ref', '/api/venue-a', '@evil.example'],
    ['slug', '/api/venue-b', '%2e%2e/admin'],
    ['slug', '/api/venue-b', 'a#b'],
    ['token', '/api/venue-b', '1e20'],
    ['book', '/api/venue-b', '9'.repeat(300)],
  ])('400: a %s of %s that could lead to another path (%s)', async (name, path, value) => {
    const { issues } = expectRefusal(
      await account.http('GET', `${path}?${new URLSearchParams({ [name]: value })}`),
      400,
    );
    expect(issues[0]).toMatchObject({ path: `/${name}` });
  });
});

describe('the careers form', () => {
  const form = { name: 'Ada Lovelace', email: 'ada@example.com', message: 'Hello.\n\tGood bye.' };
  const post = (body: object) => world.send('POST', '/api/careers', { body });

  test('a form is stored, once, under the returned id', async () => {
    const full = { ...form, role: 'Engineer', links: ['https://example.com/ada', 'http://example.com/?q=1'] };
    const { id, ...rest } = expectOk(await post(full)) as { id: string };
    expect(rest).toEqual({ received: true });
    const stored = await world.db
      .selectFrom('careers_application')
      .selectAll()
      .where('id', '=', id)
      .execute();
    expect(stored).toMatchObject([full]);
  });

  test('role and links are optional', async () => {
    const { id } = expectOk(await post(form)) as { id: string };
    const stored = await world.db
      .selectFrom('careers_application')
      .selectAll()
      .where('id', '=', id)
      .execute();
    expect(stored).toMatchObject([{ ...form, role: null, links: [] }]);
  });

  test.each([
    ['name', { name: 'x'.repeat(121) }],
    ['email', { email: 'ada' }],
    ['email', { email: `${'a'.repeat(250)}@example.com` }],
    ['role', { role: '' }],
    ['message', { message: 'x'.repeat(5_001) }],
    ['message', { message: 'bell \u0007' }],
    ['links', { links: Array(11).fill('https://example.com') }],
    ['links', { links: ['javascript:alert(1)'] }],
    ['links', { links: ['data:text/html,x'] }],
    ['links', { links: [`https://example.com/${'x'.repeat(500)}`] }],
    ['resume', { resume: 'x' }],
  ])('400: a %s out of bounds', async (field, bad) => {
    const { issues } = expectRefusal(await post({ ...form, ...bad }), 400, 'validation_failed');
    expect(issues[0]?.path).toMatch(new RegExp(`^/${field}`));
  });
});

describe('the storage limit of graphs', () => {
  test('403 quota_exceeded: beyond 16 MiB of one account, by create and update, all at once or one by one', async () => {
    const owner = await world.account();
    await world.db
      .updateTable('account')
      .set({ visual_bytes: 16 * 1024 * 1024 - 250_000 })
      .where('id', '=', owner.accountId)
      .execute();
    const visual = 'x'.repeat(200_000);
    const draw = () => owner.http('POST', '/api/blueprints', { name: 'Large', visual });
    const outcomes = await Promise.all(Array.from({ length: 5 }, draw));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    const { id } = expectOk(await owner.http('POST', '/api/blueprints', { name: 'Empty' })) as { id: string };
    const grown = await owner.http('PUT', `/api/blueprints/${id}`, { visual });
    expect(expectRefusal(grown, 403, 'quota_exceeded').message).toContain('16 MiB');
    expect(expectOk(await owner.http('GET', `/api/blueprints/${id}`))).toMatchObject({ visual: null });
    const [first] = expectOk(await owner.http('GET', '/api/blueprints?limit=2')) as {
      id: string;
      name: string;
    }[];
    expect(first?.name).toBe('Empty');
    const large = outcomes.find(({ status }) => status === 200)?.body as { id: string };
    expectOk(await owner.http('PUT', `/api/blueprints/${large.id}`, { visual: null }));
    expectOk(await owner.http('PUT', `/api/blueprints/${id}`, { visual }));
  });

  test('a graph of exactly 256 KiB fits, one byte more does not', async () => {
    const fits = 'x'.repeat(256 * 1024 - 2);
    const name = `Drawing ${randomUUID()}`;
    expect(expectOk(await account.http('POST', '/api/blueprints', { name, visual: fits }))).toMatchObject({
      visual: fits,
    });
    const answer = await account.http('POST', '/api/blueprints', { name, visual: `${fits}x` });
    expect(expectRefusal(answer, 400, 'validation_failed').message).toContain('262145');
  });

  test('a graph of 64 levels fits, one of 65 does not', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    const put = (depth: number) =>
      account.http('POST', '/api/blueprints', { name: 'Deep', visual: nested(depth) });
    expect(expectOk(await put(64))).toMatchObject({ visual: nested(64) });
    expectRefusal(await put(65), 400, 'validation_failed');
  });
});
