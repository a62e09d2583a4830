import { type Selectable, sql } from 'kysely';
import type { Database, Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { auditActionOf, MOVE_KINDS } from '../../books/accounting/move-cash.ts';
import type { ClockSetbacks } from '../clock-setbacks.ts';
import { readNodesWithOrders } from '../orders/check-node-firings.ts';
import type { AuditRow, LedgerAccount, StoredBooks } from '../rows.ts';
import { readAuditTrailChecks } from './read-audit-trail-checks.ts';

/** Reads the opening inside the caller's transaction; null if the account has no row of its own. */
export async function readStoredBooks(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  { timeOrder, readAt, pageRows }: { timeOrder: ClockSetbacks; readAt: Date; pageRows: number },
): Promise<StoredBooks | null> {
  const rowsOf = <Table extends keyof Database>(table: Table, also = sql`true`) =>
    sql<Selectable<Database[Table]>>`
      select * from ${sql.table(table)} where account_id = ${accountId} and mode = ${mode} and ${also}`
      .execute(trx)
      .then(({ rows }) => rows);
  const [tradingAccount] = await rowsOf('trading_account');
  if (tradingAccount === undefined) return null;
  return {
    accountId,
    mode,
    timeOrder,
    readAt,
    tradingAccount,
    positions: await rowsOf('position'),
    days: await rowsOf('account_day'),
    deposits: await rowsOf('cash_entry', sql`kind = 'deposit'`),
    moves: await rowsOf('cash_entry', sql`seq is not null order by seq`),
    statedMoves: await audited(trx, accountId, mode, MOVE_KINDS.map(auditActionOf)),
    cashTotal: await cashTotal(trx, { accountId, mode }),
    equityPoints: await rowsOf('equity_point', sql`true order by at`),
    rules: (await rowsOf('risk_rules'))[0],
    ruleChanges: await audited(trx, accountId, mode, ['risk_rules.changed']),
    trips: await audited(trx, accountId, mode, ['daily_loss.tripped']),
    watches: await audited(trx, accountId, mode, ['drawdown.watched']),
    stops: await audited(trx, accountId, mode, ['drawdown.tripped']),
    watch: (await rowsOf('drawdown_watch'))[0],
    reductions: await audited(trx, accountId, mode, ['order.reduced']),
    writeOffs: await audited(trx, accountId, mode, ['position.written_off', 'position.adjusted']),
    auditTrailChecks: await readAuditTrailChecks(trx, { accountId, mode }, pageRows),
    payouts: await audited(trx, accountId, mode, ['position.settled']),
    digestsSince: await digestsSince(trx),
    events: await events(trx, accountId),
    origins: await readNodesWithOrders(trx, { accountId, mode }, readAt),
    hasPaperOrders: mode === 'paper' && (await hasPaperOrders(trx, accountId)),
  };
}

/** Returns an hour after the baseline: until then processes of a version without digests may still write steps. */
async function digestsSince(trx: Db): Promise<Date | null> {
  const { rows } = await sql<{ since: string }>`
    select executed_at + interval '1 hour' as since from schema_migration where name like '%_baseline'`.execute(
    trx,
  );
  return rows[0] === undefined ? null : new Date(rows[0].since);
}

async function cashTotal(trx: Db, { accountId, mode }: LedgerAccount): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    select coalesce(sum(amount), 0)::text as total from cash_entry
    where account_id = ${accountId} and mode = ${mode}`.execute(trx);
  return rows[0]?.total ?? '0';
}

async function events(trx: Db, accountId: string): Promise<StoredBooks['events']> {
  const { rows } = await sql<StoredBooks['events']>`
    select a.event_seq as counted, min(e.seq) as first, max(e.seq) as last, count(e.seq)::int as rows
    from account a left join account_event e on e.account_id = a.id
    where a.id = ${accountId} group by a.event_seq`.execute(trx);
  return rows[0] ?? { counted: '0', first: null, last: null, rows: 0 };
}

async function hasPaperOrders(trx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from paper_order where account_id = ${accountId} limit 1`.execute(trx);
  return rows.length > 0;
}

const audited = (trx: Db, accountId: string, mode: Mode, actions: readonly string[]): Promise<AuditRow[]> =>
  trx
    .selectFrom('audit_event')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('action', 'in', actions)
    .orderBy('at')
    .orderBy('id')
    .execute();
