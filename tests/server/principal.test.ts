import { describe, expect, test } from 'vitest';
import type { Db } from '../../db/tables.ts';
import { CELL_MAX, hashToken, isToken, newToken } from '../../engine/trading/keys/token.ts';
import { verifyKey } from '../../engine/trading/keys/verify.ts';

/** Fails the test at any access. */
const untouched = new Proxy({} as Db, {
  get() {
    throw new Error('The database was asked.');
  },
});

describe('a key', () => {
  test('a thousand are all different and all recognized', () => {
    const tokens = Array.from({ length: 1_000 }, () => newToken());
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect(isToken(token)).toBe(true);
  });

  test('every character occurs about as often as every other', () => {
    const counts = new Map<string, number>();
    const secrets = Array.from({ length: 2_000 }, () => newToken().slice(4, 47)).join('');
    for (const character of secrets) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const expected = secrets.length / 62;
    const chiSquared = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    // 61 degrees of freedom: above 120 once in a hundred thousand runs.
    expect(chiSquared).toBeLessThan(120);
  });

  test('changing any one character makes it invalid', () => {
    const token = newToken();
    for (let at = 0; at < token.length; at++) {
      const changed = token[at] === 'x' ? 'y' : 'x';
      expect(isToken(token.slice(0, at) + changed + token.slice(at + 1))).toBe(false);
    }
  });

  test('the 48th character names its cell, in the form of every key; those of cell 0 are as before cells', () => {
    const digitOf = (token: string) => token.charAt(47);
    const digitsOf = (cell: number) => new Set(Array.from({ length: 200 }, () => digitOf(newToken(cell))));
    expect([...digitsOf(0)].toSorted().join('')).toBe('01234');
    const others = Array.from({ length: CELL_MAX }, (_, index) => [...digitsOf(index + 1)].join());
    expect(others.join('')).toBe('56789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    for (let cell = 0; cell <= CELL_MAX; cell++) {
      const token = newToken(cell);
      expect(token).toMatch(/^tsk_[0-9A-Za-z]{49}$/);
      expect(isToken(token)).toBe(true);
      for (let at = 0; at < token.length; at++) {
        const changed = token[at] === 'x' ? 'y' : 'x';
        expect(isToken(token.slice(0, at) + changed + token.slice(at + 1))).toBe(false);
      }
    }
  });

  test('an invalid form needs no query of the database', async () => {
    const token = newToken();
    const none = [
      '',
      'tsk_',
      token.slice(1),
      `${token}x`,
      token.slice(0, -1),
      ` ${token}`,
      `${token}\n`,
      token.toLowerCase(),
    ];
    for (const text of none) expect(await verifyKey(untouched, text)).toBeNull();
    await expect(verifyKey(untouched, token)).rejects.toThrow('The database was asked.');
  });

  test('the stored form is 32 bytes that do not reveal it', () => {
    const token = newToken();
    expect(hashToken(token)).toHaveLength(32);
    expect(hashToken(token).equals(hashToken(newToken()))).toBe(false);
  });
});
