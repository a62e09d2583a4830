import type { Db } from '../../db/tables.ts';
import { sealFor, withOpenedFor } from '../trading/connections/credentials/encryption.ts';
import type { KeyWrapper } from '../trading/connections/credentials/key-ring.ts';
import { sealedColumns, sealedOf } from './secrets.ts';

/** Identifies this service to push services (VAPID, RFC 8292): base64url, as browsers take it. */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string };

const NAME = 'vapid';
export const PUSH_KEY_CONTEXT = Buffer.from('push_key|vapid');

/** Returns the key that every process uses. The first process calls `make` and stores its result. */
export async function ensurePushKeys(
  db: Db,
  keys: KeyWrapper,
  now: Date,
  make: () => PushKeys,
): Promise<PushKeys> {
  const known = await readRow(db);
  if (known !== undefined) return opened(known, keys);
  const { publicKey, privateKey } = make();
  const sealed = sealedColumns(await sealFor(PUSH_KEY_CONTEXT, Buffer.from(privateKey), keys));
  await db
    .insertInto('push_key')
    .values({ name: NAME, public_key: publicKey, ...sealed, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await readRow(db);
  if (stored === undefined) throw new Error('The key for push services was not kept.');
  return opened(stored, keys);
}

/** Returns the key by which browsers subscribe; null until a runner has made it. */
export async function readPublicPushKey(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('push_key')
    .select('public_key')
    .where('name', '=', NAME)
    .executeTakeFirst();
  return row?.public_key ?? null;
}

const readRow = (db: Db) => db.selectFrom('push_key').selectAll().where('name', '=', NAME).executeTakeFirst();

type Row = NonNullable<Awaited<ReturnType<typeof readRow>>>;

async function opened(row: Row, keys: KeyWrapper): Promise<PushKeys> {
  const sealed = sealedOf(row);
  if (sealed === null) throw new Error('The key for push services has no envelope.');
  const privateKey = await withOpenedFor(PUSH_KEY_CONTEXT, sealed, keys, (plain) => plain.toString());
  return { publicKey: row.public_key, privateKey };
}
