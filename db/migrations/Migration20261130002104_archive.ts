import { Migration } from '@mikro-orm/migrations';

/** Columns that a part of the archive holds once an order has one. */
const EVIDENCE = ['receipt', 'inputs', 'decided_quote', 'approval_receipt'] as const;
const CHAINED = ['fill', 'order_transition', 'cash_entry', 'audit_event', 'archived_part'] as const;
const INTENT = `mode, blueprint_id, deployment_id, release_number, node_id, step_at, origin, token_id, venue, side, type,
  time_in_force, limit_price, rules_version, preapproved_release, created_at`;
const TERMS = 'amount, size, worst_fee';
const ONCE = ['approved_by', 'queued_at', 'submitted_at', 'venue_order_id', 'cancel_requested_at'] as const;
const FINAL = `'filled', 'canceled', 'expired', 'declined', 'rejected'`;

const of = (row: 'old' | 'new', columns: string): string => `(${columns.replace(/\w+/g, `${row}.$&`)})`;
const differ = (columns: string): string => `${of('old', columns)} is distinct from ${of('new', columns)}`;

/** Moves the evidence of orders that ended long ago into files, which the chain of the ledger proves. */
export class Migration20261130002104_archive extends Migration {
  override name = 'Migration20261130002104_archive';

  override up(): void {
    this.addSql(
      `create table "archived_part" ("account_id" uuid not null, "number" int not null, "at" timestamptz(3) not null, "first_at" timestamptz(3) not null, "last_at" timestamptz(3) not null, "order_ids" uuid[] not null, "bytes" int not null, "digest" varchar(64) not null, "file_name" varchar(200) not null, primary key ("account_id", "number"));`,
    );
    this.addSql(`alter table "trade_order" add "archived_part" int null;`);
    this.addSql(`alter table archived_part add constraint archived_part_account_id_foreign
      foreign key (account_id) references account (id) on delete restrict`);
    this.addSql(`alter table trade_order add constraint trade_order_archived_part_foreign
      foreign key (account_id, archived_part) references archived_part (account_id, number) on delete restrict`);
    this.addSql(`create index trade_order_to_archive on trade_order (account_id, ended_at)
      where archived_part is null and ended_at is not null and status <> 'denied'`);
    this.addSql(`create trigger archived_part_append_only before update or delete on archived_part for each row
      execute function refuse_change()`);
    this.addSql(`create trigger archived_part_not_truncated before truncate on archived_part for each statement
      execute function refuse_change()`);

    // An order's evidence goes once, all of it, long after the order ended, and by the owner alone: never by the service's role.
    this.addSql(`create function refuse_changed_evidence() returns trigger language plpgsql as $$
      begin
        if old.archived_part is null and new.archived_part is not null and new.receipt = '{}'::jsonb
          and num_nonnulls(new.inputs, new.decided_quote, new.approval_receipt) = 0
          and old.status in (${FINAL}) and old.ended_at < statement_timestamp() - interval '90 days'
          and pg_has_role((select relowner from pg_class where oid = tg_relid), 'usage')
          and exists (select from archived_part p where p.account_id = new.account_id and p.number = new.archived_part
            and old.id = any(p.order_ids))
        then return new; end if;
        raise exception 'order %: its evidence is written once, and leaves only for the archive', old.id;
      end $$`);
    this.addSql(`drop trigger trade_order_immutable on trade_order`);
    this.addSql(`create trigger trade_order_immutable before update of ${INTENT}, ${TERMS} on trade_order for each row
      when (${differ(INTENT)} or (${differ(TERMS)} and not (old.status = 'pending' and new.status = 'pending'
        and old.side = 'sell' and new.amount <= old.amount and new.size <= old.size and new.worst_fee <= old.worst_fee)))
      execute function refuse_changed_intent()`);
    this.addSql(`drop trigger trade_order_written_once on trade_order`);
    this.addSql(`create trigger trade_order_written_once before update of ${ONCE.join(', ')} on trade_order for each row
      when (${ONCE.map((column) => `(old.${column} is not null and new.${column} is distinct from old.${column})`).join(' or ')})
      execute function refuse_rewriting()`);
    this.addSql(`create trigger trade_order_evidence before update of ${EVIDENCE.join(', ')}, archived_part on trade_order
      for each row when (${differ('receipt, inputs, decided_quote, archived_part')}
        or (old.approval_receipt is not null and new.approval_receipt is distinct from old.approval_receipt))
      execute function refuse_changed_evidence()`);

    this.addSql(`create trigger archived_part_chained after insert on archived_part referencing new table as added
      for each statement execute function chain_entries()`);
    // Reads the new table, too; otherwise as it was.
    const rows = CHAINED.map(
      (table) => `(select '${table}' as subject, to_jsonb(t) as entry from ${table} t
        where accounts is null or account_id = any(accounts) offset 0)`,
    );
    this.addSql(`create or replace function chain_existing(accounts uuid[]) returns void language plpgsql
      set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set bytea_output = 'hex' as $$
      declare page record; head record;
      begin
        for page in
          with entry as (${rows.join(' union all ')}), numbered as (
            select subject, (entry ->> 'account_id')::uuid as account_id, ledger_digests(entry) as digests,
              coalesce(entry ->> 'to_status' = 'denied' and entry ->> 'from_status' is null, false) as is_denial,
              (entry ->> 'at')::timestamptz as at,
              (row_number() over (partition by subject, entry ->> 'account_id' order by (entry ->> 'at')::timestamptz) - 1) / 1000 as page
            from entry)
          select account_id, is_denial, subject, max(at) as at, array_agg(digests) as digests
          from numbered group by account_id, is_denial, subject, numbered.page
          order by account_id, is_denial, subject, numbered.page
        loop
          insert into ledger_head as h (account_id, is_denial, number, hash)
            values (page.account_id, page.is_denial, 1, link_digest(page.subject, page.at, page.digests))
            on conflict (account_id, is_denial)
              do update set number = h.number + 1, hash = sha256(h.hash || excluded.hash)
            returning number, hash into head;
          insert into ledger_link (account_id, is_denial, number, subject, at, digests, hash)
            values (page.account_id, page.is_denial, head.number, page.subject, page.at, page.digests, head.hash);
        end loop;
      end $$`);
  }
}
