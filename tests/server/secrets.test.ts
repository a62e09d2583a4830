import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newSecret } from '../../server/kernel/config.ts';
import { dataDirSecret, readPrivate, writePrivate } from '../../server/kernel/secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('a private file', () => {
  test('only its owner can read it, also where it was readable before', () => {
    const file = path.join(folder, 'deep', 'key');
    writePrivate(file, 'first');
    expect(modeOf(file)).toBe(0o600);
    writePrivate(file, 'second');
    expect(modeOf(file)).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('second\n');
  });

  test('it is written whole, and no temporary file stays behind', () => {
    const file = path.join(folder, 'key');
    writePrivate(file, 'text');
    expect(readdirSync(folder)).toEqual(['key']);
    expect(readPrivate(file)).toBe('text');
    expect(readPrivate(path.join(folder, 'missing'))).toBeNull();
  });
});

describe('the secret of a data folder', () => {
  test('it is made once and stays, so that sessions survive a restart', () => {
    const secret = dataDirSecret(folder);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(dataDirSecret(folder)).toBe(secret);
    expect(modeOf(path.join(folder, 'auth-secret'))).toBe(0o600);
  });

  test('processes that start together on an empty folder all have the same, and leave nothing else behind', async () => {
    const script = `import { dataDirSecret } from ${JSON.stringify(path.resolve('server/kernel/secrets.ts'))};
      process.stdout.write(dataDirSecret(process.argv[1]));`;
    const run = promisify(execFile);
    const secrets = await Promise.all(
      Array.from({ length: 8 }, () => run(process.execPath, ['--input-type=module', '-e', script, folder])),
    );
    expect(new Set(secrets.map(({ stdout }) => stdout))).toEqual(new Set([dataDirSecret(folder)]));
    expect(readdirSync(folder)).toEqual(['auth-secret']);
  });

  test('an empty file, as a crash of the machine leaves it, counts as missing', () => {
    writeFileSync(path.join(folder, 'auth-secret'), '');
    expect(Buffer.from(dataDirSecret(folder), 'base64url')).toHaveLength(32);
  });

  test('no two folders have the same', () => {
    expect(existsSync(path.join(folder, 'auth-secret'))).toBe(false);
    expect(dataDirSecret(path.join(folder, 'a'))).not.toBe(dataDirSecret(path.join(folder, 'b')));
    expect(newSecret()).not.toBe(newSecret());
  });
});
