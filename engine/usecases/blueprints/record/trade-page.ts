import type { Trade } from '../../../books/statistics/trade-tracker.ts';
import { exact } from '../../../platform/decimal.ts';

/** A trade that ended, with the title of its instrument. */
export type NamedTrade = Trade & { readonly tokenId: string; readonly title: string };

export const TRADE_SORTS = ['left', 'entered', 'held', 'result', 'return'] as const;
export type TradeSort = (typeof TRADE_SORTS)[number];

export type TradeFilter = {
  readonly limit: number;
  readonly sort?: TradeSort | undefined;
  readonly isAscending?: boolean | undefined;
  /** Words in the instrument. */
  readonly find?: string | undefined;
  /** Ended at or after this instant, and before `to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last trade of the page before, by {@link tradeId}. */
  readonly after?: string | undefined;
};

/** Identifies a trade: a holding is never open twice at once. */
export const tradeId = ({ holding, openedAtMs, closedAtMs }: Trade): string =>
  `${holding} ${openedAtMs} ${closedAtMs}`;

/** The trades of a filter in its order, and their number. Equal ones are sorted by their end. Pure. */
export function tradePage<Row extends NamedTrade>(
  trades: readonly Row[],
  { limit, sort = 'left', isAscending = false, find, from, to, after }: TradeFilter,
): { count: number; rows: Row[] } {
  const words = find?.toLowerCase() ?? '';
  const [startMs, endMs] = [
    from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
    to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
  ];
  const turn = isAscending ? 1 : -1;
  const found = trades
    .filter(
      ({ tokenId, title, closedAtMs }) =>
        closedAtMs >= startMs && closedAtMs < endMs && `${title} ${tokenId}`.toLowerCase().includes(words),
    )
    .toSorted((a, b) => turn * (COMPARE[sort](a, b) || COMPARE.left(a, b)));
  if (after === undefined) return { count: found.length, rows: found.slice(0, limit) };
  const last = found.findIndex((trade) => tradeId(trade) === after);
  // An unknown `after` yields an empty page: a restart from the first page would never end.
  return { count: found.length, rows: last === -1 ? [] : found.slice(last + 1, last + 1 + limit) };
}

const heldMs = ({ openedAtMs, closedAtMs }: Trade): number => closedAtMs - openedAtMs;

/** A purchase for nothing has no return; it sorts as if it had none. */
const returnOf = ({ pnl, bought }: Trade): number =>
  Number(bought) === 0 ? 0 : Number(pnl) / Number(bought);

const COMPARE: Readonly<Record<TradeSort, (a: Trade, b: Trade) => number>> = {
  left: (a, b) => a.closedAtMs - b.closedAtMs || a.openedAtMs - b.openedAtMs,
  entered: (a, b) => a.openedAtMs - b.openedAtMs,
  held: (a, b) => heldMs(a) - heldMs(b),
  result: (a, b) => exact(a.pnl).cmp(b.pnl),
  return: (a, b) => returnOf(a) - returnOf(b),
};
