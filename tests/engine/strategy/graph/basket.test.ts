import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BasketTrial,
  BOTH,
  basketGraph,
  begun,
  CEILING,
  FLOOR,
  halfFilled,
  LEGS,
  type LegName,
  LIMIT,
  legConfig,
  SELL,
  UNITS,
} from './basket-venue.ts';
import { conditionInput, draw, errorsOf, numberInput } from './graph-fixtures.ts';

describe('a basket buys all of its legs', () => {
  test('in one step, and says so once all are filled', () => {
    const trial = halfFilled();
    trial.venue.two.fill(UNITS, trial.now);
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('one').reason?.code).toBe('basket_complete');
    trial.step();
    expect(LEGS.map((leg) => trial.stateOf(leg).value)).toEqual([true, true]);
    trial.step();
    expect(LEGS.map((leg) => trial.stateOf(leg).value)).toEqual([false, false]);
    trial.calm();
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([UNITS, UNITS]);
  });

  test('again only after its condition was false', () => {
    const trial = halfFilled();
    trial.venue.two.fill(UNITS, trial.now);
    for (let tick = 0; tick < 30; tick++) expect(trial.step()).toEqual({});
    expect(trial.step({ a: null })).toEqual({});
    expect(trial.step()).toEqual({});
    expect(trial.step({ a: false })).toEqual({});
    expect(trial.step()).toEqual(BOTH);
  });

  test.each([
    ['the condition is unknown', { a: null }],
    ['the amount is unknown', { units: null }],
    ['the amount is below the step', { units: 0.5 }],
    ['the price is unknown', { price: null }],
    ['the blueprint is in error', { isHalted: true }],
  ])('none while %s', (_, seen) => {
    const trial = new BasketTrial();
    expect(trial.step(seen)).toEqual({});
    expect(trial.step()).toEqual(BOTH);
  });

  test('none while the market of one has no quote', () => {
    const trial = new BasketTrial();
    trial.missing.add('two');
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('one').reason?.code).toBe('other_leg');
    expect(trial.stateOf('two').reason?.code).toBe('no_data');
    trial.missing.clear();
    expect(trial.step()).toEqual(BOTH);
  });

  test('none that its venue would not take back at the lowest price of its undo', () => {
    const trial = new BasketTrial();
    trial.lot = { stepSize: '1', minSize: '1', minNotional: '960' };
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('one').reason?.code).toBe('below_minimum');
    trial.lot = { stepSize: '1', minSize: '1', minNotional: '950' };
    expect(trial.step()).toEqual(BOTH);
  });

  test('and states with each order the lowest price of an undo and what it can lose', () => {
    const trial = new BasketTrial();
    trial.step();
    const { inputs = [] } = trial.evaluation?.intents[0] ?? {};
    expect(Object.fromEntries(inputs.map(({ name, value }) => [name, value]))).toMatchObject({
      basket: 'pair',
      legs: 2,
      undoFloor: '95',
      undoLoss: '100',
    });
  });
});

describe('a basket is undone', () => {
  test('when a rule denies a leg', () => {
    const trial = new BasketTrial();
    trial.step();
    trial.venue.one.accept();
    trial.venue.one.fill(UNITS, trial.now);
    trial.venue.two.deny(trial.now);
    expect(trial.step()).toEqual({ one: SELL });
    trial.calm();
    expect([trial.venue.one.units, trial.venue.two.rows, trial.failures]).toEqual([0, [], []]);
    expect(trial.stateOf('one').reason?.code).toBe('undone');
  });

  test('when the approval of a leg does not come in time', () => {
    const trial = new BasketTrial();
    trial.step();
    trial.venue.one.accept();
    trial.venue.one.fill(UNITS, trial.now);
    trial.venue.two.accept('pending');
    for (let tick = 1; tick < 10; tick++) expect(trial.step()).toEqual({});
    expect(trial.step()).toEqual({ two: 'cancel' });
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: SELL });
  });

  test('by what was filled of a leg, in parts too, once no order can fill any more', () => {
    const trial = begun();
    trial.venue.one.fill(4, trial.now);
    trial.venue.two.fill(7, trial.now);
    expect(trial.step({}, { ticks: 10 })).toEqual({ one: 'cancel', two: 'cancel' });
    trial.venue.one.end('canceled', trial.now);
    expect(trial.step()).toEqual({});
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: 'sell 4 at 95', two: 'sell 7 at 95' });
  });

  test('not if the cancels lose to fills: then it is complete', () => {
    const trial = halfFilled();
    expect(trial.step({}, { ticks: 10 })).toEqual({ two: 'cancel' });
    trial.venue.two.fill(UNITS, trial.now);
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('two').reason?.code).toBe('basket_complete');
    trial.calm();
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([UNITS, UNITS]);
  });

  test('of a fill too that a venue reports after the undo', () => {
    const trial = halfFilled();
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: SELL });
    trial.calm();
    trial.venue.two.fill(3, trial.now, trial.venue.two.rows[0]);
    expect(trial.step()).toEqual({ two: 'sell 3 at 95' });
    trial.calm();
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([0, 0]);
    expect(trial.failures).toEqual([]);
  });

  test('of a fill too that an order of an earlier basket reports beside the next one', () => {
    const trial = begun();
    for (const leg of LEGS) trial.venue[leg].end('canceled', trial.now);
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
    trial.venue.one.fill(2, trial.now, trial.venue.one.rows[0]);
    for (const leg of LEGS) {
      trial.venue[leg].accept();
      trial.venue[leg].fill(UNITS, trial.now);
    }
    trial.calm();
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([UNITS, UNITS]);
    expect(trial.venue.one.rows.at(-1)).toMatchObject({ side: 'sell', filledAmount: '2' });
  });

  test('of a late fill before its next basket begins, which begins whole', () => {
    const trial = begun();
    for (const leg of LEGS) trial.venue[leg].end('canceled', trial.now);
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
    trial.calm({}, true);
    expect(trial.step({ a: false })).toEqual({});
    trial.venue.two.fill(2, trial.now, trial.venue.two.rows[0]);
    expect(trial.step()).toEqual({ two: 'sell 2 at 95' });
    trial.venue.two.settle(trial.now);
    expect(trial.step()).toEqual(BOTH);
  });

  test('of a late fill beside a basket whose cancels lost to fills, however long after', () => {
    const trial = begun();
    for (const leg of LEGS) trial.venue[leg].end('canceled', trial.now);
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
    for (const leg of LEGS) trial.venue[leg].accept();
    trial.venue.one.fill(UNITS, trial.now);
    expect(trial.step({}, { ticks: 10 })).toEqual({ two: 'cancel' });
    trial.venue.two.fill(UNITS, trial.now);
    trial.calm();
    trial.venue.one.fill(2, trial.now, trial.venue.one.rows[0]);
    expect(trial.step()).toEqual({ one: 'sell 2 at 95' });
    trial.calm();
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([UNITS, UNITS]);
    expect(trial.failures).toEqual([]);
  });

  test('when a redeploy puts another node in the place of a leg', () => {
    const trial = halfFilled();
    const visual = JSON.stringify(basketGraph()).replaceAll('"two"', '"three"');
    trial.redeploy(JSON.parse(visual) as ReturnType<typeof basketGraph>);
    expect(trial.step()).toEqual({ one: SELL });
  });

  test('not by a leg that a redeploy moves to another instrument', () => {
    const trial = new BasketTrial();
    trial.venue.two.units = 50;
    trial.step();
    trial.calm({}, true);
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([UNITS, 60]);
    const swapped = JSON.stringify(basketGraph()).replace(/BTCUSDT|ETHUSDT/g, (token) =>
      token === 'BTCUSDT' ? 'ETHUSDT' : 'BTCUSDT',
    );
    trial.redeploy(JSON.parse(swapped) as ReturnType<typeof basketGraph>);
    for (let tick = 0; tick < 5; tick++) expect(trial.step()).toEqual({});
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
  });

  test('not by what others bought while its legs were switched off', () => {
    const trial = new BasketTrial();
    trial.step();
    trial.calm({}, true);
    const visual = basketGraph();
    const off = visual.nodes.map((node) =>
      node.type === 'leg' ? { ...node, data: { ...node.data, disabled: true } } : node,
    );
    trial.redeploy({ ...visual, nodes: off });
    trial.step();
    trial.venue.one.units += 50;
    trial.redeploy(visual);
    for (let tick = 0; tick < 5; tick++) expect(trial.step()).toEqual({});
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
  });

  test('when the blueprint goes into error while it is bought', () => {
    const trial = halfFilled();
    expect(trial.step({ isHalted: true })).toEqual({ two: 'cancel' });
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step({ isHalted: true })).toEqual({ one: SELL });
  });

  test('when a redeploy cancels the order of a leg', () => {
    const trial = halfFilled();
    trial.redeploy();
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: SELL });
    expect(trial.step({ a: true })).toEqual({});
  });

  test('when a clock jumps back while it is bought', () => {
    const trial = halfFilled();
    expect(trial.step({}, { ticks: -1_000 })).toEqual({ two: 'cancel' });
  });

  test('and sells nothing of what was held before, nor what others have sold', () => {
    const trial = new BasketTrial();
    trial.venue.one.units = 50;
    trial.step();
    for (const leg of LEGS) trial.venue[leg].accept();
    trial.venue.one.fill(UNITS, trial.now);
    trial.venue.two.end('canceled', trial.now);
    trial.venue.one.units -= 4;
    expect(trial.step()).toEqual({ one: 'sell 6 at 95' });
  });

  test('for nothing once the market has settled and the position is gone', () => {
    const trial = halfFilled();
    trial.venue.one.units = 0;
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({});
    trial.calm();
    expect(trial.failures).toEqual([]);
  });
});

const EVENTS = [
  ...['accept', 'accept', 'accept', 'wait for approval', 'deny', 'fill some', 'fill all', 'fill all'],
  ...[
    'lose answer',
    'find',
    'cancel',
    'late fill',
    'expire',
    'turns away',
    'comes back',
    'no quote',
    'quote',
  ],
] as const;
const event = fc.record({ leg: fc.constantFrom(...LEGS), is: fc.constantFrom(...EVENTS) });
const moment = fc.record({
  events: fc.array(event, { maxLength: 3 }),
  a: fc.constantFrom(true, true, true, false, null),
  ticks: fc.integer({ min: 1, max: 6 }),
  isCancelLost: fc.boolean(),
  isRedeployed: fc.constantFrom(false, false, false, false, false, true),
});

function happen(
  trial: BasketTrial,
  { leg, is }: typeof event extends fc.Arbitrary<infer T> ? T : never,
): void {
  const venue = trial.venue[leg];
  const { live } = venue;
  if (is === 'accept') venue.accept();
  if (is === 'wait for approval' && venue.undecided?.side === 'buy') venue.accept('pending');
  if (is === 'deny') venue.deny(trial.now);
  if (is === 'turns away') venue.turn(true);
  if (is === 'comes back') venue.turn(false);
  if (is === 'no quote') trial.missing.add(leg);
  if (is === 'quote') trial.missing.delete(leg);
  if (is === 'late fill' && live === undefined) {
    const last = venue.rows.at(-1);
    if (venue.side === 'buy' && last?.side === 'buy' && last.status !== 'filled')
      venue.fill(2, trial.now, last);
  }
  if (live === undefined || live.status === 'pending') return;
  if (is === 'lose answer') live.status = 'unknown';
  if (is === 'find') live.status = 'open';
  if (is === 'fill some') venue.fill(3, trial.now);
  if (is === 'fill all') venue.fill(UNITS, trial.now);
  if (is === 'cancel' && live.isCanceling && live.status !== 'unknown') venue.end('canceled', trial.now);
  if (is === 'expire') venue.end('expired', trial.now);
}

const side = fc.constantFrom('buy' as const, 'sell' as const);
const SIDES = fc.oneof(fc.constant({ one: 'buy', two: 'buy' } as const), fc.record({ one: side, two: side }));

test('whatever its venue does, a basket ends complete, undone, or reported as failed', () => {
  const ends = { complete: 0, undone: 0, failed: 0 };
  const moments = fc.array(moment, { minLength: 5, maxLength: 40 });
  fc.assert(
    fc.property(moments, SIDES, fc.boolean(), (steps, sides, fillsAll) => {
      const trial = new BasketTrial({}, sides);
      for (const { events, a, ticks, isCancelLost, isRedeployed } of steps) {
        for (const each of events) happen(trial, each);
        if (isRedeployed) {
          trial.redeploy();
          for (const leg of LEGS) trial.venue[leg].end('canceled', trial.now);
        }
        const raised = trial.step({ a }, { ticks, isCancelLost });
        const begun = LEGS.filter((leg) => raised[leg] === `${sides[leg]} ${UNITS} at ${LIMIT}`);
        expect([0, LEGS.length]).toContain(begun.length);
        for (const leg of LEGS) {
          const { undecided, units, traded } = trial.venue[leg];
          if (undecided === null) continue;
          const price = Number(undecided.limitPrice);
          if (undecided.side === 'sell') {
            expect(price).toBeGreaterThanOrEqual(FLOOR);
            expect(Number(undecided.amount)).toBeLessThanOrEqual(units);
          } else if (sides[leg] === 'sell') {
            expect(price).toBeLessThanOrEqual(CEILING);
            expect(Number(undecided.amount)).toBeLessThanOrEqual(traded);
          }
        }
      }
      trial.missing.clear();
      trial.calm({ a: false }, fillsAll);
      // Every basket trades the same of both legs, so the same of both is left.
      const left = LEGS.map((leg) => trial.venue[leg].traded);
      if (trial.failures.length > 0) ends.failed++;
      else if (left[0] === 0) ends.undone++;
      else ends.complete++;
      if (trial.failures.length === 0) expect(left[1]).toBe(left[0]);
    }),
    { numRuns: 600 },
  );
  for (const count of Object.values(ends)) expect(count).toBeGreaterThan(0);
});

describe('the compiler refuses a basket', () => {
  const graph = (legs: Readonly<Record<string, [string, object]>>) => {
    const when = conditionInput('a');
    const nodes = { ...when.nodes, ...numberInput('units'), ...numberInput('price'), ...legs };
    const ports = (leg: string) => [`a -> ${leg}.when`, `units -> ${leg}.amount`, `price -> ${leg}.price`];
    return draw(nodes as Parameters<typeof draw>[0], [...when.edges, ...Object.keys(legs).flatMap(ports)]);
  };
  const codes = (legs: Readonly<Record<string, [string, object]>>) => [
    ...new Set(errorsOf(graph(legs)).map(({ code }) => code)),
  ];

  test('of one leg, and of nine', () => {
    expect(codes({ one: ['leg', legConfig('one')] })).toEqual(['basket_size']);
    const coins = Array.from({ length: 9 }, (_, index) => `COIN${index}USDT`);
    const nine = coins.map((instrument) => [instrument, ['leg', { ...legConfig('one'), instrument }]]);
    expect(codes(Object.fromEntries(nine))).toEqual(['basket_size']);
    expect(codes(Object.fromEntries(nine.slice(1)))).toEqual([]);
  });

  test('with two legs of one instrument, or beside another buy of it', () => {
    expect(codes({ one: ['leg', legConfig('one')], two: ['leg', legConfig('one')] })).toEqual([
      'basket_instrument',
    ]);
    const order = { instrument: 'BTCUSDT', side: 'buy', type: 'limit' };
    expect(
      codes({ one: ['leg', legConfig('one')], two: ['leg', legConfig('two')], other: ['order', order] }),
    ).toEqual(['basket_instrument']);
  });

  test('with a leg that sells beside another sell of its instrument', () => {
    const sale = ['leg', legConfig('one', { side: 'sell' })] as [string, object];
    const legs = { one: sale, two: ['leg', legConfig('two')] as [string, object] };
    expect(codes(legs)).toEqual([]);
    const other = ['order', { instrument: 'BTCUSDT', side: 'sell', type: 'limit' }] as [string, object];
    expect(codes({ ...legs, other })).toEqual(['basket_instrument']);
    const back = ['leg', legConfig('one', { basket: 'back' })] as [string, object];
    const forth = ['leg', legConfig('two', { basket: 'back', side: 'sell' })] as [string, object];
    expect(codes({ ...legs, back, forth })).toEqual([]);
  });

  test('of a list: for each instrument it would be a basket of one', () => {
    const each = (leg: LegName) => ({ ...legConfig(leg), instrument: { parameter: 'coins' } });
    for (const two of [each('two'), legConfig('two')]) {
      const visual = graph({ one: ['leg', each('one')], two: ['leg', two] });
      const parameters = { coins: { value: ['BTCUSDT', 'SOLUSDT'] } };
      expect(JSON.stringify(errorsOf({ ...visual, parameters }))).toContain(
        'Draw a leg for each instrument.',
      );
    }
  });

  test('of which one leg is switched off, but not one that is off as a whole', () => {
    const visual = basketGraph();
    const off = (ids: readonly string[]) => ({
      ...visual,
      nodes: visual.nodes.map((node) =>
        ids.includes(node.id) ? { ...node, data: { ...node.data, disabled: true } } : node,
      ),
    });
    expect(errorsOf(off(['one'])).map(({ code }) => code)).toEqual(['basket_size']);
    expect(errorsOf(off(['one', 'two']))).toEqual([]);
  });
});
