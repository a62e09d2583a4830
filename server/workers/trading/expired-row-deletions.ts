import { type RawBuilder, sql } from 'kysely';
import { BY_HAND_ID } from '../../../engine/platform/by-hand.ts';
import type { RetentionHours } from '../../kernel/retention.ts';
import { INSTRUMENTS_IN_USE } from './market/instruments-in-use.ts';

/** Rows deleted in one transaction, so that none is long. */
export const DELETED_ROWS_MAX = 1_000;
/** Stored answers for repeated requests, the newest of an account. */
const ANSWERS_MAX = 50_000;
/** Registered clients that have redeemed no code, half of those there may be. */
const UNUSED_CLIENTS_KEPT = 5_000;
/** Sessions one user may have. */
const SESSIONS_MAX = 100;

/** Deletes denied orders with all of their rows; an order that stands for others remains. */
export const purgeDeniedOrders = (expired: RawBuilder<unknown>) => sql`
  select gone from (select array_agg(account_id) as accounts, array_agg(id) as orders, array_agg(keeper) as keepers
    from (${expired}) as d) as doomed, delete_denied(accounts, orders, keepers) as gone`;

const hoursAgo = (hours: number) => sql`statement_timestamp() - ${sql.lit(hours)} * interval '1 hour'`;

const deleteRows = (table: string, which: RawBuilder<unknown>) => sql`
  delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where ${which} limit ${DELETED_ROWS_MAX}))`;

/**
 * Deletes at most `DELETED_ROWS_MAX` expired rows; the returned number shows whether there may be more. The cutoff is fixed for the
 * statement: no index can be used with a moving one.
 */
export const expiredRowDeletions = (
  retention: RetentionHours,
): { what: string; delete: RawBuilder<unknown> }[] => [
  {
    what: 'stored answers to idempotent requests',
    delete: deleteRows('idempotency_key', sql`created_at < ${hoursAgo(25)}`),
  },
  {
    what: 'stored answers beyond an account’s newest',
    delete: sql`delete from idempotency_key where ctid = any(array(select k.ctid
      from (select account_id from idempotency_key group by account_id having count(*) > ${ANSWERS_MAX}) as heavy
        cross join lateral (select ctid from idempotency_key where account_id = heavy.account_id
          order by created_at desc offset ${ANSWERS_MAX}) as k limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'events',
    delete: deleteRows(
      'account_event',
      sql`at < ${hoursAgo(retention.events)} and not exists (
      select from notification_cursor c where c.account_id = account_event.account_id and c.seq < account_event.seq)`,
    ),
  },
  {
    what: 'notifications and their log',
    delete: deleteRows('notification', sql`at < ${hoursAgo(30 * 24)}`),
  },
  {
    what: 'values of signals',
    delete: deleteRows('signal_value', sql`at < ${hoursAgo(366 * 24)}`),
  },
  {
    what: 'links that expired',
    delete: deleteRows('share_link', sql`expires_at < statement_timestamp()`),
  },
  {
    what: 'clients without access, or long unused',
    delete: deleteRows(
      'oauth_client',
      sql`(last_used_at is null and created_at < ${hoursAgo(24)}
      or last_used_at < ${hoursAgo(180 * 24)})`,
    ),
  },
  {
    // Younger ones may be waiting for a person.
    what: 'clients beyond the newest without access',
    delete: sql`delete from oauth_client where ctid = any(array(select ctid
      from (select ctid, created_at from oauth_client where last_used_at is null
        order by created_at desc offset ${UNUSED_CLIENTS_KEPT}) as c
      where created_at < statement_timestamp() - interval '10 minutes' limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'remarks',
    delete: deleteRows('notification_mark', sql`at < ${hoursAgo(60 * 24)}`),
  },
  {
    what: 'stream reports of foreign orders',
    delete: deleteRows('venue_event', sql`at < ${hoursAgo(30 * 24)}`),
  },
  {
    what: 'imports of history that have ended',
    delete: deleteRows('history_import', sql`ended_at < ${hoursAgo(30 * 24)}`),
  },
  {
    what: 'quotes of unused instruments',
    delete: deleteRows('quote', sql`as_of < ${hoursAgo(1)} and token_id not in (${INSTRUMENTS_IN_USE})`),
  },
  {
    what: 'deleted blueprints that never led to an order',
    delete: sql`
      with doomed as materialized (
        select account_id, id from blueprint as b
        where deleted_at < ${hoursAgo(1)} and id <> ${BY_HAND_ID}
          and not exists (select from trade_order o where o.account_id = b.account_id and o.blueprint_id = b.id)
          and not exists (select from position p where p.account_id = b.account_id and p.blueprint_id = b.id)
        limit ${DELETED_ROWS_MAX}
      ), runs as materialized (
        select d.account_id, d.id from deployment d join doomed b on d.account_id = b.account_id and d.blueprint_id = b.id
      ), bodies as materialized (
        select r.account_id, r.body_hash as hash
        from release r join doomed b on r.account_id = b.account_id and r.blueprint_id = b.id
      ), wishes as (
        delete from intent_request i using runs d where i.account_id = d.account_id and i.deployment_id = d.id
      ), states as (
        delete from deployment_state s using runs d where s.account_id = d.account_id and s.deployment_id = d.id
      ), nodes as (
        delete from deployment_nodes s using runs d where s.account_id = d.account_id and s.deployment_id = d.id
      ), deployments as (
        delete from deployment x using runs d where x.account_id = d.account_id and x.id = d.id
      ), releases as (
        delete from release r using doomed b where r.account_id = b.account_id and r.blueprint_id = b.id
      ), graphs as (
        delete from release_body y using bodies f where y.account_id = f.account_id and y.hash = f.hash
          and not exists (select from release r where r.account_id = y.account_id and r.body_hash = y.hash
            and (r.account_id, r.blueprint_id) not in (select account_id, id from doomed))
      )
      delete from blueprint x using doomed b where x.account_id = b.account_id and x.id = b.id`,
  },
  {
    what: 'orders denied long ago',
    delete: purgeDeniedOrders(sql`select account_id, id, null::uuid as keeper from trade_order
      where status = 'denied' and created_at < ${hoursAgo(retention.denied)} limit ${DELETED_ROWS_MAX}`),
  },
  {
    // A day more, so that no row is left without its link.
    what: 'links of denials of long ago',
    delete: sql`select delete_denial_links(${hoursAgo(retention.denied + 24)}, ${DELETED_ROWS_MAX})`,
  },
  {
    what: 'points of equity of long ago',
    delete: deleteRows('equity_point', sql`at < ${hoursAgo(retention.equity)}`),
  },
  {
    what: 'points of blueprints of long ago',
    delete: deleteRows('blueprint_equity', sql`at < ${hoursAgo(retention.equity)}`),
  },
  {
    what: 'sessions that ended',
    delete: deleteRows('auth.session', sql`"expiresAt" < ${hoursAgo(retention.sessions)}`),
  },
  {
    what: 'sessions beyond a user’s newest',
    delete: sql`delete from auth.session where id = any(array(select s.id
      from (select "userId" from auth.session group by "userId" having count(*) > ${SESSIONS_MAX}) as heavy
        cross join lateral (select id from auth.session where "userId" = heavy."userId"
          order by "createdAt" desc offset ${SESSIONS_MAX}) as s limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'sign-ins by a provider that were not finished',
    delete: deleteRows('auth.verification', sql`"expiresAt" < ${hoursAgo(retention.sessions)}`),
  },
];
