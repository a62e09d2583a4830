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

/**
 * Deletes at most `BATCH` expired rows; the returned number shows whether there may be more. The cutoff is fixed for the
 * statement: no index can be used with a moving one.
 */
export const expiredRowDeletions = (
  retention: RetentionHours,
): { what: string; delete: RawBuilder<unknown> }[] => [
  {
    what: 'stored answers to idempotent requests',
    delete: sql`delete from idempotency_key where ctid = any(array(select ctid from idempotency_key
      where created_at < statement_timestamp() - interval '25 hours' limit ${DELETED_ROWS_MAX}))`,
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
    delete: sql`delete from account_event where ctid = any(array(select ctid from account_event
      where at < ${hoursAgo(retention.events)}
        and not exists (select from notification_cursor c
          where c.account_id = account_event.account_id and c.seq < account_event.seq) limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'notifications and their log',
    delete: sql`delete from notification where ctid = any(array(select ctid from notification
      where at < statement_timestamp() - interval '30 days' limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'values of signals',
    delete: sql`delete from signal_value where ctid = any(array(select ctid from signal_value
      where at < statement_timestamp() - interval '366 days' limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'links that expired',
    delete: sql`delete from share_link where ctid = any(array(select ctid from share_link
      where expires_at < statement_timestamp() limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'clients without access, or long unused',
    delete: sql`delete from oauth_client where ctid = any(array(select ctid from oauth_client
      where last_used_at is null and created_at < statement_timestamp() - interval '1 day'
        or last_used_at < statement_timestamp() - interval '180 days' limit ${DELETED_ROWS_MAX}))`,
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
    delete: sql`delete from notification_mark where ctid = any(array(select ctid from notification_mark
      where at < statement_timestamp() - interval '60 days' limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'stream reports of foreign orders',
    delete: sql`delete from venue_event where ctid = any(array(select ctid from venue_event
      where at < statement_timestamp() - interval '30 days' limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'imports of history that have ended',
    delete: sql`delete from history_import where ctid = any(array(select ctid from history_import
      where ended_at < statement_timestamp() - interval '30 days' limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'quotes of unused instruments',
    delete: sql`delete from quote where ctid = any(array(select ctid from quote
      where as_of < statement_timestamp() - interval '1 hour'
        and token_id not in (${INSTRUMENTS_IN_USE}) limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'deleted blueprints that never led to an order',
    delete: sql`
      with doomed as materialized (
        select account_id, id from blueprint as b
        where deleted_at < statement_timestamp() - interval '1 hour' and id <> ${BY_HAND_ID}
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
    delete: sql`delete from equity_point where ctid = any(array(select ctid from equity_point
      where at < ${hoursAgo(retention.equity)} limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'points of blueprints of long ago',
    delete: sql`delete from blueprint_equity where ctid = any(array(select ctid from blueprint_equity
      where at < ${hoursAgo(retention.equity)} limit ${DELETED_ROWS_MAX}))`,
  },
  {
    what: 'sessions that ended',
    delete: sql`delete from auth.session where id = any(array(select id from auth.session
      where "expiresAt" < ${hoursAgo(retention.sessions)} limit ${DELETED_ROWS_MAX}))`,
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
    delete: sql`delete from auth.verification where id = any(array(select id from auth.verification
      where "expiresAt" < ${hoursAgo(retention.sessions)} limit ${DELETED_ROWS_MAX}))`,
  },
];
