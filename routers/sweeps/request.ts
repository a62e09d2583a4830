import { z } from 'zod';
import { DIMENSIONS_MAX, OBJECTIVES, TRIALS_MAX, VALUES_MAX } from '../../engine/research/search/request.ts';
import type { SweepParams } from '../../engine/research/sweeps/start.ts';
import { backtestInputOf, RequestInput } from '../backtests/request.ts';
import { exactInteger } from '../schemas.ts';

const POINTER_MAX = 200;
const TEXT_MAX = 200;
const DAYS_MAX = 3_650;
const CONSTRAINTS_MAX = 16;
const SEED_MAX = 4_294_967_295;
const MIN_TRADES_MAX = 100_000;

const pointer = z
  .string()
  .max(POINTER_MAX)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { error: 'is not a JSON Pointer such as /nodes/3/data/config/period' })
  .meta({ description: 'JSON Pointer into the graph.' });
const number = z.number().min(-1e15).max(1e15);
const days = exactInteger(1, DAYS_MAX);

const Dimension = z.union([
  z.strictObject({
    pointer,
    values: z
      .array(z.union([number, z.string().max(TEXT_MAX), z.boolean()]))
      .min(1)
      .max(VALUES_MAX),
  }),
  z.strictObject({ pointer, from: number, to: number, step: number }),
]);

export const SpaceInput = z.strictObject({
  dimensions: z.array(Dimension).min(1).max(DIMENSIONS_MAX).meta({
    description: 'Settings of the graph, each with the values to try, or a range in steps.',
  }),
  constraints: z
    .array(z.strictObject({ less: pointer, than: pointer }))
    .max(CONSTRAINTS_MAX)
    .optional()
    .meta({ description: 'Only combinations in which one number is below another are tried.' }),
});

export const SearchInput = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('grid') }),
  z.strictObject({
    kind: z.literal('random'),
    count: exactInteger(1, TRIALS_MAX),
    seed: exactInteger(0, SEED_MAX),
  }),
]);

export const ObjectiveInput = z.strictObject({
  statistic: z.enum(OBJECTIVES),
  minTrades: exactInteger(0, MIN_TRADES_MAX).optional().meta({
    description: 'Trials with fewer trades are not ranked; 30 by default.',
  }),
});

export const WalkForwardInput = z.strictObject({
  trainDays: days,
  testDays: days,
  stepDays: days.optional().meta({ description: 'From one fold to the next; as testDays by default.' }),
  isAnchored: z.boolean().optional().meta({ description: 'Training always begins at the start.' }),
  holdingDays: exactInteger(0, DAYS_MAX).optional().meta({
    description: 'The assumed holding time of a position, part of the embargo. 1 by default.',
  }),
});

const { fresh: _fresh, checks: _checks, sensitivity: _sensitivity, ...backtestFields } = RequestInput.shape;

/** A backtest without the fields that make no sense for many runs, plus the values to try. */
export const SweepInput = z.strictObject({
  ...backtestFields,
  space: SpaceInput,
  search: SearchInput.optional().meta({ description: 'All combinations, or a number of random ones.' }),
  objective: ObjectiveInput.optional().meta({
    description: 'The figure that ranks trials; the Sharpe ratio by default.',
  }),
  walkForward: WalkForwardInput.nullish().meta({
    description: 'Chosen on one span, tested on the next.',
  }),
});

const MIN_TRADES = 30;

export function sweepInputOf(input: z.output<typeof SweepInput>): SweepParams {
  const { space, search, objective, walkForward, ...backtest } = input;
  return {
    backtest: backtestInputOf(backtest),
    space: { dimensions: space.dimensions, constraints: space.constraints ?? [] },
    ...(search && { search }),
    ...(objective && {
      objective: { statistic: objective.statistic, minTrades: objective.minTrades ?? MIN_TRADES },
    }),
    walkForward: walkForward
      ? {
          trainDays: walkForward.trainDays,
          testDays: walkForward.testDays,
          stepDays: walkForward.stepDays ?? walkForward.testDays,
          isAnchored: walkForward.isAnchored ?? false,
          holdingDays: walkForward.holdingDays ?? 1,
        }
      : null,
  };
}
