/**
 * The WAL archive of the built-in database: a backup and the archive restore any instant since the backup. Each segment is
 * compressed, and appears under its name when it is complete.
 * https://www.postgresql.org/docs/18/continuous-archiving.html
 */
import { existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ServerUser } from './server-user.ts';
import type { ServerSettings } from './settings.ts';

/** A segment is archived after this time even if it is not full: the most that a lost disk costs. */
const ARCHIVE_TIMEOUT_SEC = 60;
/** A segment: timeline, and its number. */
const SEGMENT = /^[0-9A-F]{24}/;

/**
 * The archive settings of the server. It never overwrites a segment with another one: it keeps retrying, and its log
 * says so.
 *
 * @throws Error for a folder whose name cannot be quoted simply in a shell, and on Windows
 */
export function archiveSettings(folder: string): ServerSettings {
  const target = commandPath(folder);
  const archived = `"${target}/%f.gz"`;
  const draft = `"${target}/%f.part"`;
  return {
    archive_mode: 'on',
    archive_timeout: ARCHIVE_TIMEOUT_SEC,
    archive_command: `if test -f ${archived}; then gzip -dc ${archived} | cmp -s - "%p"; else gzip -c "%p" > ${draft} && sync ${draft} && mv ${draft} ${archived}; fi`,
  };
}

/**
 * The command by which a restored database reads the WAL. Without an archive it finds none, and ends where its backup ended.
 */
export function restoreCommand(folder: string | null): string {
  if (folder === null) return process.platform === 'win32' ? 'exit 1' : 'false';
  return `gzip -dc "${commandPath(folder)}/%f.gz" > "%p"`;
}

/** Makes the folder, for the server's user to write in. */
export function prepareArchive(folder: string, user: ServerUser | null): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined && user) lchownSync(folder, user.uid, user.gid);
}

/** Removes the segments before the first one of a backup. Returns how many. */
export function removeSegmentsBefore(folder: string, manifest: string): number {
  const first = firstSegmentOf(readFileSync(manifest, 'utf8'));
  if (first === null || !existsSync(folder)) return 0;
  // Timelines differ in the first eight digits; within one, names are in order.
  const old = readdirSync(folder).filter((name) => SEGMENT.test(name) && name.slice(8, 24) < first);
  for (const name of old) rmSync(path.join(folder, name), { force: true });
  return old.length;
}

/** Segments are 16 MiB. A name holds the log's number and the segment's within it, eight hexadecimal digits each. */
function firstSegmentOf(manifest: string): string | null {
  const [, high, low] = /"Start-LSN":\s*"([0-9A-F]+)\/([0-9A-F]+)"/.exec(manifest) ?? [];
  if (high === undefined || low === undefined) return null;
  const segment = (Number.parseInt(low, 16) >>> 24).toString(16).toUpperCase();
  return high.padStart(8, '0') + segment.padStart(8, '0');
}

function commandPath(folder: string): string {
  if (process.platform === 'win32') throw new Error('WAL_ARCHIVE works on Linux and macOS only.');
  const target = path.resolve(folder);
  if (/^[\w./ +@:,=-]+$/.test(target)) return target;
  throw new Error(`WAL_ARCHIVE is ${target}: name a folder of letters, digits and . / _ - + @ : , = alone.`);
}
