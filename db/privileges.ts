/** The rights of the application's role: those that the code needs on each table, and no others. */

import pg from 'pg';

const HISTORY = ['select', 'insert'];
const UPDATABLE = ['select', 'insert', 'update'];
const PASSING = ['select', 'insert', 'delete'];
const ALL = ['select', 'insert', 'update', 'delete'];

/**
 * Rights by table, decided one by one; a test compares them with the catalogue. A table that is not listed yet gets the
 * usual rights on rows, never DDL, TRUNCATE or a trigger.
 */
export const TABLE_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  'public.schema_migration': ['select'],
  'public.denied_fold': ['select'],
  'public.operation_run': ['select'],
  'public.moved_account': ['select'],
  'public.moved_key': ['select'],
  'public.moved_email': ['select'],
  'public.arriving_part': [],
  'public.archived_part': ['select'],
  'public.operator': [],
  'public.cell': HISTORY,
  'public.ledger_head': ['select'],
  'public.ledger_link': ['select'],
  'public.audit_event': HISTORY,
  'public.careers_application': HISTORY,
  'public.cash_entry': HISTORY,
  'public.fill': HISTORY,
  'public.fill_allocation': HISTORY,
  'public.history_series': HISTORY,
  'public.instrument_fact': HISTORY,
  'public.membership': HISTORY,
  'public.paper_fill': HISTORY,
  'public.order_transition': HISTORY,
  'public.price_period': HISTORY,
  'public.account': UPDATABLE,
  'public.account_day': UPDATABLE,
  'public.api_key': UPDATABLE,
  'public.history_chunk': UPDATABLE,
  'public.history_import': ALL,
  'public.instrument': UPDATABLE,
  'public.ledger_check': UPDATABLE,
  'public.order_allocation': UPDATABLE,
  'public.series_coverage': ALL,
  'public.order_dispatch': UPDATABLE,
  'public.paper_order': UPDATABLE,
  'public.position': UPDATABLE,
  'public.push_key': UPDATABLE,
  'public.risk_rules': UPDATABLE,
  'public.shard': UPDATABLE,
  'public.sweep': UPDATABLE,
  'public.trade_order': UPDATABLE,
  'public.trading_account': UPDATABLE,
  'public.venue_connection': UPDATABLE,
  'public.venue_cursor': UPDATABLE,
  'public.venue_difference': UPDATABLE,
  'public.account_event': PASSING,
  'public.blueprint_equity': PASSING,
  'public.equity_point': PASSING,
  'public.notification': PASSING,
  'public.notification_mark': PASSING,
  'public.intent_request': PASSING,
  'public.signal_value': PASSING,
  'public.quote_chunk': PASSING,
  'public.release': PASSING,
  'public.share_link': PASSING,
  'public.backtest_part': PASSING,
  'public.sweep_trial': PASSING,
  'public.venue_event': PASSING,
  'public.release_body': PASSING,
  'public.backtest': ALL,
  'public.notification_channel': ALL,
  'public.signal': ALL,
  'public.oauth_client': ALL,
  'public.oauth_grant': ALL,
  'public.notification_cursor': ALL,
  'public.notification_delivery': ALL,
  'public.blueprint': ALL,
  'public.deployment': ALL,
  'public.drawdown_watch': ALL,
  'public.deployment_nodes': ALL,
  'public.deployment_state': ALL,
  'public.idempotency_key': ALL,
  'public.paper_level': ALL,
  'public.process': ALL,
  'public.quote': ALL,
  'public.venue_account_claim': ALL,
  'public.venue_cash': ALL,
  'public.venue_credential': ALL,
  'auth.account': ALL,
  'auth.jwks': ALL,
  'auth.passkey': ALL,
  'auth.secondFactorKey': UPDATABLE,
  'auth.session': ALL,
  'auth.twoFactor': ALL,
  'auth.usedCode': ALL,
  'auth.user': ALL,
  'auth.verification': ALL,
};

const SCHEMAS = ['public', 'auth'];
/** The owner's record of migrations. */
const NO_SEQUENCE = 'public.schema_migration_id_seq';

type Held = { name: string; object: string; held: string[] };

/**
 * Gives a role exactly these rights, and revokes PostgreSQL's former defaults for PUBLIC: to create tables in `public`, and
 * temporary ones. Correct rights are left alone, so that a start changes no catalogue.
 *
 * @param owner a connection as the owner of the tables, outside a transaction
 */
export async function grantRights(owner: pg.Client, role: string): Promise<void> {
  const statements = [
    ...(await publicDefaultRights(owner)),
    ...(await rightsOf(owner, role, SCHEMA_RIGHTS, () => ['usage'])),
    ...(await rightsOf(owner, role, relationRights('table'), (name) => TABLE_RIGHTS[name] ?? ALL)),
    ...(await rightsOf(owner, role, relationRights('sequence'), (name) =>
      name === NO_SEQUENCE ? [] : ['usage'],
    )),
    ...(await rightsOf(owner, role, FUNCTION_RIGHTS, () => ['execute'])),
  ];
  for (const statement of statements) await owner.query(statement);
}

/** The statements that turn a role's current rights into the required ones, for one kind of object. `object` comes quoted. */
async function rightsOf(
  owner: pg.Client,
  role: string,
  question: string,
  wanted: (name: string) => readonly string[],
): Promise<string[]> {
  const { rows } = await owner.query<Held>(question, [role, SCHEMAS]);
  return rows.flatMap(({ name, object, held }) => {
    const toRole = pg.escapeIdentifier(role);
    const missing = wanted(name).filter((right) => !held.includes(right));
    const tooMany = held.filter((right) => !wanted(name).includes(right));
    return [
      ...(missing.length > 0 ? [`grant ${missing.join(', ')} on ${object} to ${toRole}`] : []),
      ...(tooMany.length > 0 ? [`revoke ${tooMany.join(', ')} on ${object} from ${toRole}`] : []),
    ];
  });
}

const HELD = `coalesce(array_agg(lower(a.privilege_type)) filter (where a.privilege_type is not null), '{}') as held`;
const OF_ROLE = 'a.grantee = (select oid from pg_roles where rolname = $1)';

const SCHEMA_RIGHTS = `
  select n.nspname as name, format('schema %I', n.nspname) as object, ${HELD}
  from pg_namespace n left join lateral aclexplode(n.nspacl) a on ${OF_ROLE}
  where n.nspname = any($2) group by 1`;

const relationRights = (kind: 'table' | 'sequence') => `
  select n.nspname || '.' || c.relname as name, format('${kind} %I.%I', n.nspname, c.relname) as object, ${HELD}
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join lateral aclexplode(c.relacl) a on ${OF_ROLE}
  where n.nspname = any($2) and c.relkind in (${kind === 'table' ? "'r', 'p'" : "'S'"})
  group by n.nspname, c.relname`;

/** Functions that run as the owner; trigger functions need no right. */
const FUNCTION_RIGHTS = `
  select p.proname as name, format('function %s', p.oid::regprocedure) as object, ${HELD}
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    left join lateral aclexplode(p.proacl) a on ${OF_ROLE}
  where n.nspname = any($2) and p.prosecdef group by p.oid, p.proname`;

/** The rights of PUBLIC by default, before version 15 or in every database, that the service does not need. */
async function publicDefaultRights(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ database: string; tables: boolean; temporary: boolean }>(`
    select current_database() as database,
      exists (select from pg_namespace n, aclexplode(n.nspacl) a
        where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE') as tables,
      exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
        where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'TEMPORARY'
          and pg_has_role(d.datdba, 'usage')) as temporary`);
  const [open] = rows;
  if (open === undefined) return [];
  return [
    ...(open.tables ? ['revoke create on schema public from public'] : []),
    ...(open.temporary
      ? [`revoke temporary on database ${pg.escapeIdentifier(open.database)} from public`]
      : []),
  ];
}
