import { sql } from 'kysely';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { transact } from '../../platform/transact.ts';
import type { SignalMessage } from './message.ts';
import { refuseOutOfRange } from './range.ts';
import { lockSignal, rangeOf } from './signals.ts';

/** Values of one signal in any minute. */
export const SIGNAL_VALUES_PER_MINUTE = 60;
/** Stored values of one signal; the oldest are deleted. */
export const SIGNAL_VALUES_MAX = 10_000;
/** A message without an id repeats the one before it, if that is equal and no older than this. */
export const REPETITION_MS = 30_000;
const MINUTE_MS = 60_000;

/** `isDuplicate`: the message had arrived before, and changed nothing. `at`: when it first arrived. */
export type ReceivedSignal = { readonly value: number; readonly at: Date; readonly isDuplicate: boolean };

/**
 * Stores a value of a signal at the instant at which it arrived. Deployments read it at their next tick. The actor is
 * stored with it; one that a person sent is in the audit trail, too.
 *
 * @throws DomainError `not_found`; `validation_failed` for a value that the signal does not take; `invalid_state` for a live signal in paper mode; `rate_limited`.
 */
export function receiveSignal(work: Work, name: string, message: SignalMessage): Promise<ReceivedSignal> {
  return transact(work, async (tx) => {
    const row = await lockSignal(tx, name);
    const now = await tx.clock(tx.db);
    const earlier = await findEarlier(tx, name, message, now);
    if (earlier !== undefined)
      return { value: Number(earlier.value), at: new Date(earlier.at), isDuplicate: true };
    refuseOutOfRange(name, rangeOf(row), message.value);
    await refuseTooMany(tx, name, now);
    await store(tx, name, { message, number: BigInt(row.received) + 1n, at: now });
    if (tx.actor.startsWith('session:')) {
      const before = row.last_value === null ? null : { name, value: Number(row.last_value) };
      const after = { name, value: message.value };
      await audit(tx, { mode: null, action: 'signal.set', subjectId: null, before, after, at: now });
    }
    return { value: message.value, at: now, isDuplicate: false };
  });
}

/**
 * Finds the message that this one repeats: one with the sender's id, however old; without an id only the newest one, within a
 * time. So off, on, off are three messages.
 */
async function findEarlier({ db, accountId }: Work, name: string, message: SignalMessage, now: Date) {
  const { key, isNamed } = message;
  const newestFirst = db
    .selectFrom('signal_value')
    .select(['value', 'at', 'message_key'])
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .orderBy('number', 'desc')
    .limit(1);
  if (isNamed) return newestFirst.where('message_key', '=', key).executeTakeFirst();
  const newest = await newestFirst.executeTakeFirst();
  const isRepeated = newest?.message_key === key && Date.parse(newest.at) > now.getTime() - REPETITION_MS;
  return isRepeated ? newest : undefined;
}

async function refuseTooMany({ db, accountId }: Work, name: string, now: Date): Promise<void> {
  const { rows } = await sql<{ at: string }>`
    select at from signal_value where account_id = ${accountId} and name = ${name}
      and at > ${new Date(now.getTime() - MINUTE_MS)} and at <= ${now}
    order by at desc offset ${SIGNAL_VALUES_PER_MINUTE - 1} limit 1`.execute(db);
  const [oldest] = rows;
  if (oldest === undefined) return;
  const retryAfterSec = Math.max(1, Math.ceil((Date.parse(oldest.at) + MINUTE_MS - now.getTime()) / 1_000));
  throw new DomainError(
    'rate_limited',
    `The signal ${name} had ${SIGNAL_VALUES_PER_MINUTE} values in the last minute, which is the limit. Try again in ${retryAfterSec} s.`,
    { retryAfterSec },
  );
}

type Arrival = { readonly message: SignalMessage; readonly number: bigint; readonly at: Date };

async function store(
  { db, accountId, actor }: Work,
  name: string,
  { message, number, at }: Arrival,
): Promise<void> {
  await db
    .insertInto('signal_value')
    .values({
      account_id: accountId,
      name,
      number: String(number),
      at,
      value: message.value,
      sender: actor,
      message_key: message.key,
    })
    .execute();
  await db
    .updateTable('signal')
    .set({ received: String(number), last_value: message.value, last_at: at, last_sender: actor })
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .execute();
  await db
    .deleteFrom('signal_value')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('number', '<=', String(number - BigInt(SIGNAL_VALUES_MAX)))
    .execute();
}
