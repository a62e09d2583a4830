import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSecret } from './config.ts';

const PRIVATE = 0o600;

/** Writes a file only its owner can read, whole or not at all. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: PRIVATE });
  chmodSync(draft, PRIVATE);
  renameSync(draft, file);
}

export const readPrivate = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/** The secret of this data folder, made at its first start: sessions and cursors survive a restart. */
export function ownSecret(dataDir: string): string {
  const file = path.join(dataDir, 'auth-secret');
  const known = readPrivate(file);
  if (known) return known;
  writePrivate(file, newSecret());
  return readPrivate(file) ?? newSecret();
}
