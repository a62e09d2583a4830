import { BALANCE_CHECKS } from '../../../risk/balance-checks.ts';
import { RULES } from '../../../risk/rules/catalogue.ts';
import type { RecordedSignal } from '../../../usecases/signals/read.ts';
import type { PriceCoverage } from '../record/price-coverage.ts';
import type { BacktestRequest } from '../request.ts';
import type { BacktestSummary, FillGrade, Verdict } from '../result.ts';
import type { OutlierBars } from './outlier-bars.ts';

/** Findings of a run about itself, in addition to its figures. */
export type Findings = Pick<
  BacktestSummary,
  'orders' | 'fidelity' | 'gaps' | 'ambiguousBars' | 'unsettled'
> & {
  readonly request: BacktestRequest;
  readonly zeroVolumeBars: number;
  readonly isCanceled: boolean;
  /** Instruments that should have been run, but have no history. */
  readonly missing: readonly string[];
  readonly hasFailed: boolean;
  readonly lacksBooks: boolean;
  readonly signals: readonly RecordedSignal[];
  /** Number of fills by grade. */
  readonly byGrade: ReadonlyMap<FillGrade, number>;
  readonly outliers: OutlierBars;
  /** Shares of time without prices. */
  readonly coverage: PriceCoverage;
};

/** A larger share of fills inside bars is a warning. */
const GUESSED_SHARE_MAX = 0.05;

/** Share of time without prices from which on a result is spoiled. */
const HELD_SHARE_MAX = 0.01;
const TIME_SHARE_MAX = 0.1;

/** A larger share of profit from outliers spoils a result. */
const OUTLIERS_SHARE_MAX = 0.1;

/** The smallest share that two digits of a percent can say. */
const SHARE_MIN = 0.0001;

/** A share in percent, as a verdict says it: a share that is not zero does not read as zero. */
export const percentOf = (share: number): string => {
  if (share > 0 && share < SHARE_MIN) return '<0.01';
  return (100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 0);
};

/** How grave time without prices is: what rounds to nothing spoils nothing. */
export function severityOfGaps({ ofTime, ofHeld }: { ofTime: number; ofHeld: number }): Verdict['severity'] {
  if (ofHeld >= HELD_SHARE_MAX || ofTime >= TIME_SHARE_MAX) return 'danger';
  return Math.max(ofHeld, ofTime) < SHARE_MIN ? 'info' : 'warning';
}

const TITLES = new Map(
  [...RULES, ...BALANCE_CHECKS].map(({ name, title }): [string, string] => [name, title]),
);

/** The title of a rule as a word of a sentence; other refusals have only a code. */
const refusalWords = (code: string): string =>
  TITLES.get(code)?.replace(/^./, (letter) => letter.toLowerCase()) ?? code.replaceAll('_', ' ');

const grouped = (count: number): string => count.toLocaleString('en-US');

const countOf = (denied: Readonly<Record<string, number>>): number =>
  Object.values(denied).reduce((sum, count) => sum + count, 0);

/** Lists the verdicts to read before any figure: refusals, then what flatters, then missing data. */
export function verdictsOf(findings: Findings): Verdict[] {
  return [
    ...refused(findings),
    ...flattering(findings),
    ...missing(findings),
    ...missingSignals(findings.signals),
  ];
}

const GRAVITY: readonly Verdict['severity'][] = ['danger', 'warning', 'info'];

/** Sorts by severity; equal ones stay in their order. */
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
      .map(([code, times]) => `${refusalWords(code)} ${grouped(times)}`)
      .join(', ');
    found.push({
      code: 'orders_refused',
      severity: orders.filled + orders.partial === 0 ? 'danger' : 'warning',
      message: `${grouped(count)} of ${grouped(orders.intents)} orders were refused: ${rules}.`,
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
      message: `${grouped(orders.unfilled)} orders arrived and traded nothing: the price had moved beyond their limit, or nothing was offered.`,
      count: orders.unfilled,
    });
  }
  if (orders.approvals > 0) {
    found.push({
      code: 'approvals',
      severity: 'info',
      message: `${grouped(orders.approvals)} orders would have waited for you.`,
      count: orders.approvals,
    });
  }
  return found;
}

function flattering({ request, fidelity, ambiguousBars, byGrade }: Findings): Verdict[] {
  const found: Verdict[] = [];
  const { fees, fills } = request;
  if (fees === 'none') {
    found.push({
      code: 'no_fees',
      severity: 'danger',
      message: 'No fees were charged, but real venues charge them.',
    });
  }
  if (fills.liquidity === 'unlimited') {
    found.push({
      code: 'unlimited_liquidity',
      severity: 'danger',
      message: 'Any amount traded at the shown price, which no market offers.',
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
      message: 'Only midpoints were recorded: bids, asks and their sizes are estimates.',
    });
  }
  if (fills.highLow === 'high_first' || fills.highLow === 'low_first') {
    found.push({
      code: 'extremes_ordered',
      severity: 'danger',
      message: `The request chose which extreme comes first inside bars (${fills.highLow}): prices there tell how bars end.`,
    });
  }
  const guessed = byGrade.get('path') ?? 0;
  if (guessed > 0) {
    const all = [...byGrade.values()].reduce((sum, count) => sum + count, 0);
    const share = Math.round((100 * guessed) / all);
    found.push({
      code: 'inside_bars_guessed',
      severity: guessed / all > GUESSED_SHARE_MAX ? 'warning' : 'info',
      message: `${grouped(guessed)} of ${grouped(all)} fills (${share} %) lie inside bars, at prices drawn by the seed. Repeat the run with another seed, or with finer bars.`,
      count: guessed,
    });
  }
  if (ambiguousBars > 0) {
    found.push({
      code: 'ambiguous_bars',
      severity: 'warning',
      message: `In ${grouped(ambiguousBars)} bars both the stop and the profit lay: which came first is a guess.`,
      count: ambiguousBars,
    });
  }
  return found;
}

function missing({
  gaps,
  zeroVolumeBars,
  missing: tokens,
  lacksBooks,
  coverage,
  unsettled,
  outliers,
}: Findings): Verdict[] {
  const found: Verdict[] = [];
  if (unsettled !== null) {
    const { count, worth, low, high } = unsettled;
    found.push({
      code: 'unsettled',
      severity: 'danger',
      message: `${grouped(count)} contracts closed and were never settled: marked at ${worth} USD. The result is ${low} USD with all of them at 0, and ${high} USD at 1.`,
      count,
    });
  }
  if (outliers.count > 0) {
    found.push({
      code: 'outliers',
      severity: outliers.profitShare >= OUTLIERS_SHARE_MAX ? 'danger' : 'info',
      message: `${grouped(outliers.count)} bars lie far outside all others; ${percentOf(outliers.profitShare)} % of what winning trades made comes of them. Compare them with another source.`,
      count: outliers.count,
    });
  }
  const { ofTime, ofHeld } = coverage;
  if (ofTime > 0) {
    found.push({
      code: 'no_prices',
      severity: severityOfGaps(coverage),
      message: `There are no prices for ${percentOf(ofTime)} % of the time, and for ${percentOf(ofHeld)} % of the time in which something was held. It kept its last price there, and nothing traded.`,
    });
  }
  if (gaps > 0) {
    found.push({
      code: 'gaps',
      severity: 'warning',
      message: `${grouped(gaps)} candles are missing: nothing was invented in their place, and nothing traded there.`,
      count: gaps,
    });
  }
  if (zeroVolumeBars > 0) {
    found.push({
      code: 'zero_volume',
      severity: 'info',
      message: `${grouped(zeroVolumeBars)} candles have no volume: nothing was filled on them.`,
      count: zeroVolumeBars,
    });
  }
  if (tokens.length > 0) {
    found.push({
      code: 'no_history',
      severity: 'warning',
      message: `${grouped(tokens.length)} instruments have no history and were left out: ${tokens.slice(0, 5).join(', ')}.`,
      count: tokens.length,
    });
  }
  if (lacksBooks) {
    found.push({
      code: 'no_books',
      severity: 'warning',
      message: 'The graph reads order books, but none were recorded: it saw only the best level, or nothing.',
    });
  }
  return found;
}

function missingSignals(signals: readonly RecordedSignal[]): Verdict[] {
  return signals.flatMap(({ name, values: [first], isCut }): Verdict[] => {
    if (first === undefined && isCut) {
      const message = `Older values of the signal ${name} were deleted: it was unknown in the whole run.`;
      return [{ code: 'signal_cut', severity: 'warning', message }];
    }
    if (first === undefined) {
      const message = `The signal ${name} had no value by the end of the run: what reads it was unknown.`;
      return [{ code: 'no_signal', severity: 'warning', message }];
    }
    if (!isCut) return [];
    const at = new Date(first.at).toISOString();
    const message = `Older values of the signal ${name} were deleted: before ${at} it was unknown.`;
    return [{ code: 'signal_cut', severity: 'warning', message }];
  });
}
