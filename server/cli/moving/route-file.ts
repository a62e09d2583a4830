/**
 * The files by which HAProxy finds accounts that have moved (`ops/haproxy-cells.cfg`): lines of a digest and a cell. Moves at the
 * same time change them one after the other.
 */

import { chmodSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Stands beside the other file, readable by its owner alone. */
const KEY_FILE = 'email-key.map';
/** A change takes milliseconds. */
const LOCKED_WITHIN_MS = 10_000;

type Change = {
  readonly digests: readonly Uint8Array[];
  /** The cell that these digests lead to from now on. */
  readonly cell: number;
  /** Null: that file stays. */
  readonly emailKey: Uint8Array | null;
};

/** A digest in hexadecimal, and the name of the cell that it leads to. */
export type Route = { readonly digest: string; readonly cell: string };

/** Changes nothing. @throws Error as {@link changeRoutes}, before an account moves */
export const tryRoutes = (file: string): void =>
  void changeRoutes(file, { digests: [], cell: 0, emailKey: null });

/**
 * Replaces the lines of these digests, and returns the new ones. Other lines stay, also those that another process writes meanwhile.
 *
 * @throws Error that names the file and the remedy
 */
export function changeRoutes(file: string, { digests, cell, emailKey }: Change): Route[] {
  const own = new Set(digests.map((digest) => Buffer.from(digest).toString('hex').toUpperCase()));
  const routes = [...own].map((digest) => ({ digest, cell: `cell${cell}` }));
  try {
    // By another name it is the same file, with the same lock.
    const map = realpathSync(file);
    // A lock of the system, by a database that stays empty: it ends with its process.
    using lock = new DatabaseSync(`${map}.lock`, { timeout: LOCKED_WITHIN_MS });
    lock.exec('begin exclusive');
    const others = linesOf(map).filter((line) => !own.has(line.split(' ')[0] ?? ''));
    const lines = [...others, ...routes.map((route) => `${route.digest} ${route.cell}`)];
    // The key first: a proxy that knows the lines has read it too.
    if (emailKey !== null)
      replaceFile(
        path.join(path.dirname(file), KEY_FILE),
        [`email ${Buffer.from(emailKey).toString('base64')}`],
        0o600,
      );
    // HAProxy may read it as another user.
    replaceFile(map, lines, statSync(map).mode);
    return routes;
  } catch (error) {
    throw new Error(
      `The routes in ${file} cannot be changed: ${error instanceof Error ? error.message : error}. The file has to exist, if only empty, this user has to write to its folder, and no other move may hold its lock. Then call the command again: with the id of the account it completes a move that has begun.`,
      { cause: error },
    );
  }
}

function replaceFile(file: string, lines: readonly string[], mode: number): void {
  const text = lines.map((line) => `${line}\n`).join('');
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);
