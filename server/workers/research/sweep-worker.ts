/** Runs the batches of a sweep in a thread. */

import { readRecordedQuotes } from '../../../engine/research/backtests/recorded-quotes.ts';
import { BacktestError } from '../../../engine/research/playback/backtest-error.ts';
import { outcomeOf } from '../../../engine/research/search/outcome.ts';
import { planOf } from '../../../engine/research/search/plan.ts';
import { TrialRunner } from '../../../engine/research/search/trial-runner.ts';
import type { NumberedTrial } from '../../../engine/research/sweeps/trials.ts';
import type { SweepAnswer, SweepTask } from './sweep-messages.ts';

/** The last sweep of this thread: its next batch reuses the indicator values of its series. */
let last: { readonly sweepId: string; readonly runner: TrialRunner } | null = null;

export function answerSweep(task: SweepTask, isCanceled: () => boolean): SweepAnswer {
  switch (task.kind) {
    case 'plan':
      return { kind: 'planned', plan: planOf(task.request, task.visual) };
    case 'trials':
      return tried(task, isCanceled);
    case 'outcome':
      last = null;
      return { kind: 'evaluated', outcome: outcomeOf(task.request, task) };
  }
}

function tried(task: Extract<SweepTask, { kind: 'trials' }>, isCanceled: () => boolean): SweepAnswer {
  const { sweepId, range, runs } = task;
  if (last?.sweepId !== sweepId) last = { sweepId, runner: runnerOf(task) };
  const trials: NumberedTrial[] = [];
  try {
    for (const { number, combination } of runs) {
      const trial = last.runner.run(combination, range, isCanceled);
      if (trial === null) break;
      trials.push({ number, trial });
    }
    return { kind: 'tried', trials };
  } catch (error) {
    if (!(error instanceof BacktestError)) throw error;
    return { kind: 'failed', failure: { code: error.code, message: error.message } };
  }
}

const runnerOf = ({ material, space, candles }: Extract<SweepTask, { kind: 'trials' }>): TrialRunner =>
  new TrialRunner(
    { ...material.input, recorded: readRecordedQuotes(material.quotes, material.input) },
    space,
    candles,
  );
