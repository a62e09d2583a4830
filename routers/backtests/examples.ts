import type { z } from 'zod';
import { BACKTEST_DEFAULTS } from '../../engine/research/playback/request.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import { STATISTICS_EXAMPLE } from '../portfolio/statistics-view.ts';
import type { BacktestOutline, BacktestView } from './schemas.ts';

const RANGE = { from: '2026-09-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' } as const;

export const START_EXAMPLE = { visual: BLUEPRINT_EXAMPLE.visual, ...RANGE, cash: '10000' } as const;

const HASH = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';

const STATE = {
  id: EXAMPLE.backtestId,
  blueprintId: EXAMPLE.blueprintId,
  name: 'Dip buyer',
  status: 'done',
  phase: null,
  progress: null,
  failure: null,
  isPartial: false,
  ...RANGE,
  requestHash: HASH,
  resultHash: HASH,
  notes: '',
  pinned: false,
  createdAt: EXAMPLE.createdAt,
  startedAt: EXAMPLE.createdAt,
  finishedAt: EXAMPLE.updatedAt,
} as const;

export const OUTLINE_EXAMPLE: z.output<typeof BacktestOutline> = {
  ...STATE,
  outline: {
    fidelity: 'C',
    netProfit: 12.34,
    finalEquity: 10_012.34,
    totalReturn: { value: 0.001234 },
    sharpe: { value: 1.24 },
    maxDrawdownShare: 0.00442,
    trades: 9,
    warnings: 1,
  },
};

export const BACKTEST_EXAMPLE: z.output<typeof BacktestView> = {
  ...STATE,
  request: {
    blueprintId: EXAMPLE.blueprintId,
    release: null,
    ...RANGE,
    cash: '10000',
    ...BACKTEST_DEFAULTS,
  },
  coverage: [
    {
      venue: 'binance',
      tokenId: 'BTCUSDT',
      kind: 'candle',
      resolutionSec: 60,
      ...RANGE,
      rows: 43_200,
      gaps: 0,
      hash: HASH,
      source: 'binance',
    },
  ],
  result: {
    verdicts: [
      {
        code: 'orders_refused',
        severity: 'warning',
        message: '2 orders were refused by maxOrderSize.',
        count: 2,
      },
    ],
    assumptions: [{ name: 'halfSpread', value: '0.5 bp', why: 'No quotes were recorded in the range.' }],
    fidelity: 'C',
    pace: 'path',
    statistics: { ...STATISTICS_EXAMPLE, ...RANGE },
    orders: {
      intents: 22,
      orders: 22,
      filled: 19,
      partial: 1,
      unfilled: 0,
      canceled: 0,
      expired: 0,
      denied: { maxOrderSize: 2 },
      approvals: 4,
    },
    evaluations: 43_200,
    bars: 43_200,
    gaps: 0,
    ambiguousBars: 0,
    range: null,
    finalCash: 9_950.1,
    finalEquity: 10_012.34,
    exitEquity: 10_011.9,
    fees: 0.18,
    buyAndHold: 0.031,
    benchmark: {
      totalReturn: { value: 0.0298 },
      alpha: { value: 0.0093 },
      beta: { value: 0.016 },
      correlation: { value: 0.41 },
      trackingError: { value: 0.31 },
      informationRatio: { value: -1.02 },
      upCapture: { value: 0.05 },
      downCapture: { value: 0.02 },
    },
    resampled: {
      totalReturn: { low: -0.021, high: 0.024 },
      maxDrawdown: { low: 0.004, high: 0.031 },
      losing: 0.46,
    },
    costs: {
      notional: 2_210.4,
      measuredNotional: 2_210.4,
      fee: 0.18,
      spread: 0.11,
      slippage: 0,
      delay: 0.07,
      unfilled: 0,
      orders: 20,
      unmeasured: 0,
    },
    capacity: {
      bars: 20,
      meanShare: { value: 0.0008 },
      maxShare: { value: 0.0021 },
      roomFactor: { value: 47.6 },
      unmeasured: 0,
    },
    attribution: {
      node: [{ of: 'buy', trades: 9, wins: 6, profit: 12.34 }],
      instrument: [{ of: 'BTCUSDT', trades: 9, wins: 6, profit: 12.34 }],
      hour: [
        { of: '9', trades: 5, wins: 2, profit: -1.1 },
        { of: '14', trades: 4, wins: 4, profit: 13.44 },
      ],
      weekday: [{ of: '1', trades: 9, wins: 6, profit: 12.34 }],
      regime: [{ of: 'rising_calm', trades: 9, wins: 6, profit: 12.34 }],
    },
    forecasts: null,
    sensitivity: [{ change: 'no_fees', difference: 0.18, trades: 9 }],
    fillGrades: [{ grade: 'path', fills: 2, profit: 0 }],
    unsettled: null,
  },
};
