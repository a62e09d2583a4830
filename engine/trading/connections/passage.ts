import type { Venue } from '../../../db/vocabulary.ts';
import type { Work } from '../../platform/context.ts';
import type { PassageFacts } from '../../risk/facts.ts';
import type { ConnectionRow } from './row.ts';

type Switch = { readonly isLiveOn: boolean };

/**
 * Reads the route of a new order: with real money the oldest connection to its venue that was not removed, in any state. Thus a
 * blocked connection never diverts orders to another one. Null on paper.
 */
export async function readPassage(
  work: Work,
  venue: Venue,
  { isLiveOn }: Switch,
): Promise<PassageFacts | null> {
  if (work.mode !== 'live') return null;
  const row = await work.db
    .selectFrom('venue_connection')
    .select(['id', 'state'])
    .where('account_id', '=', work.accountId)
    .where('venue', '=', venue)
    .where('state', '!=', 'revoked')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return passageBy(row, isLiveOn);
}

/** Reads the current state of the route that an existing order was assigned; null on paper. */
export async function readPassageOf(
  work: Work,
  { connection_id }: { readonly connection_id: string | null },
  { isLiveOn }: Switch,
): Promise<PassageFacts | null> {
  if (work.mode !== 'live') return null;
  if (connection_id === null) return passageBy(undefined, isLiveOn);
  const row = await work.db
    .selectFrom('venue_connection')
    .select(['id', 'state'])
    .where('account_id', '=', work.accountId)
    .where('id', '=', connection_id)
    .executeTakeFirst();
  return passageBy(row, isLiveOn);
}

const passageBy = (
  row: Pick<ConnectionRow, 'id' | 'state'> | undefined,
  isLiveOn: boolean,
): PassageFacts => ({ connectionId: row?.id ?? null, state: row?.state ?? null, isLiveOn });
