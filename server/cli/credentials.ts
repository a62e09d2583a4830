/**
 * The keys that credentials of venues are kept under: `npm run credentials -- list` says which key wraps how many,
 * `npm run credentials -- rewrap` moves them to the first key of `CREDENTIAL_KEYS`. Both run beside the service, and may be
 * stopped and run again. Exit code 0 if all that was asked for is done, else 1. Nothing secret is printed.
 */
import { isNothingThere } from '../../db/failures.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import type { KeyRing } from '../../engine/connections/key-ring.ts';
import { readKeyUse, rewrapCredentials } from '../../engine/connections/rewrap.ts';
import { reasonOf } from '../connection.ts';
import { finishBeforeStopping } from '../stop-signal.ts';
import { openOperation } from './operation.ts';

const USAGE = 'Usage: npm run credentials -- list | npm run credentials -- rewrap';

async function list(db: Db, keys: KeyRing): Promise<boolean> {
  const uses = await readKeyUse(db);
  if (uses.length === 0) console.log('No credentials are kept.');
  for (const { keyId, credentials } of uses) {
    console.log(`${keyId}: ${counted(credentials)}, ${placeOf(keyId, keys)}`);
  }
  return true;
}

function placeOf(keyId: string, keys: KeyRing): string {
  if (keyId === keys.currentKeyId) return 'the first key: new ones are wrapped with it';
  return keys.has(keyId) ? 'a further key' : 'not among the keys: they are locked';
}

async function rewrap(db: Db, keys: KeyRing, stopping: AbortSignal): Promise<boolean> {
  let moved = 0;
  for await (const page of rewrapCredentials(db, keys)) {
    moved += page.moved;
    for (const { connectionId, reason } of page.failed)
      console.error(`Connection ${connectionId}: ${reason}`);
    console.error(`${moved} moved so far.`);
    if (stopping.aborted) break;
  }
  // Counted anew: a process that still runs with another first key may have wrapped with that meanwhile.
  const others = (await readKeyUse(db)).filter(({ keyId }) => keyId !== keys.currentKeyId);
  console.log(`Moved to ${keys.currentKeyId}: ${counted(moved)}.`);
  for (const { keyId, credentials } of others) {
    console.log(`Still under ${keyId}: ${counted(credentials)}. Do not take that key away.`);
  }
  return others.length === 0;
}

const counted = (credentials: number): string =>
  `credentials of ${credentials} ${credentials === 1 ? 'connection' : 'connections'}`;

async function run(command: 'list' | 'rewrap', stopping: AbortSignal): Promise<boolean> {
  const { pool, keys, close } = await openOperation();
  try {
    if (keys === null) throw new Error('CREDENTIAL_KEYS is not set');
    return command === 'list'
      ? await list(systemDb(pool), keys)
      : await rewrap(systemDb(pool), keys, stopping);
  } finally {
    await close();
  }
}

const [command] = process.argv.slice(2);
if (command !== 'list' && command !== 'rewrap') {
  console.error(USAGE);
  process.exit(1);
}
try {
  if (!(await run(command, finishBeforeStopping()))) process.exitCode = 1;
} catch (error) {
  console.error(
    isNothingThere(error)
      ? 'There is no database yet: start the service once.'
      : `Nothing more was done: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}
