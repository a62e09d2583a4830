import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Venue } from '../../db/vocabulary.ts';

/** Adds a ready connection, with its audit rows and without credentials. Does nothing if there is one. */
export async function addConnection(db: Db, accountId: string, venue: Venue, id: string): Promise<void> {
  await sql`with made as (
      insert into venue_connection
        (account_id, id, venue, environment, label, state, state_at, key_hint, created_at, updated_at, version)
      values (${accountId}, ${id}, ${venue}, 'demo', 'Desk', 'ready', now(), 'desk', now(), now(), 2)
      on conflict do nothing returning account_id, id, venue, environment)
    insert into audit_event (account_id, id, at, actor, action, subject_id, after)
    select account_id, gen_random_uuid(), now(), 'session:tester', 'venue_connection.' || verb, id, after
    from made cross join lateral (values
      ('created', jsonb_build_object('venue', venue, 'environment', environment, 'maxOrder', null, 'maxDay', null,
        'maxOpenNotional', null)),
      ('ready', '{"state": "ready", "isHeldByPerson": false, "version": 2}')) as stated (verb, after)`.execute(
    db,
  );
}

type Stated = Partial<Record<'maxOrder' | 'maxDay' | 'maxOpenNotional', string | null>>;

/** Sets limits of connections of an account at a venue, with their audit rows. */
export async function limitConnections(
  db: Db,
  accountId: string,
  venue: Venue,
  limits: Stated,
): Promise<void> {
  await sql`with limited as (
      update venue_connection set version = version + 1,
        max_order = case when ${'maxOrder' in limits} then ${limits.maxOrder ?? null}::numeric else max_order end,
        max_day = case when ${'maxDay' in limits} then ${limits.maxDay ?? null}::numeric else max_day end,
        max_open_notional = case when ${'maxOpenNotional' in limits} then ${limits.maxOpenNotional ?? null}::numeric
          else max_open_notional end
      where account_id = ${accountId} and venue = ${venue} returning *)
    insert into audit_event (account_id, id, at, actor, action, subject_id, after)
    select account_id, gen_random_uuid(), now(), 'session:tester', 'venue_connection.changed', id,
      jsonb_build_object('maxOrder', max_order::text, 'maxDay', max_day::text,
        'maxOpenNotional', max_open_notional::text, 'version', version)
    from limited`.execute(db);
}
