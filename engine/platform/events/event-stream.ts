import type { Json } from '../../../db/json.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { toIso } from '../clock/timestamp-text.ts';
import type { Work } from '../context.ts';

/** Limit of events per read; a reader that is further behind reads again. */
const EVENTS_MAX = 200;

/** `mode` is null where it concerns every mode. */
export type StreamedEvent = { seq: number; at: string; type: string; mode: Mode | null; payload: Json };

/** Whether a reader in `mode` receives the event. */
export const isVisibleIn = (event: Pick<StreamedEvent, 'mode'>, mode: Mode): boolean =>
  event.mode === null || event.mode === mode;

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
 * Reads the events after number `after` of every mode, in order, at most 200. Null if some of them were deleted: the reader
 * then reads everything again instead of missing one silently.
 */
export async function eventsAfter(work: Work, after: number): Promise<StreamedEvent[] | null> {
  // Reads the number first: events committed between the two reads are then among the rows, not taken for missing.
  if ((await latestEventSeq(work)) === after) return [];
  const rows = await work.db
    .selectFrom('account_event')
    .select(['seq', 'at', 'type', 'mode', 'payload'])
    .where('account_id', '=', work.accountId)
    .where('seq', '>', String(after))
    .orderBy('seq')
    .limit(EVENTS_MAX)
    .execute();
  if (Number(rows[0]?.seq) !== after + 1) return null;
  return rows.map(({ seq, at, ...event }) => ({ ...event, seq: Number(seq), at: toIso(at) }));
}
