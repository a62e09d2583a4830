import { Migration } from '@mikro-orm/migrations';

const CASH_KINDS = [
  'deposit',
  'trade',
  'fee',
  'settlement',
  'write_off',
  'reversal',
  'transfer',
  'adjustment',
  'netting',
  'fee_true_up',
  'redemption',
] as const;
const FILL_KINDS = ['trade', 'settlement', 'write_off', 'reversal', 'adjustment', 'netting'] as const;
const DIFFERENCE_KINDS = [
  'in_flight',
  'lag',
  'external_order',
  'external_fill',
  'transfer',
  'fee',
  'unredeemed',
  'netting',
  'unexplained',
] as const;

const listed = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ');

/**
 * Books of real money: cash has a place at a venue, moves without fills, and is compared with what the venue has. Paper has none
 * of these movements.
 */
export class Migration20261125200000_live_books extends Migration {
  override name = 'Migration20261125200000_live_books';

  override up(): void {
    this.addSql(
      `create table "venue_difference" ("account_id" uuid not null, "id" uuid not null, "connection_id" uuid not null, "subject" varchar(500) not null, "kind" text not null, "ours" numeric(38,12) null, "theirs" numeric(38,12) null, "worth" numeric(38,12) null, "about" jsonb not null, "first_seen" timestamptz(3) not null, "since" timestamptz(3) not null, "last_seen" timestamptz(3) not null, "state" text not null, "resolved_by" varchar(80) null, "note" text null, "resolved_at" timestamptz(3) null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "venue_cursor" ("account_id" uuid not null, "connection_id" uuid not null, "fills" text null, "orders_at" timestamptz(3) null, "fills_at" timestamptz(3) null, "books_at" timestamptz(3) null, "agreed_at" timestamptz(3) null, primary key ("account_id", "connection_id"))`,
    );
    this.addSql(
      `create table "venue_cash" ("account_id" uuid not null, "connection_id" uuid not null, "currency" varchar(20) not null, "shard" varchar(20) not null, "available" numeric(38,12) not null, "total" numeric(38,12) not null, "read_at" timestamptz(3) not null, primary key ("account_id", "connection_id", "currency", "shard"))`,
    );
    this.addSql(
      `alter table "venue_difference" add constraint "venue_difference_kind_check" check ("kind" in (${listed(DIFFERENCE_KINDS)}))`,
    );
    this.addSql(
      `alter table "venue_difference" add constraint "venue_difference_state_check" check ("state" in ('open', 'gone', 'booked', 'explained'))`,
    );
    for (const table of ['venue_difference', 'venue_cursor', 'venue_cash']) {
      this.addSql(
        `alter table ${table} add constraint ${table}_account_id_connection_id_foreign foreign key (account_id, connection_id) references venue_connection (account_id, id) on delete restrict`,
      );
    }
    this.addSql(
      `create unique index venue_difference_open on venue_difference (account_id, connection_id, subject) where state = 'open'`,
    );
    this.addSql(
      `create index venue_difference_explained on venue_difference (account_id, connection_id) where state = 'explained'`,
    );
    this.addSql(
      `create index venue_difference_newest on venue_difference (account_id, connection_id, first_seen desc, id desc)`,
    );

    this.addSql(`alter table "cash_entry" add "connection_id" uuid null, add "seq" bigint null`);
    this.addSql(`alter table "cash_entry" drop constraint "cash_entry_kind_check"`);
    this.addSql(
      `alter table "cash_entry" add constraint "cash_entry_kind_check" check ("kind" in (${listed(CASH_KINDS)}))`,
    );
    this.addSql(
      `alter table cash_entry add constraint cash_entry_live_check check (mode = 'live' or kind in ('deposit', 'trade', 'fee', 'settlement', 'write_off', 'reversal'))`,
    );
    this.addSql(
      `create index cash_entry_of_connection on cash_entry (account_id, connection_id) where connection_id is not null`,
    );
    this.addSql(`alter table "fill" drop constraint "fill_kind_check"`);
    this.addSql(
      `alter table "fill" add constraint "fill_kind_check" check ("kind" in (${listed(FILL_KINDS)}))`,
    );
    this.addSql(
      `alter table fill add constraint fill_live_check check (mode = 'live' or kind not in ('adjustment', 'netting'))`,
    );
    this.addSql(
      `create index fill_of_connection on fill (account_id, connection_id, token_id) where connection_id is not null`,
    );
  }
}
