import { z } from 'zod';
import type { BooksStatistics } from '../../engine/books/accounting/books-statistics.ts';
import type { EquityRange } from '../../engine/books/accounting/equity.ts';
import type { Drawdown } from '../../engine/books/statistics/drawdown.ts';
import { MISSING_REASONS } from '../../engine/books/statistics/ratio.ts';
import { decimalNumber, timestamp } from '../schemas.ts';

export const Ratio = z
  .union([z.object({ value: z.number() }), z.object({ value: z.null(), reason: z.enum(MISSING_REASONS) })])
  .meta({
    id: 'Ratio',
    description:
      'A figure, or null and the reason why there is none. Never a number that stands for something else.',
  });

const DrawdownView = z
  .object({
    share: z.number().meta({ description: 'Share of the peak: 0.1 is 10 %.' }),
    usd: decimalNumber,
    peakAt: timestamp,
    troughAt: timestamp,
    recoveredAt: timestamp.nullable(),
  })
  .meta({ id: 'Drawdown' });

/** Figures that statistics of earlier releases lack. */
const LATER = 'Null for backtests by a release that did not compute it.';

export const Interval = z
  .object({ low: z.number(), high: z.number() })
  .meta({ id: 'Interval', description: 'The two ends of an interval, as shares: 0.1 is 10 %.' });

/** Definitions: `docs/statistics.md`. */
const RiskView = z
  .object({
    days: z
      .int()
      .nullable()
      .meta({
        description: `Whole UTC days, of which all figures of daily returns are. ${LATER}`,
      }),
    partialDays: z.int().nullable().meta({
      description: 'Days at the ends of the span that it covers in part: in no figure of daily returns.',
    }),
    daysInMarket: z.int().nullable().meta({ description: 'Whole days on which anything was held.' }),
    sharpeInMarket: Ratio.nullable().meta({ description: '`sharpe` of those days alone.' }),
    minTrackRecordDays: Ratio.nullable().meta({
      description:
        'Days after which returns like these would show a Sharpe ratio above 0 with 95 % confidence. `no_gain` if it is not above 0.',
    }),
    sharpeError: Ratio.meta({
      description: 'Standard error of `sharpe`, by the number of days, skew and tails.',
    }),
    autocorrelation: Ratio.meta({ description: 'Of the returns of two days that follow each other.' }),
    sharpeAdjusted: Ratio.meta({ description: '`sharpe`, annualized with `autocorrelation` (Lo 2002).' }),
    skewness: Ratio,
    kurtosis: Ratio.meta({ description: '3 for a normal distribution.' }),
    valueAtRisk: Ratio.meta({ description: 'Loss of a day that 95 % of days stay within, as a share.' }),
    expectedShortfall: Ratio.meta({ description: 'Mean loss of the days beyond `valueAtRisk`.' }),
    omega: Ratio.meta({ description: 'Gains of all days over their losses.' }),
    tailRatio: Ratio.meta({ description: 'Gain of the best 5 % of days over the loss of the worst 5 %.' }),
    ulcer: Ratio.meta({ description: 'Root of the mean squared fall below the highest day before.' }),
    timeUnderWater: Ratio.meta({
      description: 'Share of the time between a peak of equity and its recovery.',
    }),
    returnOnExposure: Ratio.meta({
      description: '`totalReturn` over `exposureOfEquity`: of the money at work.',
    }),
  })
  .meta({ id: 'RiskFigures' });

/** The statistics of a span of trading. Definitions: `docs/statistics.md`. */
export const StatisticsView = z
  .object({
    from: timestamp,
    to: timestamp,
    netProfit: decimalNumber.meta({
      description: 'USD. Deposits and withdrawals are in none of the figures.',
    }),
    totalReturn: Ratio,
    cagr: Ratio,
    volatility: Ratio,
    sharpe: Ratio,
    sortino: Ratio,
    calmar: Ratio,
    probabilisticSharpe: Ratio,
    maxDrawdown: DrawdownView.nullable(),
    longestDrawdownSec: z.number(),
    drawdowns: z.array(DrawdownView).meta({ description: 'The ten deepest, deepest first.' }),
    exposure: Ratio.meta({ description: 'Share of the time in which anything was held.' }),
    exposureOfEquity: Ratio.meta({ description: 'Mean share of equity that was held.' }),
    turnover: Ratio,
    turnoverYearly: Ratio.nullable().meta({ description: `\`turnover\` × 365 days over the span. ${LATER}` }),
    risk: RiskView.nullable().meta({
      description: 'Null for backtests by a release that did not compute it.',
    }),
    trades: z.object({
      closed: z.int(),
      open: z.int(),
      wins: z.int(),
      losses: z.int(),
      flat: z.int(),
      winRate: Ratio,
      profitFactor: Ratio,
      expectancy: Ratio,
      expectancyR: Ratio,
      sharpe: Ratio.nullable().meta({
        description: `Mean return of a trade over the deviation of all: of one trade, of no time. ${LATER}`,
      }),
      meanReturn: Ratio,
      meanWin: Ratio,
      meanLoss: Ratio,
      payoff: Ratio,
      sqn: Ratio,
      isSqnUnreliable: z.boolean(),
      best: decimalNumber.nullable(),
      worst: decimalNumber.nullable(),
      meanHeldSec: Ratio,
      medianHeldSec: Ratio,
      winsInARowMax: z.int(),
      lossesInARowMax: z.int(),
      winsInARowChance: Ratio.nullable().meta({
        description: `Chance that as many trades, won as often and in no order, have as long a row. ${LATER}`,
      }),
      lossesInARowChance: Ratio.nullable(),
      bestFiveShare: Ratio.nullable().meta({
        description: `The five best trades over the result of all; above 1, the others lost. ${LATER}`,
      }),
      fees: decimalNumber,
      feesOfGross: Ratio,
      isCut: z
        .boolean()
        .meta({ description: 'True if there are more than 50,000 fills: older ones are in no trade.' }),
    }),
    monthly: z.array(z.object({ month: z.string(), value: z.number(), isPartial: z.boolean() })),
    rollingSharpe: z
      .array(z.object({ day: z.iso.date(), value: z.number().nullable() }))
      .nullable()
      .meta({
        description: `Sharpe ratio of the 30 days that end with a day, every nth day, 60 at most; null where nothing moved. ${LATER}`,
      }),
    calibration: z.object({
      brier: Ratio,
      bins: z.array(
        z.object({
          fromPrice: z.number(),
          count: z.int(),
          meanPrice: Ratio,
          meanOutcome: Ratio,
          interval: Interval.nullable().meta({
            description: `Where the true share of outcomes lies with 95 % confidence. ${LATER}`,
          }),
        }),
      ),
    }),
  })
  .meta({ id: 'Statistics' });

const iso = (ms: number): string => new Date(ms).toISOString();
const inSec = (ratio: BooksStatistics['sharpe']) =>
  ratio.value === null ? ratio : { value: ratio.value / 1_000 };

const viewDrawdown = ({ share, usd, peakAtMs, troughAtMs, recoveredAtMs }: Drawdown) => ({
  share,
  usd,
  peakAt: iso(peakAtMs),
  troughAt: iso(troughAtMs),
  recoveredAt: recoveredAtMs === null ? null : iso(recoveredAtMs),
});

type Later = 'risk' | 'rollingSharpe';
/** Figures that backtests by earlier releases lack. */
const LATER_OF_SPAN = { turnoverYearly: null };
const LATER_OF_RISK = {
  days: null,
  partialDays: null,
  daysInMarket: null,
  sharpeInMarket: null,
  minTrackRecordDays: null,
};
const LATER_OF_TRADES = {
  sharpe: null,
  winsInARowChance: null,
  lossesInARowChance: null,
  bestFiveShare: null,
};

export function viewStatistics(
  statistics: Omit<BooksStatistics, Later> & Partial<Pick<BooksStatistics, Later>>,
): z.input<typeof StatisticsView> {
  const { fromMs, toMs, drawdowns, trades, open, isCut, monthly, calibration, rollingSharpe, ...figures } =
    statistics;
  const { meanHeldMs, medianHeldMs, ...tradeFigures } = trades;
  return {
    ...LATER_OF_SPAN,
    ...figures,
    risk: figures.risk ? { ...LATER_OF_RISK, ...figures.risk } : null,
    from: iso(fromMs),
    to: iso(toMs),
    maxDrawdown: drawdowns.max === null ? null : viewDrawdown(drawdowns.max),
    longestDrawdownSec: drawdowns.longestMs / 1_000,
    drawdowns: drawdowns.worst.map(viewDrawdown),
    trades: {
      ...LATER_OF_TRADES,
      ...tradeFigures,
      open: open.length,
      meanHeldSec: inSec(meanHeldMs),
      medianHeldSec: inSec(medianHeldMs),
      isCut,
    },
    monthly: [...monthly],
    rollingSharpe: rollingSharpe ? [...rollingSharpe] : null,
    calibration: {
      brier: calibration.brier,
      bins: calibration.bins.map((bin) => ({ ...bin, interval: bin.interval ?? null })),
    },
  };
}

export const RANGE_DEFAULT: EquityRange = '1m';

const none = (reason: (typeof MISSING_REASONS)[number]) => ({ value: null, reason });

export const STATISTICS_EXAMPLE: z.output<typeof StatisticsView> = {
  from: '2026-10-21T09:05:00.000Z',
  to: '2026-11-20T09:05:00.000Z',
  netProfit: 12.34,
  totalReturn: { value: 0.001234 },
  cagr: { value: 0.015117 },
  volatility: { value: 0.0121 },
  sharpe: { value: 1.24 },
  sortino: { value: 1.9 },
  calmar: { value: 3.42 },
  probabilisticSharpe: { value: 0.64 },
  maxDrawdown: {
    share: 0.00442,
    usd: 44.31,
    peakAt: '2026-11-02T14:10:00.000Z',
    troughAt: '2026-11-04T08:35:00.000Z',
    recoveredAt: null,
  },
  longestDrawdownSec: 1_536_900,
  drawdowns: [],
  exposure: { value: 0.41 },
  exposureOfEquity: { value: 0.03 },
  turnover: { value: 0.22 },
  turnoverYearly: { value: 2.67 },
  risk: {
    days: 29,
    partialDays: 2,
    daysInMarket: 14,
    sharpeInMarket: { value: 1.79 },
    minTrackRecordDays: { value: 611.4 },
    sharpeError: { value: 3.46 },
    autocorrelation: { value: 0.08 },
    sharpeAdjusted: { value: 1.14 },
    skewness: { value: -0.4 },
    kurtosis: { value: 4.2 },
    valueAtRisk: { value: 0.0011 },
    expectedShortfall: { value: 0.0016 },
    omega: { value: 1.3 },
    tailRatio: { value: 0.9 },
    ulcer: { value: 0.0021 },
    timeUnderWater: { value: 0.74 },
    returnOnExposure: { value: 0.0411 },
  },
  trades: {
    closed: 9,
    open: 1,
    wins: 6,
    losses: 3,
    flat: 0,
    winRate: { value: 0.6667 },
    profitFactor: { value: 1.62 },
    expectancy: { value: 1.37 },
    expectancyR: { value: 0.21 },
    sharpe: { value: 0.2 },
    meanReturn: { value: 0.034 },
    meanWin: { value: 5.38 },
    meanLoss: { value: 6.65 },
    payoff: { value: 0.81 },
    sqn: { value: 0.61 },
    isSqnUnreliable: true,
    best: 11.2,
    worst: -9.4,
    meanHeldSec: { value: 93_600 },
    medianHeldSec: { value: 61_200 },
    winsInARowMax: 3,
    lossesInARowMax: 2,
    winsInARowChance: none('too_few'),
    lossesInARowChance: none('too_few'),
    bestFiveShare: { value: 2.31 },
    fees: 0.18,
    feesOfGross: { value: 0.0055 },
    isCut: false,
  },
  monthly: [
    { month: '2026-10', value: 0.0009, isPartial: true },
    { month: '2026-11', value: 0.0003, isPartial: true },
  ],
  rollingSharpe: [],
  calibration: { brier: none('no_trades'), bins: [] },
};
