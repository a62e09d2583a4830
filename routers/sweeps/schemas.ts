import { z } from 'zod';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import type { SweepOutcome } from '../../engine/research/search/outcome.ts';
import { scalarsOf } from '../../engine/research/search/space.ts';
import type { TrialFigures } from '../../engine/research/search/trial.ts';
import type { Stitched, WalkForward } from '../../engine/research/search/walk-forward.ts';
import type { SweepRow } from '../../engine/research/sweeps/row.ts';
import type { ListedTrial } from '../../engine/research/sweeps/trials.ts';
import { Verdict } from '../backtests/schemas.ts';
import { Ratio } from '../portfolio/statistics-view.ts';
import { anyJson, decimalNumber, timestamp, uuid } from '../schemas.ts';

export const SweepId = z.strictObject({ id: uuid.meta({ description: 'The sweep.' }) });

export const Value = z.union([z.number(), z.string(), z.boolean()]);

const Figures = z
  .object({
    netProfit: decimalNumber.meta({ description: 'USD.' }),
    totalReturn: Ratio,
    cagr: Ratio,
    sharpe: Ratio,
    sortino: Ratio,
    calmar: Ratio,
    probabilisticSharpe: Ratio,
    profitFactor: Ratio,
    winRate: Ratio,
    expectancy: Ratio,
    sqn: Ratio,
    exposure: Ratio,
    maxDrawdown: z.number().meta({ description: 'Share of the peak.' }),
    closed: z.int().meta({ description: 'Trades that ended.' }),
    open: z.int(),
    denied: z.int().meta({ description: 'Intents the rules denied.' }),
    fees: decimalNumber,
    finalEquity: decimalNumber,
    heldMaxSec: z.number().meta({ description: 'The longest a position was held.' }),
  })
  .meta({ id: 'TrialFigures' });

export const TrialView = z
  .object({
    number: z.int(),
    values: z.array(Value).meta({ description: 'One of each dimension.' }),
    score: z
      .number()
      .nullable()
      .meta({ description: 'The figure that ranks it; null if it cannot be computed.' }),
    figures: Figures,
    resultHash: z.string(),
  })
  .meta({ id: 'SweepTrial' });

const Best = z.object({
  values: z.array(Value),
  score: z.number(),
  figures: Figures,
  deflatedSharpe: Ratio.meta({
    description:
      'The probability that its Sharpe ratio is above the best that luck alone shows in as many trials.',
  }),
  probabilityOfOverfitting: Ratio.meta({
    description: 'The probability that the best trial in sample lies in the lower half out of sample.',
  }),
});

const StitchedView = z.object({
  days: z.int(),
  totalReturn: z.number(),
  yearly: z.number().meta({ description: 'The mean daily return, times 365.' }),
  sharpe: Ratio,
});

const RangeView = z.object({ from: timestamp, to: timestamp });

const WalkForwardView = z.object({
  embargoDays: z.int(),
  folds: z.array(
    z.object({
      train: RangeView,
      test: RangeView,
      values: z.array(Value).nullable().meta({ description: 'The combination chosen in training.' }),
      inSample: Figures.nullable(),
      outOfSample: Figures.nullable(),
      isHeldTooLong: z.boolean(),
    }),
  ),
  inSample: StitchedView,
  outOfSample: StitchedView,
  efficiency: Ratio.meta({ description: 'A year out of sample over a year in sample.' }),
  curve: z.array(z.object({ at: timestamp, factor: z.number() })),
});

const Progress = z.object({ done: z.int(), total: z.int().nullable(), etaSec: z.number().nullable() });

const Failure = z.object({
  code: z.enum([
    'no_history',
    'no_trials',
    'out_of_memory',
    'timed_out',
    'look_ahead',
    'too_large',
    'internal',
  ]),
  message: z.string(),
});

const Issue = z.object({ path: z.string(), code: z.string(), message: z.string() });

/** A sweep in a list. */
export const SweepOutline = z
  .object({
    id: z.uuid(),
    blueprintId: z.uuid().nullable(),
    name: z.string(),
    status: z.enum(JOB_STATUSES),
    progress: Progress.nullable(),
    failure: Failure.nullable(),
    from: timestamp,
    to: timestamp,
    trials: z.int().meta({ description: 'The number of trials made, once the sweep ended.' }),
    best: Best.nullable(),
    warnings: z.int().meta({ description: 'Verdicts that invalidate the result, or may.' }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'SweepOutline' });

/** A sweep with its whole request and its whole result. */
export const SweepView = SweepOutline.extend({
  request: anyJson.meta({ description: 'The request, with every default written out.' }),
  areTrialsKept: z
    .boolean()
    .meta({ description: 'Trials of older sweeps are deleted to make room; the result stays.' }),
  refused: z
    .object({
      count: z.int(),
      first: z.array(z.object({ values: z.array(Value), issues: z.array(Issue) })),
    })
    .nullable()
    .meta({ description: 'Combinations that do not compile; they are not run.' }),
  result: z
    .object({
      verdicts: z
        .array(Verdict)
        .meta({ description: 'Warnings about the result, most severe first. Read them before any figure.' }),
      trialsEver: z.int().meta({ description: 'The number of trials made on this blueprint and range.' }),
      profile: z
        .array(
          z.object({
            pointer: z.string(),
            values: z.array(
              z.object({
                value: Value,
                trials: z.int(),
                median: z.number().nullable(),
                best: z.number().nullable(),
              }),
            ),
          }),
        )
        .meta({ description: 'The scores of the trials with each value.' }),
      walkForward: WalkForwardView.nullable(),
    })
    .nullable(),
}).meta({ id: 'Sweep' });

const isoOf = (atMs: number): string => new Date(atMs).toISOString();
const isoOrNull = (at: string | null): string | null => (at === null ? null : toIso(at));

const viewFigures = ({ heldMaxMs, ...figures }: TrialFigures): z.input<typeof Figures> => ({
  ...figures,
  heldMaxSec: heldMaxMs / 1_000,
});

export const viewTrial = (
  { request }: SweepRow,
  { number, combination, score, figures, resultHash }: ListedTrial,
): z.input<typeof TrialView> => ({
  number,
  values: scalarsOf(request.space, combination),
  score,
  figures: viewFigures(figures),
  resultHash,
});

const viewBest = ({ best }: SweepOutcome): z.input<typeof Best> | null =>
  best && {
    values: [...best.values],
    score: best.score,
    figures: viewFigures(best.figures),
    deflatedSharpe: best.deflatedSharpe,
    probabilityOfOverfitting: best.probabilityOfOverfitting,
  };

export function viewOutline(row: SweepRow): z.input<typeof SweepOutline> {
  const { outcome } = row;
  return {
    id: row.id,
    blueprintId: row.blueprint_id,
    name: row.name,
    status: row.status,
    progress: row.progress,
    failure: row.failure,
    from: toIso(row.from_at),
    to: toIso(row.to_at),
    trials: row.trial_count,
    best: outcome && viewBest(outcome),
    warnings: outcome?.verdicts.filter(({ severity }) => severity !== 'info').length ?? 0,
    createdAt: toIso(row.created_at),
    startedAt: isoOrNull(row.started_at),
    finishedAt: isoOrNull(row.finished_at),
  };
}

export function viewSweep(row: SweepRow): z.input<typeof SweepView> {
  const { request, refused, outcome } = row;
  return {
    ...viewOutline(row),
    request,
    areTrialsKept: !row.is_forgotten,
    refused: refused && {
      count: refused.count,
      first: refused.first.map(({ values, issues }) => ({
        values: [...values],
        issues: issues.map(({ path, code, message }) => ({ path, code, message })),
      })),
    },
    result: outcome && {
      verdicts: [...outcome.verdicts],
      trialsEver: outcome.trialsEver,
      profile: outcome.profile.map(({ pointer, values }) => ({ pointer, values: [...values] })),
      walkForward: outcome.walkForward && viewWalkForward(outcome.walkForward),
    },
  };
}

const viewStitched = (stitched: Stitched): z.input<typeof StitchedView> => ({ ...stitched });

function viewWalkForward(walk: WalkForward): z.input<typeof WalkForwardView> {
  const range = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => ({
    from: isoOf(fromMs),
    to: isoOf(toMs),
  });
  return {
    embargoDays: walk.embargoDays,
    folds: walk.folds.map(({ train, test, values, inSample, outOfSample, isHeldTooLong }) => ({
      train: range(train),
      test: range(test),
      values: values && [...values],
      inSample: inSample && viewFigures(inSample),
      outOfSample: outOfSample && viewFigures(outOfSample),
      isHeldTooLong,
    })),
    inSample: viewStitched(walk.inSample),
    outOfSample: viewStitched(walk.outOfSample),
    efficiency: walk.efficiency,
    curve: walk.curve.map(({ atMs, factor }) => ({ at: isoOf(atMs), factor })),
  };
}
