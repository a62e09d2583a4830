/**
 * Compares the chain over write-once rows with those rows: it finds rows altered, deleted, inserted or reordered past all
 * triggers.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { NAMING_SUBJECTS } from '../../db/vocabulary.ts';
import type { Difference } from './rows.ts';

/** The last link of an account's chain. A copy of it kept elsewhere can prove later that everything before it is unchanged. */
export type ChainHead = { readonly number: number; readonly hash: string };

/** The most differences read at a time: one alteration can break each link after it. */
const DIFFERENCES_MAX = 1_000;

/** Details of an audit row have a digest of their own, which is a byte longer. */
const IS_DETAILS = sql`length(digest) > 32`;
const DAY_AGO = sql`statement_timestamp() - interval '1 day'`;

/**
 * Returns the differences between rows of these accounts and their chains, in the caller's transaction. Denied orders may be
 * gone after a day. Details of audit rows that name a person may be gone once the account is erased.
 */
export async function verifyHashChains(trx: Db, accountIds: readonly string[]): Promise<Difference[]> {
  await sql`select set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true)`.execute(trx);
  const ids = sql`any(${accountIds}::uuid[])`;
  const { rows: broken } = await sql<Difference>`${LINKS(ids)}
    select account_id as "accountId", 'ledger_link' as subject, number::text as id, 'number' as field,
      (before + 1)::text as expected, number::text as actual from link where number <> before + 1
    union all
    select account_id, 'ledger_link', number::text, 'hash', encode(expected, 'hex'), encode(hash, 'hex')
    from link where hash <> expected
    union all
    select account_id, 'ledger_head', account_id::text, case when is_denial then 'denials' else 'entries' end,
      coalesce(h.number || ' ' || encode(h.hash, 'hex'), 'a head'),
      coalesce(l.number || ' ' || encode(l.hash, 'hex'), 'gone')
    from (select * from ledger_head where account_id = ${ids}) h full join (
      select distinct on (account_id, is_denial) account_id, is_denial, number, hash from link
      order by account_id, is_denial, number desc) l using (account_id, is_denial)
    where (l.number, l.hash) is distinct from (h.number, h.hash) and not (is_denial and l.number is null)
    limit ${DIFFERENCES_MAX}`.execute(trx);
  const { rows: unproven } = await sql<Difference>`${LINKS(ids)},
    proven as (
      select account_id, is_denial, subject, number, at, digest from link cross join lateral unnest(digests) as digest
    ), erased as materialized (
      select distinct account_id from audit_event where account_id = ${ids} and action = 'account.erased'
    ), kept as materialized (
      select account_id, min(at) as since from link where is_denial group by 1
    ), entry as (
      select account_id, subject, id, entry, (entry ->> 'at')::timestamptz as at, digest,
        entry ->> 'to_status' = 'denied' and entry ->> 'from_status' is null as is_denial
      from (${ROWS(ids)}) as row cross join lateral unnest(ledger_digests(entry)) as digest
    )
    select account_id as "accountId", coalesce(e.subject, p.subject) as subject, coalesce(e.id, 'link ' || p.number) as id,
      'row' as field,
      case when e.digest is null then 'the one that was chained' else 'as it was chained' end as expected,
      case when e.digest is null then 'gone or altered' else 'altered or not chained' end as actual
    from entry e full join proven p using (account_id, digest)
      left join erased x using (account_id) left join kept k using (account_id)
    where (e.subject is null
        and not (p.is_denial and p.at <= ${DAY_AGO})
        and not (${IS_DETAILS} and x.account_id is not null))
      or (p.subject is null
        and not (${IS_DETAILS} and coalesce(entry ->> 'before', entry ->> 'after') is null
          and split_part(entry ->> 'action', '.', 1) = any(${NAMING_SUBJECTS}) and x.account_id is not null)
        and not coalesce(e.is_denial and e.at < coalesce(k.since, ${DAY_AGO}), false))
    order by 1, 2, 3 limit ${DIFFERENCES_MAX}`.execute(trx);
  return [...broken, ...unproven];
}

/** Returns the last link of an account's chain, or null if the chain is empty. */
export async function readChainHead(db: Db, accountId: string): Promise<ChainHead | null> {
  const { rows } = await sql<{ number: string; hash: string }>`
    select number, encode(hash, 'hex') as hash from ledger_head
    where account_id = ${accountId} and not is_denial`.execute(db);
  const [head] = rows;
  return head === undefined ? null : { number: Number(head.number), hash: head.hash };
}

/** Links, each with its expected predecessor. The predecessor of the first stored denial is no longer known. */
const LINKS = (accountIds: RawBuilder<unknown>) => sql`
  with link as materialized (
    select account_id, is_denial, number, subject, at, digests, hash,
      coalesce(lag(number) over chain, case when is_denial then number - 1 else 0 end) as before,
      case when number = 1 then link_digest(subject, at, digests)
        else sha256(lag(hash) over chain || link_digest(subject, at, digests)) end as expected
    from ledger_link where account_id = ${accountIds}
    window chain as (partition by account_id, is_denial order by number)
  )`;

/** The rows in the chains. With an offset, each is converted to JSON once, however often it is used. */
const ROWS = (accountIds: RawBuilder<unknown>) =>
  sql.join(
    Object.entries(ID_OF).map(
      ([table, id]) => sql`
        (select account_id, ${sql.lit(table)} as subject, ${id} as id, to_jsonb(t) as entry
        from ${sql.table(table)} t where account_id = ${accountIds} offset 0)`,
    ),
    sql` union all `,
  );
const ID = sql`t.id::text`;
const ID_OF = {
  fill: ID,
  order_transition: sql`t.order_id || ' ' || t.number`,
  cash_entry: ID,
  audit_event: ID,
  archived_part: sql`t.number::text`,
};
