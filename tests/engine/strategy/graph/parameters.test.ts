import { describe, expect, test } from 'vitest';
import { graphDifference } from '../../../../engine/research/backtests/graph-difference.ts';
import { compileCombinations } from '../../../../engine/research/search/compile-combinations.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { draw, planOf } from './graph-fixtures.ts';

const PARAMETERS = {
  fast: { value: 3, min: 2, max: 50, unit: 'candles', help: 'The quick average.' },
  slow: { value: 9, min: 2, max: 100 },
  coin: { value: 'BTCUSDT' },
};

/** Two averages of one coin, all of it by parameters. */
const crossing = (parameters: unknown = PARAMETERS) => ({
  ...draw(
    {
      close: ['crypto.candle', { symbol: { parameter: 'coin' }, interval: '1m' }],
      quick: ['indicator', { kind: 'sma', period: { parameter: 'fast' } }],
      calm: ['indicator', { kind: 'sma', period: { parameter: 'slow' } }],
      up: ['compare', { op: 'crossesAbove' }],
    },
    ['close -> quick', 'close -> calm', 'quick -> up.a', 'calm -> up.b'],
  ),
  parameters,
});
const issuesOf = (parameters: unknown) =>
  compile(crossing(parameters)).issues.map(({ code, path, severity }) => ({ code, path, severity }));

describe('parameters of a graph', () => {
  test('stand for the value in every setting that names them', () => {
    expect(planOf(crossing()).needs.candles).toEqual([
      { symbol: 'BTCUSDT', interval: '1m', window: 9, open: false },
    ]);
    const longer = { ...PARAMETERS, slow: { value: 40 }, coin: { value: 'ETHUSDT' } };
    expect(planOf(crossing(longer)).needs.candles).toMatchObject([{ symbol: 'ETHUSDT', window: 40 }]);
  });

  test('a value outside its bounds, of no kind or with a strange name is an error at its path', () => {
    const bad = (name: string, parameter: unknown) =>
      issuesOf({ ...PARAMETERS, [name]: parameter }).filter(({ path }) => path.startsWith('/parameters'));
    const at = (name: string) => [{ code: 'bad_parameter', path: `/parameters/${name}`, severity: 'error' }];
    expect(bad('fast', { value: 51, min: 2, max: 50 })).toEqual(at('fast'));
    expect(bad('fast', { value: 1, min: 2 })).toEqual(at('fast'));
    expect(bad('fast', 12)).toEqual(at('fast'));
    expect(bad('fast', { value: 12, step: 1 })).toEqual(at('fast'));
    expect(bad('not a name', { value: 1 })).toEqual(at('not a name'));
    expect(issuesOf([])).toContainEqual({ code: 'not_parameters', path: '/parameters', severity: 'error' });
  });

  test('a setting that names an unknown parameter, or accepts no such value, is an error at the setting', () => {
    const { fast, ...others } = PARAMETERS;
    expect(issuesOf(others)).toContainEqual({
      code: 'unknown_parameter',
      path: '/nodes/1/data/config/period',
      severity: 'error',
    });
    expect(issuesOf({ ...PARAMETERS, fast: { value: 'quick' } })).toContainEqual({
      code: 'bad_setting',
      path: '/nodes/1/data/config/period',
      severity: 'error',
    });
  });

  test('one that no setting names is a warning', () => {
    expect(issuesOf({ ...PARAMETERS, spare: { value: 1 } })).toEqual([
      { code: 'unused_parameter', path: '/parameters/spare', severity: 'warning' },
    ]);
  });

  test('a sweep names them, and skips values outside their bounds', () => {
    const space = {
      dimensions: [
        { pointer: '/parameters/fast/value', values: [1, 3, 12] },
        { pointer: '/parameters/slow/value', from: 6, to: 18, step: 6 },
      ],
      constraints: [{ less: '/parameters/fast/value', than: '/parameters/slow/value' }],
    };
    const { trials, refused } = compileCombinations(crossing(), { space, search: { kind: 'grid' } });
    expect(trials.map(({ needs }) => needs.candles[0]?.window)).toEqual([6, 12, 18, 18]);
    expect(refused.map(({ issues }) => issues.map(({ code }) => code))).toEqual(
      Array.from({ length: 3 }, () => expect.arrayContaining(['bad_parameter'])),
    );
  });

  test('between two graphs the nodes differ whose parameters do', () => {
    const other = crossing({ ...PARAMETERS, fast: { ...PARAMETERS.fast, value: 4 } });
    expect(graphDifference(crossing(), other)).toMatchObject({ changed: ['quick'], added: [], removed: [] });
  });
});
