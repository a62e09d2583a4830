/**
 * Manages the keys that seal credentials of venues and secrets of channels. `npm run credentials -- list` prints how many rows
 * each key wraps. `npm run credentials -- rewrap` moves all rows to the first key of `CREDENTIAL_KEYS`. Both run beside the
 * service, and can be interrupted and repeated. Exit code 0 if everything was done, else 1. Prints no secrets.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { readSecretUse, rewrapSecrets } from '../../engine/notifications/rewrap.ts';
import type { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { readKeyUse, rewrapCredentials } from '../../engine/trading/connections/credentials/rewrap.ts';
import { readSecondFactorUse, rewrapSecondFactorKey } from '../identity/factors/second-factor-key.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';

const USAGE = 'Usage: npm run credentials -- list | npm run credentials -- rewrap';

const SECOND_FACTORS = 'the key of second factors';

/** A sentence about what a key wraps. */
type Use = { readonly keyId: string; readonly what: string };

async function readUse(db: Db): Promise<Use[]> {
  const keyId = await readSecondFactorUse(db);
  return [
    ...(keyId === null ? [] : [{ keyId, what: SECOND_FACTORS }]),
    ...(await readKeyUse(db)).map(({ keyId, credentials }) => ({ keyId, what: counted(credentials) })),
    ...(await readSecretUse(db)).map(({ keyId, secrets }) => ({ keyId, what: countedSecrets(secrets) })),
  ];
}

async function list(db: Db, keys: KeyRing): Promise<boolean> {
  const uses = await readUse(db);
  if (uses.length === 0) console.log('No credentials are stored.');
  for (const { keyId, what } of uses) console.log(`${keyId}: ${what}, ${roleOf(keyId, keys)}`);
  return true;
}

function roleOf(keyId: string, keys: KeyRing): string {
  if (keyId === keys.currentKeyId) return 'the first key: new ones are wrapped with it';
  return keys.has(keyId) ? 'a further key' : 'not among the keys: they are locked';
}

async function rewrap(db: Db, keys: KeyRing, stopping: AbortSignal): Promise<boolean> {
  const moved = await moveCredentials(db, keys, stopping);
  const secrets = stopping.aborted ? 0 : await moveSecrets(db, keys, stopping);
  if (!stopping.aborted && (await rewrapSecondFactorKey(db, keys)))
    console.log(`Moved to ${keys.currentKeyId}: ${SECOND_FACTORS}.`);
  // Counts again: a running process with another first key may have wrapped with it meanwhile.
  const others = (await readUse(db)).filter(({ keyId }) => keyId !== keys.currentKeyId);
  console.log(`Moved to ${keys.currentKeyId}: ${counted(moved)}.`);
  if (secrets > 0) console.log(`Moved to ${keys.currentKeyId}: ${countedSecrets(secrets)}.`);
  for (const { keyId, what } of others) {
    console.log(`Still under ${keyId}: ${what}. Do not take that key away.`);
  }
  return others.length === 0;
}

async function moveCredentials(db: Db, keys: KeyRing, stopping: AbortSignal): Promise<number> {
  let moved = 0;
  for await (const page of rewrapCredentials(db, keys)) {
    moved += page.moved;
    for (const { connectionId, reason } of page.failed)
      console.error(`Connection ${connectionId}: ${reason}`);
    console.error(`${moved} moved so far.`);
    if (stopping.aborted) break;
  }
  return moved;
}

async function moveSecrets(db: Db, keys: KeyRing, stopping: AbortSignal): Promise<number> {
  let moved = 0;
  for await (const page of rewrapSecrets(db, keys)) {
    moved += page.moved;
    for (const { of, reason } of page.failed) console.error(`Of ${of}: ${reason}`);
    if (stopping.aborted) break;
  }
  return moved;
}

const counted = (credentials: number): string =>
  `credentials of ${credentials} ${credentials === 1 ? 'connection' : 'connections'}`;

const countedSecrets = (secrets: number): string =>
  `${secrets} ${secrets === 1 ? 'secret' : 'secrets'} of notifications`;

async function run(command: 'list' | 'rewrap', stopping: AbortSignal): Promise<boolean> {
  const { pool, keys, close } = await openCommandResources();
  try {
    if (keys === null) throw new Error('CREDENTIAL_KEYS is not set');
    return command === 'list'
      ? await list(systemDb(pool), keys)
      : await rewrap(systemDb(pool), keys, stopping);
  } finally {
    await close();
  }
}

const [command] = readCommandLine(USAGE, {}, 1).positionals;
if (command !== 'list' && command !== 'rewrap') refuseCall(USAGE);
try {
  if (!(await run(command, finishBeforeStopping()))) process.exitCode = 1;
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There is no database yet: start the service once.'
      : `Stopped: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}
