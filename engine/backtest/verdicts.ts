import type { BacktestRequest } from './request.ts';
import type { BacktestSummary, Verdict } from './result.ts';

/** What a run found out about itself, besides its figures. */
export type Findings = Pick<BacktestSummary, 'orders' | 'fidelity' | 'gaps' | 'ambiguousBars'> & {
  readonly request: BacktestRequest;
  readonly zeroVolumeBars: number;
  readonly isCanceled: boolean;
  /** Instruments that were to be run and have no history. */
  readonly missing: readonly string[];
  readonly hasFailed: boolean;
  readonly lacksBooks: boolean;
};

const countOf = (denied: Readonly<Record<string, number>>): number =>
  Object.values(denied).reduce((sum, count) => sum + count, 0);

/** The lines that are read before any figure: what was refused, then what flatters, then what is missing. */
export function verdictsOf(findings: Findings): Verdict[] {
  return [...refused(findings), ...flattering(findings), ...missing(findings)];
}

const GRAVITY: readonly Verdict['severity'][] = ['danger', 'warning', 'info'];

/** Gravest first; those as grave as each other stay in their order. */
export const gravestFirst = (verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.toSorted((a, b) => GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity));

function refused({ orders, isCanceled, hasFailed }: Findings): Verdict[] {
  const found: Verdict[] = [];
  if (isCanceled) {
    found.push({
      code: 'canceled',
      severity: 'danger',
      message: 'The run was canceled: the result is a part of it.',
    });
  }
  const count = countOf(orders.denied);
  if (count > 0) {
    const rules = Object.entries(orders.denied)
      .sort(([, a], [, b]) => b - a)
      .map(([rule, times]) => `${rule} ${times}`)
      .join(', ');
    found.push({
      code: 'orders_refused',
      severity: orders.filled + orders.partial === 0 ? 'danger' : 'warning',
      message: `${count} of ${orders.intents} orders were refused: ${rules}.`,
      count,
    });
  }
  if (hasFailed) {
    found.push({
      code: 'blueprint_failed',
      severity: 'danger',
      message:
        'The blueprint failed on the way: from then on only its exits traded. The log says when and why.',
    });
  }
  if (orders.unfilled > 0) {
    found.push({
      code: 'orders_unfilled',
      severity: 'warning',
      message: `${orders.unfilled} orders arrived and traded nothing: the price had moved beyond their limit, or nothing was offered.`,
      count: orders.unfilled,
    });
  }
  if (orders.approvals > 0) {
    found.push({
      code: 'approvals',
      severity: 'info',
      message: `${orders.approvals} orders would have waited for you.`,
      count: orders.approvals,
    });
  }
  return found;
}

function flattering({ request, fidelity, ambiguousBars }: Findings): Verdict[] {
  const found: Verdict[] = [];
  const { fees, fills } = request;
  if (fees === 'none') {
    found.push({
      code: 'no_fees',
      severity: 'danger',
      message: 'No fees were charged: no venue trades for nothing.',
    });
  }
  if (fills.liquidity === 'unlimited') {
    found.push({
      code: 'unlimited_liquidity',
      severity: 'danger',
      message: 'Any amount traded at the price shown: no market gives that.',
    });
  }
  if (fills.halfSpread !== 'auto' && Number(fills.halfSpread) === 0) {
    found.push({
      code: 'no_spread',
      severity: 'danger',
      message: 'Bid and ask were the same: no market shows that.',
    });
  }
  if (fills.latencyMs === 0) {
    found.push({
      code: 'no_latency',
      severity: 'danger',
      message: 'Orders arrived at the instant of their decision.',
    });
  }
  if (fidelity === 'D') {
    found.push({
      code: 'midpoints_only',
      severity: 'danger',
      message: 'Only midpoints were recorded: what was bid and asked, and how much, is a guess.',
    });
  }
  if (ambiguousBars > 0) {
    found.push({
      code: 'ambiguous_bars',
      severity: 'warning',
      message: `In ${ambiguousBars} bars both the stop and the profit lay: which came first is a guess.`,
      count: ambiguousBars,
    });
  }
  return found;
}

function missing({ gaps, zeroVolumeBars, missing: tokens, lacksBooks }: Findings): Verdict[] {
  const found: Verdict[] = [];
  if (gaps > 0) {
    found.push({
      code: 'gaps',
      severity: 'warning',
      message: `${gaps} candles are missing: nothing was invented in their place, and nothing traded there.`,
      count: gaps,
    });
  }
  if (zeroVolumeBars > 0) {
    found.push({
      code: 'zero_volume',
      severity: 'info',
      message: `${zeroVolumeBars} candles have no volume: nothing was filled on them.`,
      count: zeroVolumeBars,
    });
  }
  if (tokens.length > 0) {
    found.push({
      code: 'no_history',
      severity: 'warning',
      message: `${tokens.length} instruments have no history and were left out: ${tokens.slice(0, 5).join(', ')}.`,
      count: tokens.length,
    });
  }
  if (lacksBooks) {
    found.push({
      code: 'no_books',
      severity: 'warning',
      message:
        'The drawing reads order books, and none were recorded: it saw the best level alone, or nothing.',
    });
  }
  return found;
}
