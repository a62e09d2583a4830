import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as engine from '../../engine/research/search/request.ts';
import { sizeOf as combinationsOf } from '../../engine/research/search/space.ts';
import { foldsOf } from '../../engine/research/search/walk-forward.ts';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { templateGraph } from '../../engine/strategy/graph/templates/graphs.ts';
import { catalogueOf } from '../../web/src/editor/drawing/model.ts';
import { blankBacktestForm, instantOf } from '../../web/src/format/research/backtest-form.ts';
import { tintOf } from '../../web/src/sweeps/figures.ts';
import * as web from '../../web/src/sweeps/form-values.ts';
import { type Parameter, parametersOf, pointerName } from '../../web/src/sweeps/parameters.ts';

/** The catalogue as it is received: JSON. */
const catalogue = catalogueOf(
  JSON.parse(
    JSON.stringify({
      types: describeCatalogue().map((type) => ({ ...type, delays: false, trades: false })),
      notes: ['note'],
    }),
  ),
);
const VISUAL = templateGraph('momentum');
const PARAMETERS = parametersOf(VISUAL, catalogue);
const RUN = blankBacktestForm(Date.parse('2026-09-20T10:00:00Z'));

const named = (name: string): Parameter => {
  const found = PARAMETERS.find((each) => each.name === name);
  if (!found) throw new Error(`No ${name} in ${PARAMETERS.map((each) => each.name).join('; ')}`);
  return found;
};
const formOf = (...parameters: Parameter[]): web.SweepForm => ({
  ...web.BLANK_SWEEP,
  dimensions: parameters.map(web.dimensionOf),
});

describe('the form of a sweep', () => {
  test('knows the limits of the service', () => {
    expect([web.TRIALS_MAX, web.VALUES_MAX, web.DIMENSIONS_MAX, web.FOLDS_MAX]).toEqual([
      engine.TRIALS_MAX,
      engine.VALUES_MAX,
      engine.DIMENSIONS_MAX,
      engine.FOLDS_MAX,
    ]);
  });

  test('offers numbers, switches and choices of the graph by their names, and no instrument', () => {
    expect(named('Fast average · period')).toMatchObject({ value: 9, options: [] });
    expect(PARAMETERS.filter(({ value }) => value === 'BTCUSDT')).toEqual([]);
    const { pointer } = named('Slow average · period');
    expect(pointerName(pointer, VISUAL, catalogue)).toBe('Slow average · period');
    expect(pointerName('/nodes/99/data/config/x', VISUAL, catalogue)).toBe('/nodes/99/data/config/x');
  });

  test('starts with values around the graph’s own, which is one of them', () => {
    expect(web.dimensionOf(named('Fast average · period'))).toMatchObject({ from: '4', to: '14', step: '1' });
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (raw) => {
        const value = Number(raw.toPrecision(4));
        const { from, to, step } = web.dimensionOf({ pointer: '/a', name: 'a', value, options: [] });
        expect(Number(from)).toBeGreaterThan(0);
        expect(Number(to)).toBeGreaterThan(value);
        const steps = (value - Number(from)) / Number(step);
        expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
      }),
    );
  });

  test('counts combinations as the service does, whatever is typed', () => {
    const decimal = fc
      .tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: 0, max: 3 }))
      .map(([whole, places]) => String(Number((whole / 10 ** places).toFixed(places))));
    fc.assert(
      fc.property(decimal, decimal, decimal, (from, to, step) => {
        const space = {
          dimensions: [{ pointer: '/a', from: Number(from), to: Number(to), step: Number(step) }],
          constraints: [],
        };
        const dimension = { pointer: '/a', kind: 'range' as const, from, to, step, values: '' };
        expect(web.valueCount(dimension)).toBe(combinationsOf(space));
      }),
    );
  });

  test('counts folds as the service does before the look-back of a graph is known', () => {
    const days = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(days, days, fc.integer({ min: 0, max: 5 }), (trainDays, testDays, holdingDays) => {
        const form = {
          ...formOf(named('Fast average · period')),
          walks: true,
          trainDays: String(trainDays),
          testDays: String(testDays),
          holdingDays: String(holdingDays),
        };
        const range = {
          fromMs: Date.parse(instantOf(RUN.from) ?? ''),
          toMs: Date.parse(instantOf(RUN.to) ?? ''),
        };
        const walk = { trainDays, testDays, stepDays: testDays, isAnchored: false, holdingDays };
        expect(web.sweepSizeOf(form, RUN).folds).toBe(foldsOf(range, walk, holdingDays).length);
      }),
    );
  });

  test('says its size and the limit; one that is too large, or has no whole days, cannot be sent', () => {
    const form = formOf(named('Fast average · period'), named('Slow average · period'));
    expect(web.sizeWords(web.sweepSizeOf(form, RUN))).toBe('110 combinations, of at most 10,000.');
    expect(web.hasNoFault(RUN, web.sweepFaultsOf(form, RUN))).toBe(true);
    expect(web.hasNoFault(RUN, web.sweepFaultsOf(web.BLANK_SWEEP, RUN))).toBe(false);
    const wide = { ...form, dimensions: form.dimensions.map((each) => ({ ...each, to: '900' })) };
    expect(web.sweepFaultsOf(wide, RUN).all).toEqual([expect.stringContaining('choose random ones')]);
    const noon = { ...RUN, from: RUN.from.replace('T00:00', 'T12:00') };
    expect(web.sweepFaultsOf({ ...form, walks: true }, noon).all).toEqual([
      expect.stringContaining('midnight UTC'),
    ]);
  });

  test('sends the typed values, and reads them back from the stored request', () => {
    const [fast, slow] = [named('Fast average · period'), named('Slow average · period')];
    const form: web.SweepForm = {
      ...formOf(fast),
      dimensions: [web.dimensionOf(fast), { ...web.dimensionOf(slow), kind: 'list', values: '21, 34' }],
      less: fast.pointer,
      than: slow.pointer,
      search: 'random',
      count: '7',
      searchSeed: '3',
      walks: true,
    };
    const sent = web.sweepRequestOf('b', RUN, form, PARAMETERS);
    expect(sent.space.dimensions).toEqual([
      { pointer: fast.pointer, from: 4, to: 14, step: 1 },
      { pointer: slow.pointer, values: [21, 34] },
    ]);
    expect(sent).not.toHaveProperty('checks');
    const stored = { request: { ...sent, backtest: {} } } as unknown as Parameters<
      typeof web.sweepFormsOf
    >[0];
    const again = web.sweepFormsOf(stored, 0).form;
    expect(web.sweepRequestOf('b', RUN, again, PARAMETERS)).toEqual(sent);
  });
});

test('a tint grows with the figure, and differs for figures below zero', () => {
  expect(tintOf(2, [-1, 2], 'sharpe')).toEqual({ strength: 1, isBad: false });
  expect(tintOf(-1, [-1, 2], 'sharpe')).toEqual({ strength: 0.5, isBad: true });
  expect(tintOf(0.2, [0.1, 0.2], 'maxDrawdown')).toEqual({ strength: 1, isBad: true });
  expect(tintOf(5, [5, 5], 'closed')).toEqual({ strength: 0, isBad: false });
});
