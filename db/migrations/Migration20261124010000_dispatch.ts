import { Migration } from '@mikro-orm/migrations';

/** What of a request is fixed before it leaves. */
const SENT = [
  'connection_id',
  'lease_epoch',
  'client_order_id',
  'request',
  'signed_for',
  'arrives_by',
  'sent_at',
] as const;

/**
 * What left for a venue, and through which account there. A fill counts once by order and trade: one trade of a venue may
 * fill orders of two accounts, and its ids may repeat from market to market. It says what its fee was charged in.
 */
export class Migration20261124010000_dispatch extends Migration {
  override name = 'Migration20261124010000_dispatch';

  override up(): void {
    this.addSql(
      `create table "order_dispatch" ("account_id" uuid not null, "order_id" uuid not null, "connection_id" uuid null, "lease_epoch" bigint null, "client_order_id" varchar(200) not null, "venue_order_id" varchar(200) null, "request" jsonb not null, "signed_for" timestamptz(3) not null, "arrives_by" timestamptz(3) not null, "sent_at" timestamptz(3) not null, "absences" int not null default 0, "absent_as_of" timestamptz(3) null, "fills_missing_since" timestamptz(3) null, primary key ("account_id", "order_id"))`,
    );
    this.addSql(
      `alter table order_dispatch add constraint order_dispatch_account_id_order_id_foreign foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict`,
    );
    this.addSql(
      `create unique index order_dispatch_client_order on order_dispatch (account_id, connection_id, client_order_id)`,
    );
    this.addSql(
      `create index order_dispatch_venue_order on order_dispatch (account_id, connection_id, venue_order_id)`,
    );
    this.addSql(
      `create index order_dispatch_fills_missing on order_dispatch (fills_missing_since) where fills_missing_since is not null`,
    );
    const rewritten = SENT.map((column) => `old.${column} is distinct from new.${column}`);
    this.addSql(`create trigger order_dispatch_sent_once before update of ${SENT.join(', ')} on order_dispatch for each row
      when (${rewritten.join(' or ')}) execute function refuse_change()`);

    this.addSql(`alter table "trade_order" add "connection_id" uuid null`);
    this.addSql(`create trigger trade_order_connection_immutable before update of connection_id on trade_order
      for each row when (old.connection_id is distinct from new.connection_id) execute function refuse_changed_intent()`);

    this.addSql(
      `alter table "fill" add "connection_id" uuid null, add "fee_asset" varchar(20) not null default 'USD', add "fee_amount" numeric(38,12) not null default '0', add "liquidity" text null, add "state" text not null default 'final'`,
    );
    // All that is booked so far was charged in dollars.
    this.addSql(`alter table fill disable trigger fill_append_only`);
    this.addSql(`update fill set fee_amount = fee where fee <> 0`);
    this.addSql(`alter table fill enable trigger fill_append_only`);
    this.addSql(
      `alter table "fill" add constraint "fill_liquidity_check" check ("liquidity" in ('taker', 'maker'))`,
    );
    this.addSql(
      `alter table "fill" add constraint "fill_state_check" check ("state" in ('provisional', 'final'))`,
    );
    this.addSql(`drop index fill_once_per_venue_trade`);
    this.addSql(
      `create unique index fill_once_per_venue_trade on fill (account_id, mode, connection_id, order_id, venue_trade_id) nulls not distinct`,
    );
  }
}
