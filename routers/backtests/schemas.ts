import { z } from 'zod';
import { BACKTEST_PHASES } from '../../db/entities/backtest.ts';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import { SERIES_KINDS } from '../../engine/history/series.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import type { BacktestRow, StoredSummary } from '../../engine/research/backtests/row.ts';
import { FILL_GRADES, SENSITIVITY_CHANGES } from '../../engine/research/playback/result.ts';
import { Interval, Ratio, StatisticsView, viewStatistics } from '../portfolio/statistics-view.ts';
import { anyJson, decimalNumber, timestamp, uuid } from '../schemas.ts';

export const BacktestId = z.strictObject({ id: uuid.meta({ description: 'The backtest.' }) });

const Fidelity = z.enum(['A', 'B', 'C', 'D']).meta({
  description:
    'A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only.',
});

const ProgressView = z.object({
  percent: z.number(),
  evaluations: z.int(),
  evaluationsPerSec: z.number(),
  etaSec: z.number().nullable(),
  simulatedAt: timestamp.nullable(),
});

const Failure = z.object({
  code: z.enum(['no_history', 'too_large', 'out_of_memory', 'timed_out', 'look_ahead', 'internal']),
  message: z.string(),
});

const Outline = z.object({
  fidelity: Fidelity,
  netProfit: decimalNumber.meta({ description: 'USD.' }),
  finalEquity: decimalNumber,
  totalReturn: Ratio,
  sharpe: Ratio,
  maxDrawdownShare: z.number().nullable(),
  trades: z.int(),
  /** The number of verdicts of level `danger` or `warning`. */
  warnings: z.int().meta({ description: 'Verdicts that invalidate the result, or may.' }),
});

/** A backtest in a list: its request and its result in short. */
export const BacktestOutline = z
  .object({
    id: z.uuid(),
    blueprintId: z.uuid().nullable(),
    name: z.string(),
    status: z.enum(JOB_STATUSES),
    phase: z.enum(BACKTEST_PHASES).nullable(),
    progress: ProgressView.nullable(),
    failure: Failure.nullable(),
    isPartial: z.boolean().meta({ description: 'It was canceled: the result ends at that point.' }),
    from: timestamp,
    to: timestamp,
    requestHash: z.string(),
    resultHash: z.string().nullable(),
    notes: z.string(),
    pinned: z.boolean(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    outline: Outline.nullable(),
  })
  .meta({ id: 'BacktestOutline' });

export const Verdict = z.object({
  code: z.string(),
  severity: z.enum(['info', 'warning', 'danger']),
  message: z.string(),
  count: z.number().optional(),
});
const Assumption = z.object({ name: z.string(), value: z.string(), why: z.string() });

const Covered = z.object({
  venue: z.string(),
  tokenId: z.string(),
  kind: z.enum(SERIES_KINDS),
  resolutionSec: z.number(),
  from: timestamp.nullable(),
  to: timestamp.nullable(),
  rows: z.int(),
  gaps: z.int(),
  hash: z.string(),
  source: z.string(),
});

const OrderCountsView = z.object({
  intents: z.int(),
  orders: z.int(),
  filled: z.int(),
  partial: z.int(),
  unfilled: z.int(),
  canceled: z.int(),
  expired: z.int(),
  denied: z.record(z.string(), z.int()).meta({ description: 'By rule or reason.' }),
  approvals: z.int().meta({ description: 'How many would have waited for a person’s approval.' }),
});

const Attributed = z.array(
  z.object({ of: z.string(), trades: z.int(), wins: z.int(), profit: decimalNumber }),
);
/** Results of earlier releases have none of these. */
const NOT_EARLIER = 'Null in results of earlier releases.';

const Result = z.object({
  verdicts: z.array(Verdict).meta({ description: 'Warnings about the result. Read them before any figure.' }),
  assumptions: z.array(Assumption),
  fidelity: Fidelity,
  pace: z.enum(['candles', 'quotes', 'path']),
  statistics: StatisticsView,
  orders: OrderCountsView,
  evaluations: z.int(),
  bars: z.int(),
  gaps: z.int(),
  ambiguousBars: z.int(),
  range: z.object({ low: decimalNumber, high: decimalNumber }).nullable(),
  finalCash: decimalNumber,
  finalEquity: decimalNumber,
  exitEquity: decimalNumber.meta({ description: 'If all holdings were sold at the market, after fees.' }),
  fees: decimalNumber,
  buyAndHold: z.number().nullable(),
  fillGrades: z.array(z.object({ grade: z.enum(FILL_GRADES), fills: z.int(), profit: decimalNumber })).meta({
    description:
      'Fills by the grade of their data, and the result of trades by the lowest grade of their fills.',
  }),
  benchmark: z
    .object({
      totalReturn: Ratio,
      alpha: Ratio.meta({ description: 'Return of a year that beta does not explain.' }),
      beta: Ratio,
      correlation: Ratio,
      trackingError: Ratio,
      informationRatio: Ratio,
      upCapture: Ratio.meta({ description: 'Mean return over the benchmark’s, of days on which that rose.' }),
      downCapture: Ratio,
    })
    .nullable()
    .meta({
      description: `Beside holding the traded coins in equal parts from the start, bought at the ask with the fee. Null if a contract is traded, which has no such holding. ${NOT_EARLIER}`,
    }),
  resampled: z
    .object({
      totalReturn: Interval.meta({ description: 'Nine of ten lie between.' }),
      maxDrawdown: Interval.meta({ description: 'Of daily returns: falls within a day are not in it.' }),
      losing: z.number().meta({ description: 'Share of the resamples that lose.' }),
    })
    .nullable()
    .meta({
      description: `Figures of the run’s days in 1,000 other orders and selections (stationary bootstrap). Null below 20 days. ${NOT_EARLIER}`,
    }),
  costs: z
    .object({
      notional: decimalNumber.meta({ description: 'All that was traded.' }),
      measuredNotional: decimalNumber.meta({
        description: 'Traded by orders decided with a bid and an ask: all costs but `fee` are of these.',
      }),
      fee: decimalNumber,
      spread: decimalNumber.meta({ description: 'From the midpoint at the fill to the top of the book.' }),
      slippage: decimalNumber.meta({ description: 'Beyond the top of the book.' }),
      delay: decimalNumber.meta({ description: 'The midpoint’s move from decision to fill.' }),
      unfilled: decimalNumber.meta({
        description: 'The midpoint’s move from decision to the end of the order, of what was not filled.',
      }),
      orders: z.int(),
      unmeasured: z.int().meta({
        description:
          'Orders decided without a bid or an ask: only their fees are in the costs. Also those that ended unfilled without one: their `unfilled` is not.',
      }),
    })
    .nullable()
    .meta({
      description: `Costs of orders against the midpoint at their decision, USD; below 0 they are gains. ${NOT_EARLIER}`,
    }),
  capacity: z
    .object({
      bars: z.int().meta({ description: 'Bars in which one side of an instrument was filled.' }),
      meanShare: Ratio.meta({ description: 'Mean share of their volume that was taken.' }),
      maxShare: Ratio,
      roomFactor: Ratio.meta({
        description: 'How many times larger all orders may be before `maxShare` is `fills.share`.',
      }),
      unmeasured: z.int().meta({
        description: 'Fills whose volume is not known: of recorded quotes, midpoints or bars without any.',
      }),
    })
    .nullable()
    .meta({ description: `Share of the market’s volume that fills took. ${NOT_EARLIER}` }),
  attribution: z
    .object({
      node: Attributed,
      instrument: Attributed,
      hour: Attributed,
      weekday: Attributed,
      regime: Attributed,
    })
    .nullable()
    .meta({
      description: `Results of ended trades by the node, instrument, hour and weekday (UTC, 0 is Sunday) of their entry, and by what the benchmark did in the seven days before: \`rising_calm\`, \`rising_volatile\`, \`falling_calm\`, \`falling_volatile\`, or \`unknown\` in the first seven. The twelve largest nodes and instruments. Without a benchmark there are no regimes. ${NOT_EARLIER}`,
    }),
  forecasts: z
    .object({
      count: z
        .int()
        .meta({ description: 'Contracts entered with a probability and held until they settled.' }),
      brier: Ratio,
      marketBrier: Ratio.meta({ description: 'Of the midpoint when they were decided.' }),
      skill: Ratio.meta({
        description: '1 − `brier` / `marketBrier`: above 0 the graph knew more than the market.',
      }),
      logScore: Ratio.meta({ description: 'Mean −ln of the probability given to what happened.' }),
      marketLogScore: Ratio,
      skillT: Ratio.meta({ description: 'Mean gain in squared error over its standard error.' }),
      bins: z
        .array(
          z.object({
            from: z.number(),
            count: z.int(),
            meanStated: Ratio,
            meanOutcome: Ratio,
            interval: Interval.nullable().meta({
              description: 'Where the true share of outcomes lies with 95 % confidence.',
            }),
          }),
        )
        .meta({
          description: `Reliability: ten bins of the stated probability. ${NOT_EARLIER.replace('Null', 'Empty')}`,
        }),
    })
    .nullable()
    .meta({
      description: `The probabilities wired into \`fair\` of a \`probability.edge\` node beside the market’s. Null for a graph without one. ${NOT_EARLIER}`,
    }),
  sensitivity: z
    .array(
      z.object({
        change: z.enum(SENSITIVITY_CHANGES),
        difference: decimalNumber.meta({ description: 'How much higher the result is with it, USD.' }),
        trades: z.int(),
      }),
    )
    .nullable()
    .meta({
      description:
        'The run with each assumption changed alone; a row is missing if its run was too large. Null unless `sensitivity` was requested, and if it was cut off.',
    }),
  unsettled: z
    .object({ count: z.int(), worth: decimalNumber, low: decimalNumber, high: decimalNumber })
    .nullable()
    .meta({
      description: 'Contracts that closed and were never settled; the final equity with all at 0 and at 1.',
    }),
});

/** A backtest with its whole request and its whole result. */
export const BacktestView = BacktestOutline.omit({ outline: true })
  .extend({
    request: anyJson.meta({
      description:
        'The request, with every default written out. `members`: the instruments of each list that is a series, as listed at any time of the span.',
    }),
    coverage: z.array(Covered).nullable(),
    result: Result.nullable(),
  })
  .meta({ id: 'Backtest' });

const isoOrNull = (at: string | null): string | null => (at === null ? null : toIso(at));

function viewState(row: BacktestRow) {
  const { request, progress } = row;
  return {
    id: row.id,
    blueprintId: row.blueprint_id,
    name: row.name,
    status: row.status,
    phase: row.phase,
    progress,
    failure: row.failure,
    isPartial: row.status === 'canceled' && row.started_at !== null,
    from: request.from,
    to: request.to,
    requestHash: row.request_hash,
    resultHash: row.result_hash,
    notes: row.notes,
    pinned: row.is_pinned,
    createdAt: toIso(row.created_at),
    startedAt: isoOrNull(row.started_at),
    finishedAt: isoOrNull(row.finished_at),
  };
}

export const viewOutline = (row: BacktestRow): z.input<typeof BacktestOutline> => ({
  ...viewState(row),
  outline: row.summary && outlineOf(row.summary),
});

const outlineOf = ({ statistics, verdicts, fidelity, finalEquity }: StoredSummary) => ({
  fidelity,
  netProfit: statistics.netProfit,
  finalEquity,
  totalReturn: statistics.totalReturn,
  sharpe: statistics.sharpe,
  maxDrawdownShare: statistics.drawdowns.max?.share ?? null,
  trades: statistics.trades.closed,
  warnings: verdicts.filter(({ severity }) => severity !== 'info').length,
});

export function viewBacktest(row: BacktestRow): z.input<typeof BacktestView> {
  const { request, coverage, summary } = row;
  return {
    ...viewState(row),
    request,
    coverage:
      coverage?.map(({ resolutionMs, ...series }) => ({ ...series, resolutionSec: resolutionMs / 1_000 })) ??
      null,
    result: summary && viewResult(row, summary),
  };
}

/** The figures in the form of live statistics. */
export function viewStatisticsOf({ request }: BacktestRow, { statistics, openCount }: StoredSummary) {
  const view = viewStatistics({
    ...statistics,
    fromMs: Date.parse(request.from),
    toMs: Date.parse(request.to),
    isCut: false,
  });
  return { ...view, trades: { ...view.trades, open: openCount } };
}

function viewResult(row: BacktestRow, summary: StoredSummary) {
  const {
    verdicts,
    assumptions,
    orders,
    statistics: _figures,
    openCount: _open,
    resultHash: _hash,
    ...rest
  } = summary;
  return {
    ...rest,
    verdicts: [...verdicts],
    assumptions: [...assumptions],
    orders: { ...orders, denied: { ...orders.denied } },
    statistics: viewStatisticsOf(row, summary),
    // Results of earlier releases have none of these.
    fillGrades: [...(summary.fillGrades ?? [])],
    benchmark: summary.benchmark ?? null,
    resampled: summary.resampled ?? null,
    costs: summary.costs ?? null,
    capacity: summary.capacity ?? null,
    forecasts: summary.forecasts ? { ...summary.forecasts, bins: [...(summary.forecasts.bins ?? [])] } : null,
    sensitivity: summary.sensitivity ? [...summary.sensitivity] : null,
    attribution: summary.attribution
      ? {
          node: [...summary.attribution.node],
          instrument: [...summary.attribution.instrument],
          hour: [...summary.attribution.hour],
          weekday: [...summary.attribution.weekday],
          // Results from before regimes have none.
          regime: [...(summary.attribution.regime ?? [])],
        }
      : null,
    unsettled: summary.unsettled ?? null,
  };
}
