-- Distributes the tables of accounts over a Citus cluster: to try it, never for production (docs/cells.md, "Citus instead").
-- On the coordinator, as the owner of a database that was migrated and whose rows may be lost:
--
--   psql -v ON_ERROR_STOP=1 -f ops/citus.sql postgres://owner@coordinator/trading

begin;
set local citus.enable_unsafe_triggers = on;
set local citus.multi_shard_modify_mode = 'sequential';
set local citus.shard_count = 8;

-- The tables of tests/api/account.test.ts: every table with an account, and `account` itself.
create temp table distributed on commit drop as
  select attrelid as id, attname as key from pg_attribute join pg_class c on c.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind = 'r'
    and attname = case relname when 'account' then 'id' else 'account_id' end;

-- The chain of the ledger reads transition tables. Citus accepts these triggers, and then refuses each insert.
select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger where tgnewtable is not null \gexec

-- With its references no table can be the first: they return at the end, where both of their tables are distributed.
create temp table reference on commit drop as
  select conrelid as child, confrelid as parent, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    and (conrelid in (select id from distributed) or confrelid in (select id from distributed));
select format('alter table %s drop constraint %I', child::regclass, name) from reference \gexec

-- Subqueries are refused in policies.
select format($$alter policy own_account on %s using (%I = nullif(nullif(current_setting('app.account_id', true), ''), '*')::uuid
    or current_setting('app.account_id', true) = '*')$$, id::regclass, key) from distributed \gexec

-- Unique over all accounts is refused: plain indexes here, which a directory would have to replace.
alter table history_import drop constraint history_import_pkey, add primary key (account_id, id);
select format('drop index %s; %s', indexrelid::regclass, replace(pg_get_indexdef(indexrelid), 'UNIQUE ', ''))
  from pg_index join distributed on id = indrelid where indisunique and not exists (
    select from pg_attribute where attrelid = indrelid and attname = key and attnum = any(indkey)) \gexec

select format('select create_distributed_table(%L, %L, colocate_with => %L)', id::regclass, key,
    case key when 'id' then 'default' else 'account' end) from distributed order by key desc \gexec

-- "on delete set null" is refused.
select format('alter table %s add constraint %I %s', child::regclass, name, regexp_replace(definition, ' ON DELETE SET NULL.*', ''))
  from reference where child in (select id from distributed) and parent in (select id from distributed) \gexec
commit;
