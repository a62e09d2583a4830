import type { Work } from '../../platform/context.ts';
import { backtestEquityCurve } from './backtest-equity-curve.ts';
import { canonicalJson } from './canonical.ts';
import { type GraphDifference, graphDifference } from './graph-difference.ts';
import { type BacktestRow, readBacktest } from './row.ts';

/** Number of instants of the common grid. */
const GRID_POINTS = 400;
const CURVE_POINTS = 2_000;

/** Reasons why results cannot be compared. */
export type Incomparable = 'other_range' | 'other_cash' | 'other_data' | 'other_fees' | 'unfinished';

/** A difference of requests: a JSON Pointer, and the value of each run there, undefined if it has none. */
export type RequestDifference = { readonly path: string; readonly values: readonly unknown[] };

export type Comparison = {
  readonly rows: readonly BacktestRow[];
  readonly comparable: boolean;
  readonly reasons: readonly Incomparable[];
  readonly requests: readonly RequestDifference[];
  /** Differences of each run from the first. */
  readonly graphs: readonly GraphDifference[];
  /** Equity of each run at common instants; null before its first point. */
  readonly grid: readonly { readonly atMs: number; readonly equity: readonly (string | null)[] }[];
};

/**
 * Compares runs.
 *
 * @throws DomainError `not_found` if one of them is missing or of another account.
 */
export async function compareBacktests(work: Work, ids: readonly string[]): Promise<Comparison> {
  const rows: BacktestRow[] = [];
  for (const id of ids) rows.push(await readBacktest(work, id));
  const reasons = incomparableOf(rows);
  const curves = [];
  for (const id of ids) curves.push(await backtestEquityCurve(work, id, CURVE_POINTS));
  return {
    rows,
    comparable: reasons.length === 0,
    reasons,
    requests: requestDifferences(rows.map(({ request }) => request)),
    graphs: rows.map(({ visual }) => graphDifference(rows[0]?.visual, visual)),
    grid: onGrid(rows, curves),
  };
}

/** Returns the reasons why results cannot be compared. Pure. */
export function incomparableOf(
  rows: readonly Pick<BacktestRow, 'request' | 'coverage' | 'status'>[],
): Incomparable[] {
  const isOne = (of: (row: (typeof rows)[number]) => unknown) =>
    new Set(rows.map((row) => canonicalJson(of(row)))).size <= 1;
  const reasons: [Incomparable, boolean][] = [
    ['other_range', isOne(({ request: { from, to } }) => [from, to])],
    ['other_cash', isOne(({ request: { cash } }) => Number(cash))],
    ['other_data', isOne(({ coverage }) => dataOf(coverage))],
    ['other_fees', isOne(({ request: { fees } }) => fees)],
    ['unfinished', rows.every(({ status }) => status === 'done')],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [] : [reason]));
}

/** Data of the same instrument and resolution must have the same bytes; other instruments belong to another strategy. */
const dataOf = (coverage: BacktestRow['coverage']) =>
  (coverage ?? []).map(({ tokenId, kind, resolutionMs, hash }) => [tokenId, kind, resolutionMs, hash]).sort();

/** Finds the differences of requests, by path. Pure. */
export function requestDifferences(requests: readonly object[]): RequestDifference[] {
  const leaves = requests.map((request) => new Map(leavesOf(request, '')));
  const paths = new Set(leaves.flatMap((each) => [...each.keys()]));
  return [...paths].flatMap((path) => {
    const values = leaves.map((each) => each.get(path));
    return new Set(values.map((value) => JSON.stringify(value))).size > 1 ? [{ path, values }] : [];
  });
}

function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}/${escaped(key)}`));
}

type Curve = readonly { readonly atMs: number; readonly equity: string }[];

function onGrid(rows: readonly BacktestRow[], curves: readonly Curve[]): Comparison['grid'] {
  const fromMs = Math.min(...rows.map(({ request }) => Date.parse(request.from)));
  const toMs = Math.max(...rows.map(({ request }) => Date.parse(request.to)));
  const cursors = curves.map(() => 0);
  return Array.from({ length: GRID_POINTS }, (_, index) => {
    const atMs = Math.round(fromMs + ((toMs - fromMs) * index) / (GRID_POINTS - 1));
    const equity = curves.map((curve, run) => {
      let cursor = cursors[run] ?? 0;
      while (cursor < curve.length && (curve[cursor]?.atMs ?? 0) <= atMs) cursor++;
      cursors[run] = cursor;
      return curve[cursor - 1]?.equity ?? null;
    });
    return { atMs, equity };
  });
}
