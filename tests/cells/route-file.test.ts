import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { changeRoutes, tryRoutes } from '../../server/cli/moving/route-file.ts';

const MODULE = path.join(import.meta.dirname, '../../server/cli/moving/route-file.ts');
const PROCESSES = 3;
const CHANGES = 40;
const dir = mkdtempSync(path.join(tmpdir(), 'routes-'));
afterAll(() => rmSync(dir, { recursive: true }));

const fileWith = (name: string, text: string): string => {
  const file = path.join(dir, name);
  writeFileSync(file, text);
  return file;
};
const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

test('moves at the same time lose no line of another one', async () => {
  const file = fileWith('raced.map', 'AA cell7\n');
  const raceOf = (from: number) => `
    import { createHash } from 'node:crypto';
    import { changeRoutes } from ${JSON.stringify(MODULE)};
    for (let id = ${from}; id < ${from + CHANGES}; id++)
      changeRoutes(${JSON.stringify(file)}, { digests: [createHash('sha256').update(String(id)).digest()], cell: 1, emailKey: null });`;
  const processes = Array.from({ length: PROCESSES }, (_, index) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', raceOf(index * CHANGES)]),
  );
  for (const { stderr } of await Promise.all(processes)) expect(stderr).toBe('');
  const digests = Array.from({ length: PROCESSES * CHANGES }, (_, id) =>
    createHash('sha256').update(String(id)).digest('hex').toUpperCase(),
  );
  expect(linesOf(file).sort()).toEqual(['AA cell7', ...digests.map((digest) => `${digest} cell1`)].sort());
});

test('a second move of an account replaces its lines', () => {
  const file = fileWith('twice.map', 'AA cell7\n');
  for (const cell of [1, 2])
    changeRoutes(file, { digests: [Buffer.from('bb', 'hex')], cell, emailKey: null });
  expect(linesOf(file)).toEqual(['AA cell7', 'BB cell2']);
});

test('no line is there before the key that it needs', () => {
  const folder = path.join(dir, 'keyless');
  mkdirSync(path.join(folder, 'email-key.map'), { recursive: true });
  const file = fileWith('keyless/moved-keys.map', 'AA cell7\n');
  const change = { digests: [Buffer.from('bb', 'hex')], cell: 1, emailKey: Buffer.alloc(32) };
  expect(() => changeRoutes(file, change)).toThrow('cannot be changed');
  expect(linesOf(file)).toEqual(['AA cell7']);
});

test('a link to the file stays a link, and the file has the mode of before: HAProxy reads it as another user', () => {
  const file = fileWith('linked.map', 'AA cell7\n');
  chmodSync(file, 0o644);
  const link = path.join(dir, 'link.map');
  symlinkSync(file, link);
  tryRoutes(link);
  changeRoutes(link, { digests: [Buffer.from('bb', 'hex')], cell: 1, emailKey: Buffer.from('key') });
  expect(linesOf(file)).toEqual(['AA cell7', 'BB cell1']);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(statSync(path.join(dir, 'email-key.map')).mode & 0o777).toBe(0o600);
});

test('a process that is killed while it changes the file keeps no lock', async () => {
  const file = fileWith('killed.map', 'AA cell7\n');
  const holder = execFile(process.execPath, [
    '--input-type=module',
    '-e',
    `import { DatabaseSync } from 'node:sqlite';
    const lock = new DatabaseSync(${JSON.stringify(`${file}.lock`)});
    lock.exec('begin exclusive');
    console.log('held');
    setInterval(() => {}, 1_000);`,
  ]);
  await once(holder.stdout ?? holder, 'data');
  writeFileSync(`${file}.new`, 'half a li');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  changeRoutes(file, { digests: [Buffer.from('bb', 'hex')], cell: 1, emailKey: null });
  expect(linesOf(file)).toEqual(['AA cell7', 'BB cell1']);
});

test('a file that cannot be changed is named with the remedy, and stays', () => {
  const remedy = 'The file has to exist, if only empty, this user has to write to its folder,';
  const missing = path.join(dir, 'missing.map');
  expect(() => tryRoutes(missing)).toThrow(`The routes in ${missing} cannot be changed: ENOENT`);
  expect(() => tryRoutes(missing)).toThrow(remedy);
  const file = fileWith('blocked.map', 'AA cell7\n');
  mkdirSync(`${file}.new`);
  expect(() => changeRoutes(file, { digests: [Buffer.from('bb', 'hex')], cell: 1, emailKey: null })).toThrow(
    `The routes in ${file} cannot be changed: EISDIR`,
  );
  expect(linesOf(file)).toEqual(['AA cell7']);
});
