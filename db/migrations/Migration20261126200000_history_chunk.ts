import { Migration } from '@mikro-orm/migrations';

/** Histories of instruments in columns, a month at a time. A sealed month never changes. */
export class Migration20261126200000_history_chunk extends Migration {
  override name = 'Migration20261126200000_history_chunk';

  override up(): void {
    this.addSql(
      `create table "history_series" ("id" serial primary key, "venue" text not null, "token_id" varchar(200) not null, "kind" text not null, "resolution_ms" bigint not null, "prices" text not null)`,
    );
    this.addSql(
      `alter table "history_series" add constraint "history_series_venue_token_id_kind_resolution_ms_prices_unique" unique ("venue", "token_id", "kind", "resolution_ms", "prices")`,
    );
    this.addSql(
      `create table "history_chunk" ("series_id" int not null, "from_at" timestamptz(3) not null, "rows" int not null, "first_at" timestamptz(3) null, "last_at" timestamptz(3) null, "held" jsonb not null, "gaps" jsonb not null, "is_sealed" boolean not null, "hash" varchar(64) not null, "source" varchar(60) not null, "fetched_at" timestamptz(3) not null, "size_bytes" int not null, "body" bytea not null, primary key ("series_id", "from_at"))`,
    );
    this.addSql(
      `alter table "history_series" add constraint "history_series_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'))`,
    );
    this.addSql(
      `alter table "history_series" add constraint "history_series_kind_check" check ("kind" in ('candle', 'bid_ask', 'midpoint'))`,
    );
    this.addSql(
      `alter table "history_series" add constraint "history_series_prices_check" check ("prices" in ('simulator', 'live'))`,
    );
    this.addSql(
      `alter table "history_chunk" add constraint "history_chunk_series_id_foreign" foreign key ("series_id") references "history_series" ("id")`,
    );
    // It comes compressed.
    this.addSql(`alter table history_chunk alter column body set storage external`);
    this.addSql(`create index history_chunk_open on history_chunk (from_at) where not is_sealed`);
    this.addSql(`create trigger history_chunk_sealed before update or delete on history_chunk for each row
      when (old.is_sealed) execute function refuse_change()`);
    this.addSql(
      `create trigger history_chunk_not_truncated before truncate on history_chunk for each statement execute function refuse_change()`,
    );
  }

  override down(): void {
    this.addSql(`drop table history_chunk`);
    this.addSql(`drop table history_series`);
  }
}
