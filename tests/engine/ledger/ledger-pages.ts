import { BooksVerification } from '../../../engine/ledger/books-verification.ts';
import { ClockSetbacks } from '../../../engine/ledger/clock-setbacks.ts';
import {
  type CashRow,
  type Difference,
  EMPTY_PAGE,
  type FillPartRow,
  type FillRow,
  type LedgerAccount,
  type LedgerOrderRow,
  type LedgerPage,
  type ReservationRow,
  type StepRow,
  type StoredBooks,
} from '../../../engine/ledger/rows.ts';
import { sumOf } from '../../../engine/platform/decimal.ts';

type Mutable<Rows> = Rows extends readonly (infer Row)[] ? Row[] : Rows;
type Known = 'tradingAccount' | 'positions' | 'days' | 'rules';
type Audited = 'ruleChanges' | 'trips' | 'reductions' | 'writeOffs' | 'payouts';

/** Everything the database holds about one account's money in one mode, in a form that tests change. */
export type LedgerRows = LedgerAccount & { -readonly [Key in Known | Audited]: Mutable<StoredBooks[Key]> } & {
  orders: LedgerOrderRow[];
  steps: StepRow[];
  allocations: ReservationRow[];
  fills: FillRow[];
  fillParts: FillPartRow[];
  cashEntries: CashRow[];
};

/** The rows beside the books: none unless specified otherwise. */
export type SurroundingRows = Partial<
  Pick<
    StoredBooks,
    'equityPoints' | 'events' | 'hasPaperOrders' | 'origins' | 'readAt' | 'moves' | 'statedMoves'
  > &
    Pick<LedgerPage, 'instruments' | 'paperOrders' | 'paperFills' | 'releases' | 'strays'>
>;

/** The differences in these rows, `pageEntries` steps and fills at a time. */
export function verifyRows(
  rows: LedgerRows,
  {
    beside = {},
    pageEntries = Number.POSITIVE_INFINITY,
  }: { beside?: SurroundingRows; pageEntries?: number } = {},
): Difference[] {
  const verification = new BooksVerification(openingOf(rows, beside));
  const found: Difference[] = [];
  for (const page of pagesOf(rows, beside, pageEntries)) found.push(...verification.take(page));
  return [...found, ...verification.end()];
}

function openingOf(rows: LedgerRows, beside: SurroundingRows): StoredBooks {
  const timeOrder = new ClockSetbacks();
  for (const entry of inOrder(rows)) {
    if ('step' in entry) timeOrder.note({ ...entry.step, is_step: true });
    else timeOrder.note({ seq: entry.fill.seq, at: entry.fill.applied_at, is_step: false });
  }
  return {
    equityPoints: [],
    events: { counted: '0', first: null, last: null, rows: 0 },
    hasPaperOrders: false,
    watches: [],
    stops: [],
    watch: undefined,
    readAt: new Date(0),
    moves: [],
    statedMoves: [],
    auditTrailChecks: [],
    origins: [],
    digestsSince: null,
    ...beside,
    ...rows,
    deposits: rows.cashEntries.filter(({ kind }) => kind === 'deposit'),
    cashTotal: sumOf(rows.cashEntries.map(({ amount }) => amount)).toFixed(),
    timeOrder,
  };
}

/** Payouts of every settlement, as if venues had stated them. */
const statedOf = ({ fills }: LedgerRows): LedgerPage['instruments'] =>
  fills.flatMap(({ kind, token_id, price }) =>
    kind === 'settlement' ? [{ token_id, kind: 'outcome' as const, settlement_value: price }] : [],
  );

function* pagesOf(rows: LedgerRows, beside: SurroundingRows, pageEntries: number): Generator<LedgerPage> {
  const entries = inOrder(rows);
  const ids = entries.map((entry) => ('step' in entry ? entry.step.order_id : entry.fill.order_id));
  const first = (row: LedgerOrderRow) => ({
    row,
    allocations: rows.allocations.filter(({ order_id }) => order_id === row.id),
    dispatch: null,
    entries: ids.filter((id) => id === row.id).length,
  });
  const venue = { paperOrders: [], paperFills: [], instruments: statedOf(rows), ...beside };
  const size = Math.min(pageEntries, Math.max(entries.length, 1));
  for (let start = 0; start < entries.length; start += size) {
    const isFirstHere = ({ id }: LedgerOrderRow) =>
      ids.indexOf(id) >= start && ids.indexOf(id) < start + size;
    yield {
      ...EMPTY_PAGE,
      ...venue,
      releases: [],
      strays: [],
      orders: rows.orders.filter(isFirstHere).map(first),
      entries: entries.slice(start, start + size),
    };
  }
  yield {
    ...EMPTY_PAGE,
    ...venue,
    orders: rows.orders.filter(({ id }) => !ids.includes(id)).map(first),
  };
}

function inOrder({ steps, fills, fillParts, cashEntries }: LedgerRows) {
  return [
    ...steps.map((step) => ({ seq: BigInt(step.seq), step })),
    ...fills.map((fill) => ({
      seq: BigInt(fill.seq),
      fill,
      parts: fillParts.filter(({ fill_id }) => fill_id === fill.id),
      cash: cashEntries.filter(({ fill_id }) => fill_id === fill.id),
    })),
  ].sort((a, b) => Number(a.seq - b.seq));
}
