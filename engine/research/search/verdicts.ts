/** Verdicts to read before any figure of a sweep. */

import { median } from '../../books/statistics/moments.ts';
import type { Verdict } from '../playback/result.ts';
import { gravestFirst } from '../playback/verdicts/verdicts.ts';
import type { BestTrial } from './qualify-best-trial.ts';
import { neighbourScores, rangeEndsHit, type Scored } from './ranking.ts';
import type { Space } from './request.ts';
import type { WalkForward } from './walk-forward.ts';

const DEFLATED_MIN = 0.95;
const OVERFITTING_DANGER = 0.5;
const OVERFITTING_WARNING = 0.2;
/** Fewer trades prove nothing, whatever their result. */
const TRADES_MIN = 30;
const TRADES_A_PARAMETER = 10;
const ONE_DAY_MAX = 0.5;

export type SweepResults = {
  readonly space: Space;
  /** Best first. */
  readonly scored: readonly Scored[];
  readonly best: BestTrial | null;
  readonly walkForward: WalkForward | null;
};

/** Gravest first. */
export function verdictsOf(results: SweepResults): Verdict[] {
  const { best, scored } = results;
  const [first] = scored;
  if (best === null || first === undefined) {
    return [
      danger('no_best', 'No trial has the objective and enough trades: there is nothing to choose from.'),
    ];
  }
  return gravestFirst([
    ...ofLuck(best),
    ...ofSearchRegion(results, first),
    ...ofTrades(results.space, best),
    ...ofOneDay(first),
    ...ofWalkForward(results.walkForward),
  ]);
}

const danger = (code: string, message: string): Verdict => ({ code, severity: 'danger', message });
const warning = (code: string, message: string): Verdict => ({ code, severity: 'warning', message });

function ofLuck({
  deflatedSharpe: { value: deflated },
  probabilityOfOverfitting: { value: overfitted },
}: BestTrial) {
  return [
    deflated === null
      ? warning(
          'deflated_sharpe',
          'The share of luck in the best Sharpe ratio cannot be computed: there is too little data.',
        )
      : deflated < DEFLATED_MIN &&
        warning(
          'deflated_sharpe',
          `The true Sharpe ratio is above what luck alone shows in as many trials with a probability of ${percent(deflated)}, less than ${percent(DEFLATED_MIN)}.`,
        ),
    overfitted === null
      ? warning('overfitting', 'Overfitting cannot be measured: there are too few days or trials.')
      : overfitted > OVERFITTING_WARNING &&
        (overfitted > OVERFITTING_DANGER ? danger : warning)(
          'overfitting',
          `The best trial of one half of the time is below the median in the other half in ${percent(overfitted)} of all splits.`,
        ),
  ].filter((verdict) => verdict !== false);
}

function ofSearchRegion({ space, scored }: SweepResults, { trial, score }: Scored): Verdict[] {
  const edges = rangeEndsHit(space, trial.combination);
  const around = neighbourScores(scored, trial.combination);
  const isPeak = around.length > 0 && score > 0 && median(around) < score / 2;
  return [
    ...(edges.length > 0
      ? [
          warning(
            'best_at_edge',
            `The best trial lies at the edge of ${edges.join(' and ')}: values beyond it were not tried.`,
          ),
        ]
      : []),
    ...(isPeak
      ? [
          warning(
            'isolated_peak',
            `The trials next to the best one have a median score of ${median(around).toPrecision(3)} in the middle, less than half of its ${score.toPrecision(3)}.`,
          ),
        ]
      : []),
  ];
}

function ofTrades({ dimensions }: Space, { figures: { closed } }: BestTrial): Verdict[] {
  return [
    ...(closed < TRADES_MIN
      ? [
          warning(
            'few_trades',
            `The best trial has ${closed} trades: fewer than ${TRADES_MIN} prove nothing.`,
          ),
        ]
      : []),
    ...(dimensions.length > closed / TRADES_A_PARAMETER
      ? [
          warning(
            'many_parameters',
            `${dimensions.length} parameters were fitted to ${closed} trades: there should be ${TRADES_A_PARAMETER} of them for each.`,
          ),
        ]
      : []),
  ];
}

/** Compares the result of the best day with that of all days. */
function ofOneDay({ trial: { returns } }: Scored): Verdict[] {
  let equity = 1;
  let most = 0;
  for (const value of returns) {
    most = Math.max(most, equity * value);
    equity *= 1 + value;
  }
  const share = most / (equity - 1);
  return equity > 1 && share > ONE_DAY_MAX
    ? [warning('one_day', `One day made ${percent(share)} of the profit of the best trial.`)]
    : [];
}

function ofWalkForward(walkForward: WalkForward | null): Verdict[] {
  if (walkForward === null) return [];
  const { inSample, outOfSample, folds } = walkForward;
  const before = inSample.sharpe.value;
  const after = outOfSample.sharpe.value;
  const isLess = before !== null && before > 0 && (after === null || after < before / 2);
  const late = folds.filter(({ isHeldTooLong }) => isHeldTooLong).length;
  return [
    ...(isLess
      ? [
          warning(
            'out_of_sample',
            `Out of sample the Sharpe ratio is ${after?.toFixed(2) ?? 'none'}, less than half of the ${before.toFixed(2)} in sample.`,
          ),
        ]
      : []),
    ...(late > 0
      ? [
          {
            ...warning(
              'held_past_embargo',
              'The combination chosen in training held positions for longer than the pause between training and test.',
            ),
            count: late,
          },
        ]
      : []),
  ];
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
