/** Reads state that the audit trail proves, and its trail in pages: the trail grows with every action, the state does not. */
import { sql } from 'kysely';
import { SqlCursor } from '../../../db/sql-cursor.ts';
import type { Db } from '../../../db/tables.ts';
import {
  type AuditRow,
  CONNECTION_COLUMNS,
  DEPLOYMENT_COLUMNS,
  KEY_COLUMNS,
  type LedgerAccount,
  type Report,
  type StoredBooks,
} from '../rows.ts';
import { CONNECTION_ACTIONS, ConnectionTrail } from '../trails/connection-trail.ts';
import { DEPLOYMENT_ACTIONS, DeploymentTrail } from '../trails/deployment-trail.ts';
import { EXPLAINED_ACTION, ExplainedDifferences } from '../trails/explained-differences.ts';
import { KEY_ACTIONS, KeyTrail } from '../trails/key-trail.ts';
import { SIGNAL_ACTIONS, SignalTrail } from '../trails/signal-trail.ts';

/** A fold over rows of the audit trail. */
type AuditFold = { take(row: AuditRow): void };

/** Reads the proofs inside the caller's transaction. */
export async function readAuditTrailChecks(
  trx: Db,
  account: LedgerAccount,
  pageRows: number,
): Promise<StoredBooks['auditTrailChecks']> {
  const [deployments, keys] = [new DeploymentTrail(), new KeyTrail()];
  const signals = new SignalTrail();
  const [connections, explanations] = [new ConnectionTrail(), new ExplainedDifferences()];
  const trails = new Map<string, AuditFold>([
    ...DEPLOYMENT_ACTIONS.map((action) => [action, deployments] as const),
    ...KEY_ACTIONS.map((action) => [action, keys] as const),
    ...CONNECTION_ACTIONS.map((action) => [action, connections] as const),
    [EXPLAINED_ACTION, explanations],
    ...SIGNAL_ACTIONS.map((action) => [action, signals] as const),
  ]);
  for await (const row of readAuditEvents(trx, account, [...trails.keys()], pageRows))
    trails.get(row.action)?.take(row);
  const { mode } = account;
  const rows = await readRows(trx, account);
  const checks = [
    (report: Report) => deployments.compare(rows.deployments, report),
    (report: Report) => keys.compare(rows.keys, mode, report),
    (report: Report) => signals.compare(rows.signals, mode, report),
  ];
  if (mode !== 'live') return checks;
  const live = await readLiveRows(trx, account);
  return [
    ...checks,
    (report) => connections.compare(live.connections, report),
    (report) => explanations.compare(live.explained, report),
  ];
}

const readRows = async (trx: Db, { accountId, mode }: LedgerAccount) => ({
  deployments: await trx
    .selectFrom('deployment')
    .select(DEPLOYMENT_COLUMNS)
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .execute(),
  keys: await trx
    .selectFrom('api_key')
    .select(KEY_COLUMNS)
    .select(({ selectFrom }) =>
      selectFrom('oauth_grant as g')
        .select('g.client_id')
        .whereRef('g.account_id', '=', 'api_key.account_id')
        .whereRef('g.key_id', '=', 'api_key.id')
        .as('client_id'),
    )
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .execute(),
  signals: await trx
    .selectFrom('signal')
    .select('name')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .execute(),
});

/** Connections and their differences exist in live mode only. */
const readLiveRows = async (trx: Db, { accountId }: LedgerAccount) => ({
  connections: await trx
    .selectFrom('venue_connection')
    .select(CONNECTION_COLUMNS)
    .where('account_id', '=', accountId)
    .execute(),
  explained: await trx
    .selectFrom('venue_difference')
    .select(['id', 'resolved_by', 'about', 'theirs'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'explained')
    .execute(),
});

/** Rows of these actions in one mode, and of those that concern every mode, by time. */
async function* readAuditEvents(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  actions: readonly string[],
  pageRows: number,
): AsyncGenerator<AuditRow> {
  const cursor = await SqlCursor.open(
    trx,
    'ledger_audit_events',
    sql<AuditRow>`select * from audit_event where account_id = ${accountId}
      and (mode is null or mode = ${mode}) and action = any(${[...actions]}::text[]) order by at, id`,
  );
  for await (const rows of cursor.pages(pageRows)) yield* rows;
}
