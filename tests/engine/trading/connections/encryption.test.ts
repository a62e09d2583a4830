import { createDecipheriv, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CredentialOwner,
  isCurrent,
  rewrapped,
  type SealedCredentials,
  seal,
  withOpened,
} from '../../../../engine/trading/connections/credentials/encryption.ts';
import { KeyRing } from '../../../../engine/trading/connections/credentials/key-ring.ts';

const [K1, K2] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const keys = KeyRing.parse(`k2:${K2},k1:${K1}`);
const old = KeyRing.parse(`k1:${K1}`);
const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
const OWNER: CredentialOwner = {
  accountId: '018f3c2a-0000-7000-8000-000000000001',
  connectionId: '018f3c2a-0000-7000-8000-000000000002',
  version: 1,
  venue: 'crypto',
  environment: 'testnet',
};
const OTHERS: readonly CredentialOwner[] = [
  { ...OWNER, accountId: '018f3c2a-0000-7000-8000-00000000000a' },
  { ...OWNER, connectionId: '018f3c2a-0000-7000-8000-00000000000b' },
  { ...OWNER, version: 2 },
  { ...OWNER, venue: 'venue-a' },
  { ...OWNER, environment: 'live' },
];

const sealed = (owner = OWNER, text = SECRET) => seal(Buffer.from(text), owner, keys);
const opened = (record: SealedCredentials, owner = OWNER, ring = keys) =>
  withOpened(record, owner, ring, (plain) => plain.toString());
const failureOf = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was opened');
};

describe('credentials', () => {
  test('are opened as they were sealed, whatever they are, and whatever the owner', async () => {
    const id = fc.uuid();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 4_000 }),
        fc.record({
          accountId: id,
          connectionId: id,
          version: fc.integer({ min: 1, max: 1e6 }),
          venue: fc.constantFrom('venue-a' as const, 'venue-b' as const, 'crypto' as const),
          environment: fc.constantFrom('demo' as const, 'testnet' as const, 'live' as const),
        }),
        async (bytes, owner) => {
          const record = await seal(Buffer.from(bytes), owner, keys);
          expect(await withOpened(record, owner, keys, (plain) => [...plain])).toEqual([...bytes]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('are never sealed twice alike: another data key, another nonce', async () => {
    const [a, b] = [await sealed(), await sealed()];
    for (const column of ['wrappedKey', 'nonce', 'ciphertext', 'tag'] as const) {
      expect(a[column].equals(b[column])).toBe(false);
    }
    expect(Buffer.concat([a.wrappedKey, a.nonce, a.ciphertext, a.tag]).toString('latin1')).not.toContain(
      SECRET,
    );
  });

  test.each(OTHERS)('row 105: of one connection are not opened for another (%j)', async (other) => {
    const [own, others] = [await sealed(), await sealed(other)];
    expect(await failureOf(opened(others))).toMatchObject({ code: 'credentials_refused' });
    expect(await failureOf(opened(own, other))).toMatchObject({ code: 'credentials_refused' });
    // The wrapped key of one beside the ciphertext of the other, and the reverse.
    const { keyId, wrappedKey } = own;
    expect(await failureOf(opened({ ...others, keyId, wrappedKey }))).toMatchObject({
      code: 'credentials_refused',
    });
    expect(await failureOf(opened({ ...own, wrappedKey: others.wrappedKey }))).toMatchObject({
      code: 'credentials_refused',
    });
  });

  test('with any bit of any column changed, or a column cut, are not opened', async () => {
    const record = await sealed();
    const column = fc.constantFrom(
      'wrappedKey' as const,
      'nonce' as const,
      'ciphertext' as const,
      'tag' as const,
    );
    await fc.assert(
      fc.asyncProperty(column, fc.nat(), fc.boolean(), async (name, bit, isCut) => {
        const bytes = Buffer.from(record[name]);
        const at = bit % (bytes.length * 8);
        const index = at >> 3;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << (at & 7));
        const changed = { ...record, [name]: isCut ? record[name].subarray(0, index) : bytes };
        expect(await failureOf(opened(changed))).toMatchObject({ code: 'credentials_refused' });
      }),
    );
  });

  test('row 104: sealed with a missing key name it, and others are opened', async () => {
    const record = await sealed();
    const error = await failureOf(opened(record, OWNER, old));
    expect(error).toMatchObject({ code: 'credentials_locked' });
    expect(error.message).toContain('"k2"');
    expect(await opened(await seal(Buffer.from(SECRET), OWNER, old), OWNER, keys)).toBe(SECRET);
  });

  test('of an old key are wrapped with the first one, and nothing else of them changes', async () => {
    const record = await seal(Buffer.from(SECRET), OWNER, old);
    expect(isCurrent(record, keys)).toBe(false);
    const moved = { ...record, ...(await rewrapped(record, OWNER, keys)) };
    expect(moved).toMatchObject({ keyId: 'k2', nonce: record.nonce, ciphertext: record.ciphertext });
    expect(isCurrent(moved, keys)).toBe(true);
    expect(await opened(moved, OWNER, KeyRing.parse(`k2:${K2}`))).toBe(SECRET);
    await expect(rewrapped(record, { ...OWNER, version: 2 }, keys)).rejects.toMatchObject({
      code: 'credentials_refused',
    });
  });

  test('are bound to account, connection, version, venue and environment in that order, by both ciphers', async () => {
    const record = await sealed();
    const context = Buffer.from([OWNER.accountId, OWNER.connectionId, '1', 'crypto', 'testnet'].join('|'));
    const open = (key: Buffer, nonce: Buffer, text: Buffer, tag: Buffer) => {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(context).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]);
    };
    const { wrappedKey: wrapped, nonce, ciphertext, tag } = record;
    const wrapping = Buffer.from(`${K2}`, 'base64');
    const dataKey = open(wrapping, wrapped.subarray(0, 12), wrapped.subarray(12, 44), wrapped.subarray(44));
    expect(open(dataKey, nonce, ciphertext, tag).toString()).toBe(SECRET);
  });

  test('are wiped after use, by an error too', async () => {
    const record = await sealed();
    const seen: Buffer[] = [];
    await withOpened(record, OWNER, keys, (plain) => seen.push(plain));
    await failureOf(
      withOpened(record, OWNER, keys, (plain) => {
        seen.push(plain);
        throw new Error('no key');
      }),
    );
    expect(seen.map((plain) => plain.every((byte) => byte === 0))).toEqual([true, true]);
  });

  test('and keys are in no error text and no output', async () => {
    const record = await sealed();
    const texts = [
      inspect(keys, { depth: null, showHidden: true }),
      JSON.stringify({ keys }),
      inspect(await failureOf(opened(record, OWNER, old)), { depth: null, showHidden: true }),
      inspect(await failureOf(opened({ ...record, tag: record.nonce })), { depth: null, showHidden: true }),
    ];
    for (const text of texts) for (const secret of [SECRET, K1, K2]) expect(text).not.toContain(secret);
  });

  test('without an owner, or with ids that could be read as others, are not sealed', async () => {
    await expect(sealed({ ...OWNER, accountId: 'a|b' })).rejects.toThrow(RangeError);
    await expect(sealed({ ...OWNER, connectionId: '' })).rejects.toThrow(RangeError);
  });
});

describe('the setting of keys', () => {
  test.each([
    ['no key', ''],
    ['no name', K1],
    ['a name with a blank', `a b:${K1}`],
    ['a name twice', `k1:${K1},k1:${K2}`],
    ['a short key', `k1:${randomBytes(16).toString('base64')}`],
    ['hexadecimal digits', `k1:${randomBytes(32).toString('hex')}`],
    ['no base64', `k1:${'$'.repeat(44)}`],
    ['a third part', `k1:${K1}:x`],
    ['a key that is not random', `k1:${Buffer.alloc(32, 7).toString('base64')}`],
    ['an end without a key', `k1:${K1},`],
  ])('with %s is refused, and the error holds nothing of it', (_, text) => {
    const error = (() => {
      try {
        KeyRing.parse(text);
      } catch (thrown) {
        return thrown as Error;
      }
      throw new Error('it was taken');
    })();
    expect(error).toBeInstanceOf(RangeError);
    for (const part of text.split(/[:,]/).filter((part) => part.length > 8)) {
      expect(error.message).not.toContain(part);
    }
  });

  test.each([
    [`k1:${K1},k 2:${K2}`, /^its key number 2 has to have the form name:base64/],
    [`k1:${K1},k1:${K2}`, /^its key number 2 repeats the name of an earlier key$/],
    ['k1:AAAA', /^its key number 1 has to be the base64 of 32 bytes$/],
    [`k1:${Buffer.alloc(32).toString('base64')}`, /^its key number 1 has to be random$/],
  ])('that is wrong says where and how (%#)', (text, message) => {
    expect(() => KeyRing.parse(text)).toThrow(message);
  });

  test('encrypts with the first and takes blanks around each', () => {
    expect(KeyRing.parse(` k2:${K2} , k1:${K1}`).currentKeyId).toBe('k2');
  });
});
