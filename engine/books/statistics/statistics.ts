import { exact, ZERO } from '../../platform/decimal.ts';
import {
  DAYS_A_YEAR,
  type DailyReturn,
  DailyReturns,
  dailyRate,
  type EquityPoint,
  type MonthlyReturn,
  monthlyReturns,
  type RollingSharpe,
  rollingSharpe,
  sharpe,
  sortino,
  volatility,
  wholeDays,
} from './daily-returns.ts';
import { type Drawdowns, DrawdownTracker } from './drawdown.ts';
import { ExposureTracker } from './exposure-tracker.ts';
import { probabilisticSharpe } from './overfitting.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';
import { type EntryPriceCalibration, entryPriceCalibrationOf } from './reliability.ts';
import { type RiskFigures, riskFiguresOf } from './risk-figures.ts';
import { type TradeFigures, TradeTotals } from './trade-figures.ts';
import { type OpenTrade, type Trade, type TradeEvent, TradeTracker } from './trade-tracker.ts';

const DAY_MS = 86_400_000;
/** A yearly growth is not computed for a shorter span: a good week would be 10^28 %. */
const YEARLY_FROM_MS = 30 * DAY_MS;

/** The span of the statistics, `[fromMs, toMs]`, and its starting equity. */
export type Span = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Decimal string, USD. */
  readonly start: string;
  /** The part of it that is held rather than cash, USD. Default 0. */
  readonly held?: string;
  /** Riskless return of a year. Default 0. */
  readonly riskFree?: number;
};

/** A point of the curve, and the part of it that is held rather than cash. */
export type HeldPoint = EquityPoint & { readonly held: string };

/** Money is a decimal string in USD; a ratio is a number, or null and why. Definitions: `docs/statistics.md`. */
export type Statistics = {
  readonly netProfit: string;
  readonly totalReturn: Ratio;
  readonly cagr: Ratio;
  readonly volatility: Ratio;
  readonly sharpe: Ratio;
  readonly sortino: Ratio;
  readonly calmar: Ratio;
  readonly probabilisticSharpe: Ratio;
  readonly drawdowns: Omit<Drawdowns, 'underWaterMs'>;
  readonly exposure: Ratio;
  readonly exposureOfEquity: Ratio;
  readonly risk: RiskFigures & {
    /** Days at the ends that the span covers in part: in none of the daily figures. */
    readonly partialDays: number;
    /** Days on which anything was held. */
    readonly daysInMarket: number;
    /** The yearly Sharpe ratio of those days alone. */
    readonly sharpeInMarket: Ratio;
    /** Share of the time between a peak of equity and its recovery. */
    readonly timeUnderWater: Ratio;
    /** The whole return over the mean share of equity that was held: that of the money at work. */
    readonly returnOnExposure: Ratio;
  };
  /** Bought and sold, settlements not counted, over the equity at the start. */
  readonly turnover: Ratio;
  readonly turnoverYearly: Ratio;
  readonly trades: TradeFigures;
  readonly open: readonly OpenTrade[];
  readonly monthly: readonly MonthlyReturn[];
  readonly rollingSharpe: readonly RollingSharpe[];
  readonly calibration: EntryPriceCalibration;
};

/**
 * Computes the statistics of a span of trading, live or simulated. Feed it events and points in order of time, then read the
 * result. It stores one return a day, three numbers a trade, two a settled contract, and no points.
 */
export class StatisticsRecorder {
  readonly #span: Span;
  readonly #days: DailyReturns;
  readonly #drawdowns: DrawdownTracker;
  readonly #exposure = new ExposureTracker();
  readonly #trades = new TradeTracker();
  readonly #ledger = new TradeTotals();
  readonly #settled: Pick<Trade, 'entryPrice' | 'settledAt'>[] = [];
  #traded = ZERO;
  #brought = ZERO;
  #last: string;

  constructor(span: Span) {
    this.#span = span;
    this.#days = new DailyReturns(span.start);
    this.#drawdowns = new DrawdownTracker(span.start, span.fromMs);
    this.#last = span.start;
    if (span.held !== undefined) this.#exposure.valued(span.fromMs, Number(span.held), Number(span.start));
  }

  /**
   * Takes a fill, a mark or a settlement; returns the trade that it ended, or null. Events before the span give its starting
   * holdings: a trade counts where it ended.
   *
   * @throws RangeError for a sale of more than is held.
   */
  event(event: TradeEvent): Trade | null {
    const isNew = event.kind === 'fill' && event.side === 'buy' && !this.#trades.holds(event.holding);
    const trade = this.#trades.take(event);
    if (isNew) this.#exposure.began(this.#within(event.atMs));
    if (event.kind === 'fill' && event.atMs >= this.#span.fromMs)
      this.#traded = this.#traded.plus(exact(event.amount).times(event.price));
    if (trade !== null) this.#ended(trade);
    return trade;
  }

  /**
   * Adds a point of the span. The starting equity is not a point.
   *
   * @param equity that of the point, if it is a number already; likewise `held`.
   */
  point(point: HeldPoint, equity = Number(point.equity), held = Number(point.held)): void {
    this.#last = point.equity;
    this.#days.add(point, equity);
    this.#drawdowns.add(point, equity);
    this.#exposure.valued(point.atMs, held, equity);
    if (point.flow !== undefined) this.#brought = this.#brought.plus(point.flow);
  }

  dailyReturns(): readonly DailyReturn[] {
    return this.#days.returns();
  }

  /** @param toMs the end of the span, or the instant at which it was aborted. */
  statistics(toMs = this.#span.toMs): Statistics {
    const { fromMs, start, riskFree = 0 } = this.#span;
    const days = this.#days.returns();
    const whole = wholeDays(days, { fromMs, toMs });
    const returns = whole.map(({ value }) => value);
    const perDay = dailyRate(riskFree);
    const growth = days.reduce((product, { value }) => product * (1 + value), 1);
    const cagr = yearly(growth, toMs - fromMs);
    const { underWaterMs, ...drawdowns } = this.#drawdowns.drawdowns();
    const held = this.#exposure.days(toMs);
    const inMarket = whole.flatMap(({ day, value }) => (held.has(day) ? [value] : []));
    const turnover = ratio(this.#traded.div(start).toNumber(), 'too_few');
    const exposureOfEquity = this.#exposure.ofEquity(fromMs, toMs);
    const totalReturn =
      exact(start).isZero() && this.#brought.isZero()
        ? missingRatio('too_few')
        : ratio(growth - 1, 'too_few');
    return {
      netProfit: exact(this.#last).minus(start).minus(this.#brought).toFixed(),
      totalReturn,
      cagr,
      volatility: volatility(returns),
      sharpe: sharpe(returns, perDay),
      sortino: sortino(returns, perDay),
      calmar: calmarOf(cagr, drawdowns),
      probabilisticSharpe: probabilisticSharpe(returns.map((value) => value - perDay)),
      drawdowns,
      exposure: this.#exposure.ofTime(fromMs, toMs),
      exposureOfEquity,
      risk: {
        ...riskFiguresOf(returns, perDay),
        partialDays: days.length - whole.length,
        daysInMarket: inMarket.length,
        sharpeInMarket: sharpe(inMarket, perDay),
        timeUnderWater:
          toMs > fromMs ? ratio(underWaterMs / (toMs - fromMs), 'too_few') : missingRatio('too_few'),
        returnOnExposure:
          totalReturn.value === null || !exposureOfEquity.value
            ? missingRatio('too_few')
            : ratio(totalReturn.value / exposureOfEquity.value, 'too_few'),
      },
      turnover,
      turnoverYearly: perYear(turnover, toMs - fromMs),
      trades: this.#ledger.figures(),
      open: this.#trades.open(),
      monthly: monthlyReturns(days),
      rollingSharpe: rollingSharpe(whole, perDay),
      calibration: entryPriceCalibrationOf(this.#settled),
    };
  }

  /** A position held before the span counts from its beginning. */
  #within(atMs: number): number {
    return Math.max(atMs, this.#span.fromMs);
  }

  #ended(trade: Trade): void {
    this.#exposure.ended(this.#within(trade.closedAtMs));
    if (trade.closedAtMs < this.#span.fromMs) return;
    this.#ledger.add(trade);
    if (trade.settledAt !== null) {
      this.#settled.push({ entryPrice: trade.entryPrice, settledAt: trade.settledAt });
    }
  }
}

function yearly(growth: number, spanMs: number): Ratio {
  if (spanMs < YEARLY_FROM_MS) return missingRatio('too_short');
  if (growth <= 0) return { value: -1 };
  return ratio(growth ** ((DAYS_A_YEAR * DAY_MS) / spanMs) - 1, 'too_short');
}

const perYear = (figure: Ratio, spanMs: number): Ratio =>
  figure.value === null
    ? figure
    : spanMs < YEARLY_FROM_MS
      ? missingRatio('too_short')
      : ratio((figure.value * DAYS_A_YEAR * DAY_MS) / spanMs, 'too_short');

function calmarOf(cagr: Ratio, { max }: Pick<Drawdowns, 'max'>): Ratio {
  if (max === null) return missingRatio('no_drawdown');
  return cagr.value === null ? cagr : ratio(cagr.value / max.share, 'no_drawdown');
}
