import type { Db } from '../../db/tables.ts';
import { type Mode, SIDES } from '../../db/vocabulary.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { PaperAccount } from '../../engine/research/account/paper-account.ts';
import type { MemoryPaperVenue } from '../../engine/research/account/paper-venue.ts';
import type { SimulatedAccount } from '../../engine/research/account/simulated-account.ts';
import type { SimulatedBooks } from '../../engine/research/account/simulated-books.ts';

/**
 * Rows in a form that two accounts can be compared by: decimals without trailing zeros, moments in ISO 8601, in a fixed order.
 */
export type ComparedRows = Record<string, readonly Record<string, unknown>[]>;

const DECIMAL = /^-?\d+\.\d+$/;
const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/;

/** Values in JSON columns are compared as they are: they are text that was written once. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'receipt',
  'approval_receipt',
  'inputs',
  'decided_quote',
  'before',
  'after',
  'payload',
]);
/** Numbers that the database assigns, in an order that no decision sees. */
const LEFT_OUT: ReadonlySet<string> = new Set(['seq', 'request_id', 'digest']);

function plain(row: object, leftOut: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !LEFT_OUT.has(name) && !leftOut.includes(name))
      .map(([name, value]) => [name, JSON_COLUMNS.has(name) ? asJson(value) : plainValue(value)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}

const asJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return value;
  if (MOMENT.test(value)) return toIso(value);
  return DECIMAL.test(value) ? exact(value).toFixed() : value;
}

const byKeys = (...keys: string[]) => {
  const keyOf = (row: Record<string, unknown>) => JSON.stringify(keys.map((key) => row[key]));
  return (a: Record<string, unknown>, b: Record<string, unknown>) => (keyOf(a) < keyOf(b) ? -1 : 1);
};

const compared = (rows: Iterable<object>, keys: string[], leftOut: string[] = []) =>
  [...rows].map((row) => plain(row, leftOut)).sort(byKeys(...keys));

/** The decision in an audit row; its id and its request come from elsewhere. */
const audited = (rows: Iterable<object>) => [...rows].map((row) => plain(row, ['id', 'account_id', 'mode']));

const memoryRows = (rows: SimulatedBooks): ComparedRows => ({
  rules: [plain(rows.rules)],
  account: [plain(rows.account)],
  ...(rows.watch !== null && { watch: [plain(rows.watch)] }),
  days: compared(rows.days.values(), ['day']),
  orders: compared(rows.orders.values(), ['id']),
  transitions: compared(rows.transitions, ['order_id', 'number']),
  allocations: compared([...rows.allocations.values()].flat(), ['order_id', 'number']),
  positions: compared(rows.positions.values(), ['id']),
  fills: compared([...rows.fills.values()].flat().concat(rows.payouts), ['id']),
  parts: compared(rows.parts, ['fill_id', 'number']),
  cash: compared(rows.cash, ['id']),
  audits: audited(rows.audits.map(({ subjectId, ...entry }) => ({ ...entry, subject_id: subjectId }))),
  events: rows.events.map((event) => plain(event)),
  marks: compared(rows.quotes.values(), ['token_id']),
});

/** The paper venue's own record; of its remembered offers, one row a price. */
const venueRows = ({
  orders,
  fills,
  levels,
}: Pick<MemoryPaperVenue, 'orders' | 'fills' | 'levels'>): ComparedRows => ({
  paperOrders: compared(orders.values(), ['id']),
  paperFills: compared([...fills.values()].flat(), ['id']),
  paperLevels: compared(
    [...levels].flatMap(([token_id, sides]) =>
      SIDES.flatMap((side) =>
        [...sides[side].values()].map(({ price, visible, left, seenAt }) => ({
          token_id,
          side,
          price: price.toFixed(),
          shown: visible.toFixed(),
          left: left.toFixed(),
          seen_at: seenAt,
        })),
      ),
    ),
    ['token_id', 'side', 'price'],
  ),
});

/** The rows of a simulated account, with the record of its venue where it has one. */
export const rowsInMemory = (account: SimulatedAccount): ComparedRows => ({
  ...memoryRows(account.rows),
  ...venueRows(
    account instanceof PaperAccount
      ? account.venue
      : { orders: new Map(), fills: new Map(), levels: new Map() },
  ),
});

const isPaper = ({ mode }: { mode: Mode }): boolean => mode === 'paper';

export async function storedRows(
  db: Db,
  accountId: string,
  tokens: readonly string[],
): Promise<ComparedRows> {
  const all = <Table extends Parameters<Db['selectFrom']>[0] & string>(table: Table) =>
    db
      .selectFrom(table as 'fill')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute();
  const audits = await db
    .selectFrom('audit_event')
    .selectAll()
    .where('account_id', '=', accountId)
    // Starts and ends of deployments are decided outside the accounts.
    .where('action', 'not like', 'blueprint.%')
    .orderBy('id')
    .execute();
  const events = await db
    .selectFrom('account_event')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('seq')
    .execute();
  const cash = await db
    .selectFrom('cash_entry')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('fill_id', 'is not', null)
    .execute();
  const watch = (await all('drawdown_watch')).filter(isPaper);
  const quotes = await db.selectFrom('quote').selectAll().where('token_id', 'in', tokens).execute();
  return {
    rules: (await all('risk_rules')).filter(isPaper).map((row) => plain(row)),
    account: (await all('trading_account')).filter(isPaper).map((row) => plain(row)),
    ...(watch.length > 0 && { watch: watch.map((row) => plain(row, ['account_id', 'mode'])) }),
    days: compared(await all('account_day'), ['day']),
    orders: compared(await all('trade_order'), ['id']),
    transitions: compared(await all('order_transition'), ['order_id', 'number']),
    allocations: compared(await all('order_allocation'), ['order_id', 'number']),
    positions: compared(await all('position'), ['id']),
    fills: compared(await all('fill'), ['id']),
    parts: compared(await all('fill_allocation'), ['fill_id', 'number']),
    cash: compared(cash, ['id']),
    audits: audited(audits),
    events: events.map(({ at, type, payload }) => plain({ at, type, payload })),
    marks: compared(quotes, ['token_id']),
    paperOrders: compared(await all('paper_order'), ['id']),
    paperFills: compared(await all('paper_fill'), ['id']),
    paperLevels: compared(await all('paper_level'), ['token_id', 'side', 'price'], ['account_id']),
  };
}
