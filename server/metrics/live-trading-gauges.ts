import { sql } from 'kysely';
import { type DatabaseGauge, secondsSinceOldest } from './database-gauge.ts';

/** Gauges of live trading: connections to venues, differences there, and the ledger. */
export const LIVE_TRADING_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'trading_connections',
    help: 'Connections to venue accounts by state, and whether a person or the service holds them there',
    labels: ['state', 'held_by'],
    alert: 'TradingConnectionStopped',
    query: sql`select state, case when is_held_by_person then 'person' else 'service' end as held_by,
        count(*) as value
      from venue_connection where state <> 'revoked' group by 1, 2`,
  },
  {
    name: 'trading_connections_unheld',
    help: 'Connections that were traded through and that no runner holds',
    alert: 'TradingConnectionUnheld',
    query: sql`select count(*) as value from venue_connection
      where state <> 'revoked' and lease_epoch > 0 and (leased_until > clock_timestamp()) is not true`,
  },
  {
    name: 'trading_connection_books_age_seconds',
    help: 'Since a connection that may trade was last compared with its venue account, the longest',
    alert: 'TradingBooksOld',
    query: sql`select ${secondsSinceOldest('u.books_at')} as value from venue_connection c
      join venue_cursor u on u.account_id = c.account_id and u.connection_id = c.id
      where c.state in ('ready', 'reduce_only')`,
  },
  {
    name: 'trading_venue_key_expiry_seconds',
    help: 'Until the first key or attestation at a venue expires',
    alert: 'TradingVenueKeyExpires',
    query: sql`select min(extract(epoch from key_expires_at - clock_timestamp()))::float8 as value
      from venue_connection where state not in ('revoked', 'expired') and key_expires_at is not null
      having count(*) > 0`,
  },
  {
    name: 'trading_differences',
    help: 'Open differences between books and venue accounts, by kind',
    labels: ['kind'],
    alert: null,
    query: sql`select kind, count(*) as value from venue_difference where state = 'open' group by kind`,
  },
  {
    name: 'trading_difference_age_seconds',
    help: 'Age of the oldest open difference, by kind',
    labels: ['kind'],
    alert: 'TradingDifferenceOpen',
    query: sql`select kind, ${secondsSinceOldest('first_seen')} as value from venue_difference where state = 'open' group by kind`,
  },
  {
    name: 'trading_ledger_differences',
    help: 'Numbers of real money that the ledger watch found wrong',
    alert: 'TradingLedgerDiffers',
    query: sql`select coalesce(sum(differences), 0) as value from ledger_check`,
  },
  {
    name: 'trading_ledger_check_age_seconds',
    help: 'Since the ledger watch last verified books of real money, the longest',
    alert: 'TradingLedgerUnchecked',
    query: sql`select ${secondsSinceOldest('l.checked_at')} as value from ledger_check l where exists (select from venue_connection v
      where v.account_id = l.account_id and v.state <> 'revoked')`,
  },
];
