/**
 * A copy of the whole built-in database while it runs, over the replication protocol, in the form of
 * `pg_basebackup --format=tar --gzip`: a folder with `base.tar.gz` and `backup_manifest`.
 * Protocol: https://www.postgresql.org/docs/18/protocol-replication.html (BASE_BACKUP).
 */
import { createWriteStream, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { removeTree } from './folders.ts';

export const BASE_ARCHIVE = 'base.tar.gz';
export const MANIFEST = 'backup_manifest';
const NAME = /^trading-\d{8}T\d{6}Z$/;
/** Twice the tolerance for a frozen disk elsewhere: then the server counts as gone. */
const SILENCE_MAX_MS = 120_000;

/** The address of the server, and its superuser. */
export type Login = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
};

export type BackupOptions = {
  /** The folder of the backups, created if missing. */
  readonly folder: string;
  /** The number of backups that stay there, including this one. */
  readonly keep: number;
  /** Receives the number of bytes read so far. */
  readonly progress: (bytes: number) => void;
  readonly signal: AbortSignal;
};

export type Backup = { readonly dir: string; readonly bytes: number; readonly removed: readonly string[] };

/**
 * Copies the database as of the end of the copy: it contains every change acknowledged before. The folder appears
 * under its name when it is complete and on disk.
 *
 * @throws Error when the server ends the copy, or the signal does; nothing is left behind then.
 */
export async function takeBackup(
  login: Login,
  { folder, keep, progress, signal }: BackupOptions,
): Promise<Backup> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = path.join(folder, `.backup.${process.pid}.part`);
  removeTree(draft);
  mkdirSync(draft, { mode: 0o700 });
  try {
    const { bytes, manifest } = await copyBase(login, path.join(draft, BASE_ARCHIVE), progress, signal);
    writeFileSync(path.join(draft, MANIFEST), manifest, { mode: 0o600 });
    for (const name of [BASE_ARCHIVE, MANIFEST, '.']) await flush(path.join(draft, name));
    const dir = path.join(folder, nameAt(new Date()));
    renameSync(draft, dir);
    await flush(folder);
    return { dir, bytes, removed: removeOldest(folder, keep) };
  } finally {
    removeTree(draft);
  }
}

/** The backups of a folder, oldest first. */
export const backupsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => path.join(folder, name));

/** The time at which a backup was complete, from its name. */
export function takenAt(dir: string): Date | null {
  const [, year, month, day, hour, minute, second] =
    /^trading-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(path.basename(path.resolve(dir))) ?? [];
  return year === undefined ? null : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const nameAt = (now: Date): string => `trading-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;

function removeOldest(folder: string, keep: number): string[] {
  const removed = backupsIn(folder).slice(0, -keep);
  for (const dir of removed) removeTree(dir);
  return removed;
}

/** Streams the one archive to a file, however slow the disk is, and returns the manifest that follows it. */
async function copyBase(
  login: Login,
  file: string,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ bytes: number; manifest: string }> {
  // A replication session, which the types lack.
  const session: pg.ClientConfig & { replication: string } = {
    ...login,
    database: 'postgres',
    replication: 'database',
  };
  const client = new pg.Client(session);
  client.on('error', () => {}); // the query says why it ended
  await client.connect();
  const { connection } = client;
  const archive = new PassThrough();
  const copied = { bytes: 0, manifest: '' };
  let archives = 0;
  let isManifest = false;
  const stop = () => connection.stream.destroy(new Error('The backup was stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  if (connection.stream instanceof Socket) {
    connection.stream.setTimeout(SILENCE_MAX_MS, () =>
      connection.stream.destroy(new Error(`The database said nothing for ${SILENCE_MAX_MS / 1_000} s.`)),
    );
  }
  archive.on('drain', () => connection.stream.resume());
  connection.on('copyData', ({ chunk }) => {
    const body = chunk.subarray(1);
    switch (String.fromCharCode(chunk[0] ?? 0)) {
      case 'n':
        archives += 1;
        break;
      case 'm':
        isManifest = true;
        break;
      case 'd':
        if (isManifest) copied.manifest += body.toString('utf8');
        else {
          copied.bytes += body.length;
          progress(copied.bytes);
          if (!archive.write(Buffer.from(body))) connection.stream.pause();
        }
    }
  });
  const written = pipeline(archive, createGzip({ level: 1 }), createWriteStream(file, { mode: 0o600 }));
  const command = client
    // The copy contains the log that it needs: it waits for no archive, which may be away when a backup is needed most.
    .query(
      "BASE_BACKUP (LABEL 'trading', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
    )
    .then(
      () => archive.end(),
      (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  try {
    await Promise.all([written, command]);
    signal.throwIfAborted();
    if (archives !== 1) throw new Error(`The database sent ${archives} archives, one was expected.`);
    return copied;
  } finally {
    signal.removeEventListener('abort', stop);
    connection.stream.resume();
    await client.end().catch(() => {});
  }
}

async function flush(target: string): Promise<void> {
  const file = await open(target, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
