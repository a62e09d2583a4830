import { Migration } from '@mikro-orm/migrations';

const TABLES = ['history_chunk', 'quote_chunk'] as const;
const ARCHIVED = ['archived_digest', 'archived_offset', 'body_digest'] as const;
/** Columns of a sealed chunk that stay as they are when its body leaves for the archive. */
const STAY = `series_id, from_at, rows, first_at, last_at, held, gaps, is_sealed, hash, source, fetched_at, size_bytes, paid_by`;
const of = (row: 'old' | 'new'): string => `(${STAY.replace(/\w+/g, `${row}.$&`)})`;

/** Lets bodies of old history and quotes be in files of an archive. */
export class Migration20261130083126_archived_bodies extends Migration {
  override name = 'Migration20261130083126_archived_bodies';

  override up(): void {
    for (const table of TABLES) {
      this.addSql(`alter table "${table}" alter column "body" drop not null;`);
      this.addSql(
        `alter table "${table}" add "archived_digest" varchar(64) null, add "archived_offset" int null, add "body_digest" varchar(64) null;`,
      );
      this.addSql(`alter table ${table} add constraint ${table}_body_in_one_place
        check (num_nulls(${ARCHIVED.join(', ')}) = case when body is null then 0 else 3 end)`);
    }
    this.addSql(`create index quote_chunk_to_archive on quote_chunk (token_id, from_at)
      where is_sealed and archived_digest is null`);

    // A sealed body goes once, whole, long after its month, and by the owner alone: never by the service's role.
    this.addSql(`create function refuse_changed_chunk() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.body is not null and new.body is null
          and new.body_digest = encode(sha256(old.body), 'hex') and ${of('new')} is not distinct from ${of('old')}
          and old.from_at < statement_timestamp() - interval '90 days'
          and pg_has_role((select relowner from pg_class where oid = tg_relid), 'usage')
        then return new; end if;
        raise exception 'rows of % are history and cannot be changed or deleted', tg_table_name;
      end $$`);
    this.addSql(`drop trigger history_chunk_sealed on history_chunk`);
    this.addSql(`create trigger history_chunk_sealed before update or delete on history_chunk for each row
      when (old.is_sealed) execute function refuse_changed_chunk()`);
  }
}
