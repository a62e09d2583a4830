import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASE_ARCHIVE, MANIFEST, takeBackup, takenAt } from '../../db/embedded/backup.ts';
import { restoreBackup } from '../../db/embedded/restore.ts';
import { archiveSettings, removeSegmentsBefore } from '../../db/embedded/wal-archive.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded.ts';
import { EmbeddedFolders } from '../support/embedded.ts';

const playground = new EmbeddedFolders();
const archive = path.join(playground.root, 'wal');
let running: EmbeddedPostgres;
let writer: pg.Client;

const login = ({ host, port, user, password }: EmbeddedPostgres) => ({ host, port, user, password });

beforeAll(async () => {
  running = await startEmbeddedPostgres({
    dir: playground.dir('running'),
    durable: false,
    walArchive: archive,
  });
  writer = new pg.Client({ ...login(running), database: 'postgres' });
  await writer.connect();
  await writer.query(
    'create table written (number int primary key, at timestamptz default clock_timestamp())',
  );
});

afterAll(async () => {
  await writer.end();
  await playground[Symbol.asyncDispose]();
});

const write = (number: number) => writer.query('insert into written (number) values ($1)', [number]);

let folders = 0;
/** Makes a backup in a folder of its own. */
async function backUp(options: Partial<Parameters<typeof takeBackup>[1]> = {}) {
  folders += 1;
  const folder = path.join(playground.root, `backups-${folders}`);
  const signal = new AbortController().signal;
  return await takeBackup(login(running), { folder, keep: 7, progress: () => {}, signal, ...options });
}

/** Returns the numbers in a restored database, and stops it. */
async function numbersIn(dir: string): Promise<number[]> {
  const embedded = await startEmbeddedPostgres({ dir, durable: false });
  const client = new pg.Client({ ...login(embedded), database: 'postgres' });
  await client.connect();
  const { rows } = await client.query<{ number: number }>('select number from written order by number');
  await client.end();
  await embedded.stop();
  return rows.map(({ number }) => number);
}

const plain = { walArchive: null, until: null };

test('a transaction acknowledged before a backup ended is in it, also if it was written during the backup', {
  tags: ['long'],
}, async () => {
  await write(1);
  let meanwhile: Promise<unknown> | null = null;
  const { dir: backup } = await backUp({
    progress: () => {
      meanwhile ??= write(2);
    },
  });
  await meanwhile;
  const dir = playground.dir('whole');
  expect(await restoreBackup({ backup, dir, ...plain })).toBeGreaterThan(500);
  const found = await numbersIn(dir);
  expect(found).toContain(1);
  // Acknowledged during the copy: before its end or not, never half.
  expect([1, 2]).toEqual(expect.arrayContaining(found));
});

test('the archived log restores any instant since a backup, and no other', {
  tags: ['long'],
}, async () => {
  const { dir: backup } = await backUp();
  await write(10);
  // A recovery target has milliseconds, so it must be at least one later than the row's instant.
  await new Promise((done) => setTimeout(done, 5));
  const { rows } = await writer.query<{ now: Date }>('select clock_timestamp() as now');
  const until = rows[0]?.now ?? new Date();
  await new Promise((done) => setTimeout(done, 20));
  await write(11);
  await writer.query('select pg_switch_wal()');
  await expect.poll(() => segmentsSince(backup), { timeout: 20_000 }).toBeGreaterThan(1);

  const dir = playground.dir('instant');
  await restoreBackup({ backup, dir, walArchive: archive, until });
  const found = await numbersIn(dir);
  expect(found).toContain(10);
  expect(found).not.toContain(11);
  const all = playground.dir('all');
  await restoreBackup({ backup, dir: all, walArchive: archive, until: null });
  expect(await numbersIn(all)).toContain(11);
});

/** Archived segments since a backup began. */
function segmentsSince(backup: string): number {
  const start = /"Start-LSN": "[0-9A-F]+\/([0-9A-F]+)"/.exec(
    readFileSync(path.join(backup, MANIFEST), 'utf8'),
  )?.[1];
  const first = Number.parseInt(start ?? '0', 16) >>> 24;
  return readdirSync(archive).filter(
    (name) => /^[0-9A-F]{24}\.gz$/.test(name) && Number.parseInt(name.slice(16, 24), 16) >= first,
  ).length;
}

test('segments that the oldest backup does not need are deleted, the others stay', {
  tags: ['long'],
}, async () => {
  const { dir: backup } = await backUp();
  const manifest = path.join(backup, MANIFEST);
  const own = path.join(playground.root, 'old-wal');
  mkdirSync(own);
  const old = '000000010000000000000000.gz';
  const later = '0000000100000000000000FF.gz';
  for (const name of [old, later, '00000002.history.gz']) writeFileSync(path.join(own, name), '');
  expect(removeSegmentsBefore(own, manifest)).toBe(1);
  expect(readdirSync(own).sort()).toEqual([later, '00000002.history.gz'].sort());
});

test('the newest backups of a folder stay, older ones are deleted', async () => {
  const folder = path.join(playground.root, 'few');
  for (const name of ['trading-20200101T000000Z', 'trading-20210101T000000Z', 'notes'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const { dir, removed } = await backUp({ folder, keep: 2 });
  expect(removed.map((old) => path.basename(old))).toEqual(['trading-20200101T000000Z']);
  expect(readdirSync(folder).sort()).toEqual(['notes', 'trading-20210101T000000Z', path.basename(dir)]);
});

test('a backup completes although the log cannot be archived: it contains the log that it needs', async () => {
  const away = `${archive}-away`;
  renameSync(archive, away);
  try {
    const { dir: backup } = await backUp();
    const dir = playground.dir('unarchived');
    await restoreBackup({ backup, dir, ...plain });
    expect(existsSync(path.join(dir, 'data'))).toBe(true);
  } finally {
    renameSync(away, archive);
  }
});

test('a backup that is stopped leaves nothing behind', async () => {
  const folder = path.join(playground.root, 'stopped');
  const stopping = new AbortController();
  const stopped = backUp({
    folder,
    signal: stopping.signal,
    progress: () => stopping.abort(new Error('enough')),
  });
  await expect(stopped).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

describe('refused, and nothing is restored:', () => {
  let backup: string;
  beforeAll(async () => {
    backup = (await backUp()).dir;
  });

  const refusal = async (
    name: string,
    message: string,
    options: Partial<Parameters<typeof restoreBackup>[0]>,
  ) => {
    const dir = playground.dir(name);
    await expect(restoreBackup({ backup, dir, ...plain, ...options })).rejects.toThrow(message);
    expect(existsSync(path.join(dir, 'data'))).toBe(false);
  };

  /** The backup with other entries. */
  async function altered(
    name: string,
    alter: (entry: { name: string; body: Buffer }) => { name: string; body: Buffer } | null,
  ) {
    const folder = path.join(playground.root, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, MANIFEST), readFileSync(path.join(backup, MANIFEST)));
    const entries = extract();
    const written = pack();
    const copied = (async () => {
      for await (const entry of entries) {
        const body = await buffer(entry);
        if (entry.header.type !== 'file') continue;
        const other = alter({ name: entry.header.name, body });
        if (other !== null) written.entry({ name: other.name, mode: 0o600 }, other.body);
      }
      written.finalize();
    })();
    await Promise.all([
      pipeline(createReadStream(path.join(backup, BASE_ARCHIVE)), createGunzip(), entries),
      pipeline(written, createGzip({ level: 1 }), createWriteStream(path.join(folder, BASE_ARCHIVE))),
      copied,
    ]);
    return folder;
  }

  test('a folder with an existing database', async () => {
    const restored = restoreBackup({ backup, dir: running.dir, ...plain });
    await expect(restored).rejects.toThrow('is there already');
  });

  test('an instant without the archived log', () =>
    refusal('no-log', 'set WAL_ARCHIVE', { until: new Date('2100-01-01T00:00:00Z') }));

  test('an instant before the end of the backup', async () => {
    const restored = restoreBackup({
      backup,
      dir: playground.dir('early'),
      walArchive: archive,
      until: new Date((takenAt(backup)?.getTime() ?? 0) - 1_000),
    });
    await expect(restored).rejects.toThrow('choose an older backup');
  });

  test('a file of which one byte was changed', { tags: ['long'] }, async () => {
    const changed = await altered('changed', ({ name, body }) => {
      const other = Buffer.from(body);
      if (name === 'PG_VERSION') other[0] = 0x39;
      return { name, body: other };
    });
    await refusal('from-changed', 'PG_VERSION is not what was copied', { backup: changed });
  });

  test('a file that is missing', { tags: ['long'] }, async () => {
    const less = await altered('less', (entry) => (entry.name === 'global/pg_control' ? null : entry));
    await refusal('from-less', 'global/pg_control is missing', { backup: less });
  });

  test('a file outside of its folder', async () => {
    const outside = await altered('outside', ({ name, body }) => ({
      name: name === 'PG_VERSION' ? '../../stray' : name,
      body,
    }));
    await refusal('from-outside', 'lies outside', { backup: outside });
    expect(existsSync(path.join(playground.root, 'stray'))).toBe(false);
  });

  test('a manifest of which one byte was changed', { tags: ['long'] }, async () => {
    const other = path.join(playground.root, 'other-manifest');
    mkdirSync(other);
    const manifest = readFileSync(path.join(backup, MANIFEST), 'utf8');
    writeFileSync(path.join(other, MANIFEST), manifest.replace('"Size": 3', '"Size": 4'));
    const copy = createWriteStream(path.join(other, BASE_ARCHIVE));
    createReadStream(path.join(backup, BASE_ARCHIVE)).pipe(copy);
    await once(copy, 'finish');
    const restored = restoreBackup({ backup: other, dir: playground.dir('from-other'), ...plain });
    await expect(restored).rejects.toThrow('its checksum is another');
  });

  test('a folder for the log whose name a shell would split', () => {
    expect(() => archiveSettings('/tmp/a"; rm -rf b')).toThrow('name a folder of letters');
  });
});
