import { Migration } from '@mikro-orm/migrations';

const TABLES = ['fill', 'order_transition', 'cash_entry', 'audit_event'] as const;

/** Digests of rows do not depend on what the session says. */
const IN_ONE_FORM = `set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set bytea_output = 'hex'`;

/** Which chain a row is of, from `entry`, the row as `jsonb`. */
const CHAIN = `(entry ->> 'account_id')::uuid as account_id,
  coalesce(entry ->> 'to_status' = 'denied' and entry ->> 'from_status' is null, false) as is_denial`;
const AT = `(entry ->> 'at')::timestamptz`;

/** Makes the inserted head the next of its chain, or the first. */
const AS_NEXT = `on conflict (account_id, is_denial)
      do update set number = h.number + 1, hash = sha256(h.hash || excluded.hash)`;

/** Chains each row of the tables of history. The database does it, so that no writer can leave it out. */
export class Migration20261125230200_ledger_chain extends Migration {
  override name = 'Migration20261125230200_ledger_chain';

  override up(): void {
    this.addSql(
      `create table "ledger_head" ("account_id" uuid not null, "is_denial" boolean not null, "number" bigint not null, "hash" bytea not null, primary key ("account_id", "is_denial"));`,
    );
    this.addSql(
      `create table "ledger_link" ("account_id" uuid not null, "is_denial" boolean not null, "number" bigint not null, "subject" varchar(40) not null, "at" timestamptz(3) not null, "digests" bytea[] not null, "hash" bytea not null, primary key ("account_id", "is_denial", "number"));`,
    );
    this.addSql(`create index ledger_link_denial_age on ledger_link (at) where is_denial`);

    // Called under the settings above, so that they can be inlined. Columns that are null are left out: one that is added later
    // changes no digest of today. Details of an audit row have a digest of their own, a byte longer, because erasure takes them.
    this.addSql(`create function ledger_digests(entry jsonb) returns bytea[] language sql stable
      return case when entry ? 'before'
        then array[sha256(convert_to(jsonb_strip_nulls(entry - '{before,after}'::text[])::text, 'UTF8')),
          '\\x00'::bytea || sha256(convert_to(jsonb_build_array(entry -> 'id', entry -> 'before', entry -> 'after')::text, 'UTF8'))]
        else array[sha256(convert_to(jsonb_strip_nulls(entry)::text, 'UTF8'))] end`);
    this.addSql(`create function link_digest(subject text, at timestamptz, digests bytea[]) returns bytea
      language sql stable
      return sha256(convert_to(concat_ws(' ', subject, (extract(epoch from at) * 1000)::bigint, array_to_string(digests, ' ')), 'UTF8'))`);

    // As the owner, so that the service can write no link automatically: one for each account and chain of the statement.
    // Heads are taken in one order, so that two statements wait for each other and do not deadlock.
    this.addSql(`create function chain_entries() returns trigger language plpgsql security definer ${IN_ONE_FORM} as $$
      begin
        with page as materialized (
          select ${CHAIN}, tg_table_name::text as subject, max(${AT}) as at, array_agg(ledger_digests(entry)) as digests
          from (select to_jsonb(a) as entry from added a offset 0) e group by 1, 2
        ), head as (
          insert into ledger_head as h (account_id, is_denial, number, hash)
            select account_id, is_denial, 1, link_digest(subject, at, digests) from page order by account_id, is_denial
            ${AS_NEXT}
            returning account_id, is_denial, number, hash
        )
        insert into ledger_link (account_id, is_denial, number, subject, at, digests, hash)
          select account_id, is_denial, number, subject, at, digests, hash from page join head using (account_id, is_denial);
        return null;
      end $$`);
    this.addSql(`revoke execute on function chain_entries() from public`);
    for (const table of TABLES) {
      this.addSql(`create trigger ${table}_chained after insert on ${table} referencing new table as added
        for each statement execute function chain_entries()`);
    }

    this.addSql(
      `create trigger ledger_link_unchanged before update on ledger_link for each row execute function refuse_change()`,
    );
    this.addSql(`create trigger ledger_link_append_only before delete on ledger_link for each row
      when (not old.is_denial or old.at > statement_timestamp() - interval '1 day') execute function refuse_change()`);
    this.addSql(
      `create trigger ledger_link_not_truncated before truncate on ledger_link for each statement execute function refuse_change()`,
    );

    // As the owner: the role of the service deletes no link but by this, and this none that the trigger keeps.
    this.addSql(`create function delete_denial_links(before timestamptz, most int) returns setof bigint
      language sql security definer set search_path = pg_catalog, public, pg_temp
      begin atomic
        delete from ledger_link where (account_id, is_denial, number) in (
          select account_id, is_denial, number from ledger_link
          where is_denial and at < least(before, statement_timestamp() - interval '1 day') order by at, number limit most)
        returning number;
      end`);
    this.addSql(`revoke execute on function delete_denial_links(timestamptz, int) from public`);

    // A thousand rows a link, the oldest first: where rows were there before their chain, or are of another form now.
    const rows = TABLES.map(
      (table) => `(select '${table}' as subject, to_jsonb(t) as entry from ${table} t
        where accounts is null or account_id = any(accounts) offset 0)`,
    );
    this.addSql(`create function chain_existing(accounts uuid[]) returns void language plpgsql ${IN_ONE_FORM} as $$
      declare page record; head record;
      begin
        for page in
          with entry as (${rows.join(' union all ')}), numbered as (
            select subject, ${CHAIN}, ${AT} as at, ledger_digests(entry) as digests,
              (row_number() over (partition by subject, entry ->> 'account_id' order by ${AT}) - 1) / 1000 as page
            from entry)
          select account_id, is_denial, subject, max(at) as at, array_agg(digests) as digests
          from numbered group by account_id, is_denial, subject, numbered.page
          order by account_id, is_denial, subject, numbered.page
        loop
          insert into ledger_head as h (account_id, is_denial, number, hash)
            values (page.account_id, page.is_denial, 1, link_digest(page.subject, page.at, page.digests))
            ${AS_NEXT}
            returning number, hash into head;
          insert into ledger_link (account_id, is_denial, number, subject, at, digests, hash)
            values (page.account_id, page.is_denial, head.number, page.subject, page.at, page.digests, head.hash);
        end loop;
      end $$`);
    this.addSql(`revoke execute on function chain_existing(uuid[]) from public`);
    this.addSql(`select chain_existing(null)`);
  }
}
