import { expect, test } from 'vitest';
import type { BacktestRow } from '../../../../engine/research/backtests/row.ts';
import { trimSummaryForStorage } from '../../../../engine/research/backtests/trim-summary.ts';
import { BacktestView, viewBacktest } from '../../../../routers/backtests/schemas.ts';
import { REQUEST, resultOf } from '../../../support/backtests.ts';

const LATER = ['benchmark', 'costs', 'capacity', 'attribution', 'forecasts', 'sensitivity'] as const;

test('a result that an earlier release stored is shown, its unknown figures as null', () => {
  const { statistics, ...stored } = trimSummaryForStorage(resultOf(3).summary);
  const { risk: _risk, rollingSharpe: _rolling, turnoverYearly: _turnover, ...earlier } = statistics;
  const summary = Object.fromEntries(
    Object.entries({ ...stored, statistics: earlier }).filter(
      ([name]) => !LATER.some((each) => each === name),
    ),
  );
  const at = '2026-11-20T09:00:00.000Z';
  const row = {
    id: '00000000-0000-4000-8000-000000000001',
    blueprint_id: null,
    name: 'Sample',
    status: 'done',
    phase: null,
    progress: null,
    failure: null,
    request: REQUEST,
    coverage: null,
    summary,
    request_hash: 'a',
    result_hash: 'b',
    notes: '',
    is_pinned: false,
    created_at: at,
    started_at: at,
    finished_at: at,
  } as unknown as BacktestRow;
  const { result } = BacktestView.parse(viewBacktest(row));
  expect(result?.statistics).toMatchObject({ risk: null, trades: { closed: 3 } });
  for (const name of LATER) expect(result?.[name]).toBeNull();
});
