import type { Json } from '../db/json.ts';
import type { Work } from './context.ts';
import { toIso } from './time.ts';

/** Events read at once; a reader that is further behind reads again. */
const EVENTS_MAX = 200;

export type StreamedEvent = { seq: number; at: string; type: string; payload: Json };

/** Number of the account's latest event. */
export async function latestEventSeq(work: Work): Promise<number> {
  const account = await work.db
    .selectFrom('account')
    .select('event_seq')
    .where('id', '=', work.accountId)
    .executeTakeFirstOrThrow();
  return Number(account.event_seq);
}

/**
 * Events after number `after`, in order, at most 200; null when some of them are not kept any more, so that the
 * reader has to read everything anew instead of missing something silently.
 */
export async function eventsAfter(work: Work, after: number): Promise<StreamedEvent[] | null> {
  // The number first: what is committed between the two reads is then among the rows, not taken for missing.
  if ((await latestEventSeq(work)) === after) return [];
  const rows = await work.db
    .selectFrom('account_event')
    .select(['seq', 'at', 'type', 'payload'])
    .where('account_id', '=', work.accountId)
    .where('seq', '>', String(after))
    .orderBy('seq')
    .limit(EVENTS_MAX)
    .execute();
  if (Number(rows[0]?.seq) !== after + 1) return null;
  return rows.map(({ seq, at, type, payload }) => ({ seq: Number(seq), at: toIso(at), type, payload }));
}
