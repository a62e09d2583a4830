import { expect, test } from 'vitest';
import { BACKTEST_DEFAULTS } from '../../engine/research/playback/request.ts';
import { LATENCY_MS_MAX } from '../../routers/backtests/request.ts';
import { assumptionWords } from '../../web/src/format/research/assumption-words.ts';
import {
  backtestFaults,
  backtestFormOf,
  backtestRequestOf,
  blankBacktestForm,
  formAssumptionWords,
  LATENCY_MAX_SEC,
} from '../../web/src/format/research/backtest-form.ts';
import {
  hasCount,
  incomparableWords,
  sortBySeverity,
  withLocalFigures,
} from '../../web/src/format/research/backtest-words.ts';

import { instrumentsOfGraph, intervalsOfGraph } from '../../web/src/format/research/graph-instruments.ts';
import { setFormatLocales } from '../../web/src/language/locale.ts';

const NOW = Date.UTC(2026, 10, 22, 17, 30);
const ID = '0198c3a1-0000-7000-8000-000000000001';

test('the blank form has the service’s own defaults, over the last 30 whole days', () => {
  const { blueprintId, release, from, to, cash, risk, ...rest } = backtestRequestOf(
    ID,
    blankBacktestForm(NOW),
  );
  expect({ blueprintId, release, from, to, cash }).toEqual({
    blueprintId: ID,
    release: null,
    from: '2026-10-23T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    cash: '10000',
  });
  const { data, risk: preset, ...others } = BACKTEST_DEFAULTS;
  expect(rest).toEqual({ ...others, data: { source: data.source, detail: data.detail } });
  expect(risk).toEqual({ approvals: preset.approvals });
});

test('a stored request fills the form with the same values', () => {
  const form = {
    ...blankBacktestForm(NOW),
    of: '7',
    cash: '25000',
    latencySec: '0.5',
    halfSpread: '0.01',
    sharePct: '12.5',
    fees: 'none' as const,
    token: 'KX-1:yes',
    substitutes: 'KX-2:yes\nKX-3:yes',
    riskFreePct: '4.5',
  };
  const sent = backtestRequestOf(ID, form);
  expect(backtestFormOf({ ...sent, risk: { rules: 'account', ...sent.risk } }, NOW)).toEqual(form);
});

test('a request of another version leaves the form blank', () => {
  for (const request of [null, 'text', {}, { from: '2026-01-01' }])
    expect(backtestFormOf(request, NOW)).toEqual(blankBacktestForm(NOW));
});

test('a value that cannot be sent has its fault beside its field', () => {
  expect(backtestFaults(blankBacktestForm(NOW))).toEqual({});
  const wrong = {
    ...blankBacktestForm(NOW),
    from: '2026-11-01T00:00',
    to: '2026-10-01T00:00',
    cash: '0',
    sharePct: 'x',
    seed: '1.5',
    substitutes: 'KX-2:yes',
  };
  expect(Object.keys(backtestFaults(wrong)).sort()).toEqual(['cash', 'seed', 'sharePct', 'to', 'token']);
});

test('an assumption that flatters the result is marked, and none by default', () => {
  expect(formAssumptionWords(blankBacktestForm(NOW)).filter(({ isFlattering }) => isFlattering)).toEqual([]);
  const flattering = formAssumptionWords({
    ...blankBacktestForm(NOW),
    fees: 'none',
    liquidity: 'unlimited',
    latencySec: '0',
    halfSpread: '0',
    checks: false,
  });
  expect(flattering.filter(({ isFlattering }) => isFlattering)).toHaveLength(5);
});

test('verdicts that spoil a result come before those that are good to know', () => {
  const line = (severity: 'info' | 'warning' | 'danger') => ({ code: severity, severity, message: severity });
  expect(sortBySeverity([line('info'), line('danger'), line('warning')]).map(({ code }) => code)).toEqual([
    'danger',
    'warning',
    'info',
  ]);
});

test('the reason why runs cannot be compared is in words, also one of a newer service', () => {
  expect(incomparableWords(['other_fees', 'other_moon'])).toBe('they paid other fees, other moon');
});

test('instruments of a drawing are found wherever its nodes name them, each once', () => {
  const visual = {
    nodes: [
      { id: 'a', data: { config: { symbol: 'BTCUSDT' } } },
      { id: 'b', data: { config: { instrument: 'KX-1:yes', nested: [{ instrument: 'BTCUSDT' }] } } },
      { id: 'c', data: { config: { instrument: '' } } },
    ],
  };
  expect(instrumentsOfGraph(visual)).toEqual(['BTCUSDT', 'KX-1:yes']);
  const read = {
    nodes: ['1h', '5m', '1h'].map((interval) => ({ data: { config: { symbol: 'BTCUSDT', interval } } })),
  };
  expect(intervalsOfGraph(read, 'BTCUSDT')).toEqual(['1h', '5m']);
  expect(intervalsOfGraph(read, 'ETHUSDT')).toEqual(['1m']);
});

test('an order arrives as late as the service allows, and no later', () => {
  expect(LATENCY_MAX_SEC * 1_000).toBe(LATENCY_MS_MAX);
  expect(backtestFaults({ ...blankBacktestForm(NOW), latencySec: '10' })).toEqual({});
  expect(backtestFaults({ ...blankBacktestForm(NOW), latencySec: '10.5' })).toEqual({
    latencySec: 'At most 10 s.',
  });
});

test('a run’s assumptions are in words; an unknown one stays as received', () => {
  const words = (name: string, value: string) => Object.values(assumptionWords({ name, value })).join(': ');
  expect(words('fills.latencyMs', '2000')).toBe('Latency: 2 s after the decision');
  expect(words('fills.liquidity', 'share 0.1')).toBe('It is filled by: at most 10% of the last bar’s volume');
  expect(words('fees', 'schedule')).toBe('Fees: the venue’s schedule');
  expect(words('risk.approvals', 'auto after 60 s')).toBe('Approvals: given after 60 s');
  expect(words('fills.newer', 'x')).toBe('fills.newer: x');
});

test('the counts of a verdict have the number format of the user, and none is repeated after it', () => {
  const message = '144 of 1,241 orders were refused: pause after a loss 140, orders a minute 4.';
  expect([144, 1_241, 99].map((count) => hasCount(message, count))).toEqual([true, true, false]);
  expect(withLocalFigures(message)).toBe(message);
  setFormatLocales(['de-DE']);
  expect(withLocalFigures(message)).toBe(message.replace('1,241', '1.241'));
  expect(withLocalFigures('for <0.01 % and 0.4% of 2022-08-24')).toBe('for <0,01 % and 0,4% of 2022-08-24');
  setFormatLocales([]);
});
