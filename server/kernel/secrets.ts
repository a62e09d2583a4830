import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { type Config, newSecret } from './config.ts';

const PRIVATE = 0o600;

/** Writes a file only its owner can read, all or nothing. */
export function writePrivate(file: string, text: string): void {
  renameSync(draftOf(file, text), file);
}

/** Returns the private file's text. The first of several starting processes creates it, and all get the same text. */
export function ensurePrivate(file: string, make: () => string): string {
  const known = readPrivate(file);
  if (known) return known;
  if (known === '') rmSync(file);
  const draft = draftOf(file, make());
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    rmSync(draft);
  }
  return ensurePrivate(file, make);
}

function draftOf(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${text}\n`, { mode: PRIVATE });
  chmodSync(draft, PRIVATE);
  return draft;
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

export const readPrivate = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/**
 * Returns the keys that seal credentials of venues. In production they are set or there are none: a file beside the database
 * would be lost or stolen with it.
 */
export function credentialKeysOf(
  { credentialKeys, production }: Pick<Config, 'credentialKeys' | 'production'>,
  dataDir: string,
): KeyRing | null {
  return credentialKeys ?? (production ? null : KeyRing.parse(ownCredentialKeys(dataDir)));
}

/** Returns this data folder's keys, which seal credentials of venues. */
const ownCredentialKeys = (dataDir: string): string =>
  ensurePrivate(path.join(dataDir, 'credential-keys'), newCredentialKeys);

const newCredentialKeys = (): string => `k1:${randomBytes(32).toString('base64')}`;

/** Returns the secret of this data folder, created at its first start: sessions and cursors survive a restart. */
export const dataDirSecret = (dataDir: string): string =>
  ensurePrivate(path.join(dataDir, 'auth-secret'), newSecret);
