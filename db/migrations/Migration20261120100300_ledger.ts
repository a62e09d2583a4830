import { Migration } from '@mikro-orm/migrations';

const INDEXES = [
  `create index trade_order_to_cancel on trade_order (cancel_requested_at) where cancel_requested_at is not null and status in ('submitted', 'unknown', 'open', 'partially_filled')`,
  `create index paper_order_resting on paper_order (token_id) where status = 'open'`,
  `create index paper_fill_of_order on paper_fill (account_id, order_id)`,
  `create index paper_fill_of_offer on paper_fill (account_id, token_id, offer_as_of)`,
] as const;

const CHECKS = [
  `alter table paper_order add constraint paper_order_not_overfilled check (filled_amount >= 0 and filled_amount <= amount)`,
  `alter table paper_fill add constraint paper_fill_amount_positive check (amount > 0)`,
] as const;

/** What an intent says: it is what the rules judged and a person approved, so it never changes. */
const INTENT_COLUMNS = [
  'mode',
  'blueprint_id',
  'deployment_id',
  'release_number',
  'node_id',
  'step_at',
  'origin',
  'token_id',
  'venue',
  'side',
  'type',
  'time_in_force',
  'amount',
  'limit_price',
  'size',
  'worst_fee',
  'receipt',
  'rules_version',
  'inputs',
  'decided_quote',
  'preapproved_release',
  'created_at',
] as const;

const REFERENCES = [
  `alter table paper_order add constraint paper_order_account_id_foreign foreign key (account_id) references account (id) on delete restrict`,
  `alter table paper_fill add constraint paper_fill_account_id_order_id_foreign foreign key (account_id, order_id) references paper_order (account_id, id) on delete restrict`,
] as const;

/** One order over everything that moves money, marks that outlive a quote, and the paper venue's own books. */
export class Migration20261120100300_ledger extends Migration {
  override name = 'Migration20261120100300_ledger';

  override up(): void {
    this.addSql(`create sequence ledger_seq`);
    this.addSql(
      `alter table "order_transition" add "seq" bigint not null default nextval('ledger_seq'), add "expires_at" timestamptz(3) null`,
    );
    this.addSql(`alter table "fill" add "seq" bigint not null default nextval('ledger_seq')`);
    this.addSql(`alter table "fill_allocation" add "number" int not null`);
    this.addSql(`alter table "trade_order" add "approval_receipt" jsonb null`);
    this.addSql(`alter table "instrument" add "tradable" boolean not null`);

    const columnsOf = (row: 'old' | 'new') => INTENT_COLUMNS.map((column) => `${row}.${column}`).join(', ');
    this.addSql(`create function refuse_changed_intent() returns trigger language plpgsql as $$
      begin raise exception 'order %: an intent is immutable', old.id; end $$`);
    this.addSql(`create trigger trade_order_immutable before update of ${INTENT_COLUMNS.join(', ')} on trade_order
      for each row when ((${columnsOf('old')}) is distinct from (${columnsOf('new')}))
      execute function refuse_changed_intent()`);

    this.addSql(
      `alter table "quote" add "mark_price" numeric(38,12) null, add "mark_at" timestamptz(3) null`,
    );
    this.addSql(`create function keep_mark() returns trigger language plpgsql as $$
      begin
        if new.bid is not null or new.market_status = 'open' then
          new.mark_price := coalesce(new.bid, 0);
          new.mark_at := new.as_of;
        elsif tg_op = 'UPDATE' then
          new.mark_price := old.mark_price;
          new.mark_at := old.mark_at;
        end if;
        return new;
      end $$`);
    this.addSql(
      `create trigger quote_mark before insert or update on quote for each row execute function keep_mark()`,
    );

    this.addSql(
      `create table "paper_order" ("account_id" uuid not null, "id" uuid not null, "token_id" varchar(200) not null, "venue" text not null, "side" text not null, "time_in_force" text not null, "amount" numeric(38,12) not null, "limit_price" numeric(38,12) not null, "filled_amount" numeric(38,12) not null default '0', "status" text not null, "reason_code" varchar(60) null, "reason" text null, "placed_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "candle_at" timestamptz(3) null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "paper_fill" ("account_id" uuid not null, "id" uuid not null, "order_id" uuid not null, "token_id" varchar(200) not null, "side" text not null, "amount" numeric(38,12) not null, "price" numeric(38,12) not null, "fee" numeric(38,12) not null, "liquidity" text not null, "offer_price" numeric(38,12) not null, "offer_as_of" timestamptz(3) not null, "at" timestamptz(3) not null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `alter table "paper_order" add constraint "paper_order_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'))`,
    );
    this.addSql(
      `alter table "paper_order" add constraint "paper_order_side_check" check ("side" in ('buy', 'sell'))`,
    );
    this.addSql(
      `alter table "paper_order" add constraint "paper_order_time_in_force_check" check ("time_in_force" in ('gtc', 'ioc'))`,
    );
    this.addSql(
      `alter table "paper_order" add constraint "paper_order_status_check" check ("status" in ('open', 'filled', 'canceled', 'rejected'))`,
    );
    this.addSql(
      `alter table "paper_fill" add constraint "paper_fill_side_check" check ("side" in ('buy', 'sell'))`,
    );
    this.addSql(
      `alter table "paper_fill" add constraint "paper_fill_liquidity_check" check ("liquidity" in ('taker', 'maker'))`,
    );
    for (const statement of [...REFERENCES, ...CHECKS, ...INDEXES]) this.addSql(statement);
  }
}
