import { type Selectable, sql } from 'kysely';
import type { Database, Db } from '../../../db/tables.ts';
import { auditActionOf, MOVE_KINDS } from '../../books/accounting/move-cash.ts';
import type { ClockSetbacks } from '../clock-setbacks.ts';
import { readNodesWithOrders } from '../orders/check-node-firings.ts';
import type { AuditRow, LedgerAccount, StoredBooks } from '../rows.ts';
import { readAuditTrailChecks } from './read-audit-trail-checks.ts';

/** The actions in the audit trail with which the books are compared. */
const AUDITED = {
  statedMoves: MOVE_KINDS.map(auditActionOf),
  ruleChanges: ['risk_rules.changed'],
  trips: ['daily_loss.tripped'],
  watches: ['drawdown.watched'],
  stops: ['drawdown.tripped'],
  reductions: ['order.reduced'],
  writeOffs: ['position.written_off', 'position.adjusted'],
  payouts: ['position.settled'],
} satisfies Record<string, readonly string[]>;

type Reading = {
  readonly timeOrder: ClockSetbacks;
  readonly readAt: Date;
  readonly pageRows: number;
  readonly archivedPoints: StoredBooks['equityPoints'];
};

/** Reads the opening inside the caller's transaction; null if the account has no row of its own. */
export async function readStoredBooks(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  { timeOrder, readAt, pageRows, archivedPoints }: Reading,
): Promise<StoredBooks | null> {
  const rowsOf = <Table extends keyof Database>(table: Table, also = sql`true`) =>
    sql<Selectable<Database[Table]>>`
      select * from ${sql.table(table)} where account_id = ${accountId} and mode = ${mode} and ${also}`
      .execute(trx)
      .then(({ rows }) => rows);
  const [tradingAccount] = await rowsOf('trading_account');
  if (tradingAccount === undefined) return null;
  const audited = await readAuditTrail(trx, { accountId, mode });
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
    statedMoves: audited('statedMoves'),
    cashTotal: await cashTotal(trx, { accountId, mode }),
    equityPoints: [...archivedPoints, ...(await rowsOf('equity_point'))].sort(
      (a, b) => Date.parse(a.at) - Date.parse(b.at),
    ),
    rules: (await rowsOf('risk_rules'))[0],
    ruleChanges: audited('ruleChanges'),
    trips: audited('trips'),
    watches: audited('watches'),
    stops: audited('stops'),
    watch: (await rowsOf('drawdown_watch'))[0],
    reductions: audited('reductions'),
    writeOffs: audited('writeOffs'),
    auditTrailChecks: await readAuditTrailChecks(trx, { accountId, mode }, pageRows),
    payouts: audited('payouts'),
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

/** Reads these parts of the audit trail at once, and returns the rows of one. */
async function readAuditTrail(trx: Db, { accountId, mode }: LedgerAccount) {
  const rows: AuditRow[] = await trx
    .selectFrom('audit_event')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('action', 'in', Object.values(AUDITED).flat())
    .orderBy('at')
    .orderBy('id')
    .execute();
  return (part: keyof typeof AUDITED) => rows.filter(({ action }) => AUDITED[part].includes(action));
}
