import { Migration } from '@mikro-orm/migrations';

/**
 * What was seen of markets is kept from now on: quotes in columns, and what venues said of instruments, each time it
 * changed. Neither can be asked for later.
 */
export class Migration20261125700000_history extends Migration {
  override name = 'Migration20261125700000_history';

  override up(): void {
    this.addSql(
      `create table "quote_chunk" ("token_id" varchar(200) not null, "from_at" timestamptz(3) not null, "until_at" timestamptz(3) not null, "quotes" int not null, "size_bytes" int not null, "is_sealed" boolean not null, "body" bytea not null, primary key ("token_id", "from_at"))`,
    );
    // It comes compressed.
    this.addSql(`alter table quote_chunk alter column body set storage external`);
    this.addSql(`create index quote_chunk_unsealed on quote_chunk (from_at, token_id) where not is_sealed`);
    this.addSql(
      `create index quote_chunk_newest on quote_chunk (until_at desc, token_id) include (size_bytes)`,
    );
    this.addSql(
      `create table "instrument_fact" ("token_id" varchar(200) not null, "at" timestamptz(3) not null, "facts" jsonb not null, primary key ("token_id", "at"))`,
    );
    this.addSql(`create function instrument_said(stated jsonb) returns jsonb language sql immutable
      set search_path = pg_catalog as $$ select stated - 'token_id' - 'updated_at' - 'terms_at' $$`);
    this.addSql(`insert into instrument_fact (token_id, at, facts)
      select token_id, now(), instrument_said(to_jsonb(i)) from instrument i`);
    this.addSql(`create function keep_instrument_facts() returns trigger language plpgsql set search_path = public, pg_catalog as $$
      begin
        insert into instrument_fact (token_id, at, facts)
        values (new.token_id, greatest(clock_timestamp(), (
          select max(at) + interval '1 millisecond' from instrument_fact where token_id = new.token_id
        )), instrument_said(to_jsonb(new)));
        return null;
      end $$`);
    this.addSql(`create trigger instrument_facts_of_new after insert on instrument
      for each row execute function keep_instrument_facts()`);
    this.addSql(`create trigger instrument_facts_of_changed after update on instrument for each row
      when (instrument_said(to_jsonb(old)) is distinct from instrument_said(to_jsonb(new))) execute function keep_instrument_facts()`);
    this.addSql(
      `create trigger instrument_fact_append_only before update or delete on instrument_fact for each row execute function refuse_change()`,
    );
    this.addSql(
      `create trigger instrument_fact_not_truncated before truncate on instrument_fact for each statement execute function refuse_change()`,
    );
  }

  override down(): void {
    this.addSql(`drop trigger instrument_facts_of_new on instrument`);
    this.addSql(`drop trigger instrument_facts_of_changed on instrument`);
    this.addSql(`drop function keep_instrument_facts()`);
    this.addSql(`drop table instrument_fact`);
    this.addSql(`drop function instrument_said(jsonb)`);
    this.addSql(`drop table quote_chunk`);
  }
}
