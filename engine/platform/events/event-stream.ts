import type { Json } from '../../../db/json.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { toIso } from '../clock/time.ts';
import type { Work } from '../context.ts';

/** Events read at once; a reader that is further behind reads again. */
const EVENTS_MAX = 200;

/** `mode` is null where it concerns every mode. */
export type StreamedEvent = { seq: number; at: string; type: string; mode: Mode | null; payload: Json };

/** Whether a reader in `mode` is told of it. */
export const concerns = (event: Pick<StreamedEvent, 'mode'>, mode: Mode): boolean =>
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
 * Events after number `after` of every mode, in order, at most 200; null when some of them are not kept any more, so that the
 * reader has to read everything anew instead of missing something silently.
 */
export async function eventsAfter(work: Work, after: number): Promise<StreamedEvent[] | null> {
  // The number first: what is committed between the two reads is then among the rows, not taken for missing.
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
