/** Restores a backup of the built-in database into a data folder without a database. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { BASE_ARCHIVE, MANIFEST, takenAt } from './backup.ts';
import { claimPrivateFolder, prepareDataFolder, removeTree } from './folders.ts';
import { type ServerUser, serverUserFor } from './server-user.ts';
import { restoreCommand } from './wal-archive.ts';

/** The form that PostgreSQL writes; fields not read here may differ between its versions. */
const Manifest = z.object({
  Files: z.array(
    z.object({
      Path: z.string().optional(),
      Size: z.number().int().nonnegative(),
      'Checksum-Algorithm': z.literal('SHA256').optional(),
      Checksum: z.string().optional(),
    }),
  ),
  'Manifest-Checksum': z.string(),
});

type Seen = { readonly size: number; readonly sha256: string };

export type RestoreOptions = {
  /** The folder that holds the archive and its manifest. */
  readonly backup: string;
  /** The data folder. */
  readonly dir: string;
  /** The folder of the WAL archive; null restores the state of the backup itself. */
  readonly walArchive: string | null;
  /** The instant up to which the archived WAL is replayed; null: as far as it goes. */
  readonly until: Date | null;
};

/**
 * Unpacks a backup, compares every file with the manifest, and puts it in place as `<dir>/data`. The next start of the
 * database brings it to a consistent state. It begins a new timeline, so that an archive never mixes two histories.
 *
 * @returns how many files were compared
 * @throws Error when a database exists already, the backup is damaged, or the requested instant lies before its end
 */
export async function restoreBackup({ backup, dir, walArchive, until }: RestoreOptions): Promise<number> {
  const taken = takenAt(backup);
  if (until !== null && taken !== null && until < taken) {
    throw new Error(
      `${backup} was taken until ${taken.toISOString()}, which is after ${until.toISOString()}: choose an older backup.`,
    );
  }
  if (until !== null && walArchive === null) {
    throw new Error('An instant can only be reached with the archived log: set WAL_ARCHIVE to its folder.');
  }
  const user = serverUserFor(path.resolve(dir));
  const real = prepareDataFolder(dir, user);
  const data = path.join(real, 'data');
  if (existsSync(data) && readdirSync(data).length > 0) {
    throw new Error(`${data} is there already: move it away, or set DATA_DIR to another folder.`);
  }
  const draft = path.join(real, `data.${process.pid}.restore`);
  removeTree(draft);
  try {
    claimPrivateFolder(draft, user);
    const seen = await unpack(path.join(backup, BASE_ARCHIVE), draft);
    const compared = compare(readManifest(path.join(backup, MANIFEST)), seen);
    appendFileSync(path.join(draft, 'postgresql.auto.conf'), recoverySettings(walArchive, until));
    writeFileSync(path.join(draft, 'recovery.signal'), '', { mode: 0o600 });
    if (user) giveTo(draft, user);
    renameSync(draft, data);
    return compared;
  } finally {
    removeTree(draft);
  }
}

function recoverySettings(walArchive: string | null, until: Date | null): string {
  const lines = [
    '',
    `restore_command = '${restoreCommand(walArchive).replaceAll("'", "''")}'`,
    "recovery_target_action = 'promote'",
    `recovery_target_time = '${until === null ? '' : inPostgres(until)}'`,
  ];
  return `${lines.join('\n')}\n`;
}

/** PostgreSQL accepts no `T` and no `Z` in a setting. */
const inPostgres = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '+00');

/** Writes the files of the archive, nothing outside the folder, and returns the facts of each file. */
async function unpack(archive: string, into: string): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const entries = extract();
  const written = (async () => {
    for await (const entry of entries) {
      const { name, type, mode = 0o600 } = entry.header;
      const target = inside(into, name);
      if (type === 'directory') {
        mkdirSync(target, { recursive: true, mode: 0o700 });
        entry.resume();
        continue;
      }
      if (type !== 'file') throw new Error(`${archive} holds ${name}, which is neither a file nor a folder.`);
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
      const { meter, result } = measured();
      await pipeline(
        entry,
        meter,
        createWriteStream(target, { mode: mode & 0o700, flags: 'wx', flush: true }),
      );
      seen.set(path.relative(into, target).split(path.sep).join('/'), result());
    }
  })();
  await Promise.all([pipeline(createReadStream(archive), createGunzip(), entries), written]);
  return seen;
}

function inside(folder: string, name: string): string {
  const target = path.resolve(folder, name);
  if (target === folder || target.startsWith(folder + path.sep)) return target;
  throw new Error(`The archive names ${name}, which lies outside of it.`);
}

function measured(): { meter: Transform; result: () => Seen } {
  const hash = createHash('sha256');
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  return { meter, result: () => ({ size, sha256: hash.digest('hex') }) };
}

function readManifest(file: string): z.infer<typeof Manifest> {
  const text = readFileSync(file, 'utf8');
  const manifest = Manifest.parse(JSON.parse(text));
  // Its last line is its own checksum, over all lines before it.
  const covered = text.slice(0, text.lastIndexOf('"Manifest-Checksum"'));
  const sha256 = createHash('sha256').update(covered).digest('hex');
  if (sha256 !== manifest['Manifest-Checksum'])
    throw new Error(`${file} is damaged: its checksum is another.`);
  return manifest;
}

function compare({ Files }: z.infer<typeof Manifest>, seen: ReadonlyMap<string, Seen>): number {
  for (const { Path, Size, Checksum } of Files) {
    if (Path === undefined || Checksum === undefined)
      throw new Error('The manifest names a file without its checksum.');
    const file = seen.get(Path);
    if (file === undefined) throw new Error(`The backup is damaged: ${Path} is missing.`);
    if (file.size !== Size || file.sha256 !== Checksum) {
      throw new Error(`The backup is damaged: ${Path} is not what was copied.`);
    }
  }
  const known = new Set(Files.map(({ Path }) => Path));
  const stray = [...seen.keys()].find((file) => !known.has(file) && !file.startsWith('pg_wal/'));
  if (stray !== undefined) throw new Error(`The backup is damaged: ${stray} does not belong to it.`);
  return Files.length;
}

function giveTo(folder: string, user: ServerUser): void {
  lchownSync(folder, user.uid, user.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}
