import { Migration } from '@mikro-orm/migrations';

/** What a connection is of: fixed with its birth, and whose account it is at the venue once that is known. */
const FIXED = ['venue', 'environment', 'created_at'] as const;

/**
 * Accounts at venues, and the credentials to them in their envelopes. One venue account has one owner: the index over its
 * fingerprint is over all accounts, and a connection that was removed gives it free.
 */
export class Migration20261124410000_venue_connection extends Migration {
  override name = 'Migration20261124410000_venue_connection';

  override up(): void {
    this.addSql(
      `create table "venue_connection" ("account_id" uuid not null, "id" uuid not null, "venue" text not null, "environment" text not null, "label" varchar(120) not null, "state" text not null, "state_code" varchar(60) null, "state_reason" text null, "state_at" timestamptz(3) not null, "is_held_by_person" boolean not null default false, "fingerprint" varchar(200) null, "key_hint" varchar(4) not null, "credential_version" int not null default 1, "permissions" text[] null, "key_expires_at" timestamptz(3) null, "max_order" numeric(38,12) null, "max_day" numeric(38,12) null, "max_open_notional" numeric(38,12) null, "clock_offset_ms" int null, "checks" jsonb null, "checked_at" timestamptz(3) null, "check_requested_at" timestamptz(3) null, "reconciled_at" timestamptz(3) null, "cancel_all_requested_at" timestamptz(3) null, "lease_epoch" bigint not null default '0', "lease_owner" varchar(80) null, "leased_until" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "venue_credential" ("account_id" uuid not null, "connection_id" uuid not null, "version" int not null, "key_id" varchar(32) not null, "wrapped_key" bytea not null, "nonce" bytea not null, "ciphertext" bytea not null, "tag" bytea not null, "created_at" timestamptz(3) not null, primary key ("account_id", "connection_id", "version"))`,
    );
    this.addSql(
      `alter table "venue_connection" add constraint "venue_connection_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'))`,
    );
    this.addSql(
      `alter table "venue_connection" add constraint "venue_connection_environment_check" check ("environment" in ('demo', 'testnet', 'live'))`,
    );
    this.addSql(
      `alter table "venue_connection" add constraint "venue_connection_state_check" check ("state" in ('unverified', 'ready', 'reduce_only', 'halted', 'expired', 'revoked'))`,
    );
    this.addSql(
      `alter table venue_connection add constraint venue_connection_limits_check check (max_order > 0 and max_day > 0 and max_open_notional > 0)`,
    );
    this.addSql(
      `alter table venue_connection add constraint venue_connection_account_id_foreign foreign key (account_id) references account (id) on delete restrict`,
    );
    this.addSql(
      `alter table venue_credential add constraint venue_credential_account_id_connection_id_foreign foreign key (account_id, connection_id) references venue_connection (account_id, id) on delete restrict`,
    );
    this.addSql(
      `create unique index venue_connection_fingerprint on venue_connection (venue, environment, fingerprint) where state <> 'revoked'`,
    );
    this.addSql(
      `create index venue_connection_to_check on venue_connection (check_requested_at) where check_requested_at is not null`,
    );
    const changed = [
      ...FIXED.map((column) => `old.${column} is distinct from new.${column}`),
      'old.fingerprint is not null and old.fingerprint is distinct from new.fingerprint',
    ];
    this.addSql(`create trigger venue_connection_fixed before update of ${[...FIXED, 'fingerprint'].join(', ')} on venue_connection
      for each row when (${changed.join(' or ')}) execute function refuse_change()`);
  }
}
