import type { Venue } from '../../../db/vocabulary.ts';
import type { Work } from '../../platform/context.ts';
import type { RouteInputs } from '../../risk/risk-inputs.ts';
import type { ConnectionRow } from './row.ts';

type Switch = { readonly isLiveOn: boolean };

/**
 * Reads the route of a new order: with real money the oldest connection to its venue that was not removed, in any state. Thus a
 * blocked connection never diverts orders to another one. Null on paper.
 */
export async function readRouteOfNewOrder(
  work: Work,
  venue: Venue,
  { isLiveOn }: Switch,
): Promise<RouteInputs | null> {
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
  return routeBy(row, isLiveOn);
}

/** Reads the current state of the route that an existing order was assigned; null on paper. */
export async function readRouteOfOrder(
  work: Work,
  { connection_id }: { readonly connection_id: string | null },
  { isLiveOn }: Switch,
): Promise<RouteInputs | null> {
  if (work.mode !== 'live') return null;
  if (connection_id === null) return routeBy(undefined, isLiveOn);
  const row = await work.db
    .selectFrom('venue_connection')
    .select(['id', 'state'])
    .where('account_id', '=', work.accountId)
    .where('id', '=', connection_id)
    .executeTakeFirst();
  return routeBy(row, isLiveOn);
}

const routeBy = (row: Pick<ConnectionRow, 'id' | 'state'> | undefined, isLiveOn: boolean): RouteInputs => ({
  connectionId: row?.id ?? null,
  state: row?.state ?? null,
  isLiveOn,
});
