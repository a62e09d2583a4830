import type { z } from 'zod';
import { BACKTEST_DEFAULTS } from '../../engine/research/playback/request.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import type { SweepOutline, SweepView, TrialView } from './schemas.ts';

const RANGE = { from: '2026-09-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' } as const;
const POINTER = '/nodes/1/data/config/value';
const HASH = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';

export const START_EXAMPLE = {
  visual: BLUEPRINT_EXAMPLE.visual,
  ...RANGE,
  space: { dimensions: [{ pointer: POINTER, from: 0.2, to: 0.4, step: 0.05 }] },
} as const;

const FIGURES: z.output<typeof TrialView>['figures'] = {
  netProfit: 12.34,
  totalReturn: { value: 0.001234 },
  cagr: { value: 0.0151 },
  sharpe: { value: 1.24 },
  sortino: { value: 2.01 },
  calmar: { value: 3.4 },
  probabilisticSharpe: { value: 0.64 },
  profitFactor: { value: 1.31 },
  winRate: { value: 0.55 },
  expectancy: { value: 0.28 },
  sqn: { value: 0.9 },
  exposure: { value: 0.31 },
  maxDrawdown: 0.00442,
  closed: 44,
  open: 0,
  denied: 0,
  fees: 0.18,
  finalEquity: 10_012.34,
  heldMaxSec: 86_400,
};

export const TRIAL_EXAMPLE: z.output<typeof TrialView> = {
  number: 2,
  values: [0.3],
  score: 1.24,
  figures: FIGURES,
  resultHash: HASH,
};

export const SWEEP_OUTLINE_EXAMPLE: z.output<typeof SweepOutline> = {
  id: EXAMPLE.sweepId,
  blueprintId: EXAMPLE.blueprintId,
  name: 'Dip buyer',
  status: 'done',
  progress: null,
  failure: null,
  ...RANGE,
  trials: 5,
  best: {
    values: [0.3],
    score: 1.24,
    figures: FIGURES,
    deflatedSharpe: { value: 0.58 },
    probabilityOfOverfitting: { value: null, reason: 'too_few' },
  },
  warnings: 1,
  createdAt: EXAMPLE.createdAt,
  startedAt: EXAMPLE.createdAt,
  finishedAt: EXAMPLE.updatedAt,
};

export const SWEEP_EXAMPLE: z.output<typeof SweepView> = {
  ...SWEEP_OUTLINE_EXAMPLE,
  request: {
    backtest: {
      blueprintId: EXAMPLE.blueprintId,
      release: null,
      ...RANGE,
      cash: '10000',
      ...BACKTEST_DEFAULTS,
      checks: false,
    },
    space: { ...START_EXAMPLE.space, constraints: [] },
    search: { kind: 'grid' },
    objective: { statistic: 'sharpe', minTrades: 30 },
    walkForward: null,
  },
  areTrialsKept: true,
  refused: { count: 0, first: [] },
  result: {
    verdicts: [
      {
        code: 'deflated_sharpe',
        severity: 'warning',
        message:
          'The true Sharpe ratio is above what luck alone shows in as many trials with a probability of 58.0 %, less than 95.0 %.',
      },
    ],
    trialsEver: 5,
    profile: [
      {
        pointer: POINTER,
        values: [
          { value: 0.2, trials: 1, median: 0.4, best: 0.4 },
          { value: 0.3, trials: 1, median: 1.24, best: 1.24 },
        ],
      },
    ],
    walkForward: null,
  },
};
