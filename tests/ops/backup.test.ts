import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = path.join(import.meta.dirname, '../../ops/compose/backup.sh');
const EARLIER = ['trading-20261101T000000Z.dump', 'trading-20261102T000000Z.dump'];

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'backup-'));
  mkdirSync(path.join(dir, 'bin'));
  mkdirSync(path.join(dir, 'backups'));
  for (const name of EARLIER) writeFileSync(path.join(dir, 'backups', name), 'earlier');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the script with PostgreSQL's programs in name only. The last line of each is its exit code. */
function backUp(programs: Readonly<Record<string, string>>, ...args: string[]) {
  const dump = 'for arg; do case $arg in --file=*) echo dump > "$(echo "$arg" | cut -c8-)";; esac; done';
  for (const [name, text] of Object.entries({ pg_dump: dump, pg_restore: 'true', ...programs })) {
    const file = path.join(dir, 'bin', name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }
  const env = {
    PATH: `${dir}/bin:${process.env['PATH']}`,
    FOLDER: `${dir}/backups`,
    KEEP: '2',
    TRIES: `${dir}/tries`,
  };
  const { status } = spawnSync('sh', [SCRIPT, ...args], { env, timeout: 30_000 });
  return { status, files: readdirSync(path.join(dir, 'backups')).sort() };
}

test('the nightly dump replaces the oldest one, once it is recorded', () => {
  const { status, files } = backUp({ psql: 'true' }, 'once');
  expect([status, files.length]).toEqual([0, 2]);
  expect(files[0]).toBe(EARLIER[1]);
});

test('dumps that could not be recorded, of a database without tables, replace no earlier one and do not pile up', () => {
  const refused = backUp({ psql: 'exit 1' }, 'once');
  expect(refused).toEqual({ status: 1, files: ['trading.part', ...EARLIER].sort() });
  const counted = 'echo >> "$TRIES"; [ "$(wc -l < "$TRIES")" -gt 3 ]';
  const { files } = backUp({ psql: counted, sleep: '[ "$1" = 60 ]' }); // no second day
  expect(readFileSync(path.join(dir, 'tries'), 'utf8')).toHaveLength(4);
  expect(files).toHaveLength(2);
  expect(files[0]).toBe(EARLIER[1]);
});

test('a dump that is not whole is recorded as failed, and replaces no earlier one', () => {
  const { status, files } = backUp({ pg_restore: 'false', psql: 'echo "$@" > "$TRIES"' }, 'once');
  expect([status, files.filter((name) => name.endsWith('.dump'))]).toEqual([1, EARLIER]);
  expect(readFileSync(path.join(dir, 'tries'), 'utf8')).toContain("('backup', clock_timestamp(), false");
});
