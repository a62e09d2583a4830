import pg from 'pg';

/**
 * Without a scope: null, and no row. Each `select` is evaluated once per statement, not per row. A bare boolean is estimated
 * as even, so that plans of work over all accounts stay unchanged.
 */
const IS_ALL_ACCOUNTS = `(select current_setting('app.account_id', true) = '*')`;
const ACCOUNT = `(select nullif(nullif(current_setting('app.account_id', true), ''), '*')::uuid)`;

/**
 * Puts every table that has an account column behind a policy: only its own rows are visible, to read and to write. Tables
 * that have one are left alone. The owner of the tables bypasses it: migrations and backups see everything.
 *
 * @param owner a connection as the owner of the tables, outside a transaction
 */
export async function enableRowSecurity(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ table: string; column: string }>(UNPROTECTED);
  for (const { table, column } of rows) {
    const name = pg.escapeIdentifier(table);
    await owner.query(`begin;
      drop policy if exists own_account on ${name};
      create policy own_account on ${name} using (${column} = ${ACCOUNT} or ${IS_ALL_ACCOUNTS});
      alter table ${name} enable row level security;
      commit`);
  }
}

/** `account` itself is matched by its id. */
const UNPROTECTED = `
  select c.relname as table, a.attname as column
  from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    and a.attname = case when c.relname = 'account' then 'id' else 'account_id' end
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not (c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'own_account'))
  order by 1`;
