import { describe, expect, test } from 'vitest';
import {
  BasketTrial,
  begun,
  CEILING,
  halfFilled,
  LEGS,
  LIMIT,
  legConfig,
  type Sides,
  STOCK,
  UNITS,
} from './basket-venue.ts';
import {
  conditionInput,
  draw,
  facts,
  held,
  numberInput,
  Player,
  quote,
  signals,
  T0,
} from './graph-fixtures.ts';

const SWAP: Sides = { one: 'sell', two: 'buy' };
const SALE = { one: 'sell 10 at 100', two: 'buy 10 at 100' };
const BUY_BACK = 'buy 10 at 105';

describe('a leg that sells', () => {
  test('begins with a leg that buys, and completes its basket', () => {
    const trial = halfFilled({}, SWAP);
    trial.venue.two.fill(UNITS, trial.now);
    expect(trial.step()).toEqual({});
    expect(LEGS.map((leg) => trial.stateOf(leg).reason?.code)).toEqual([
      'basket_complete',
      'basket_complete',
    ]);
    trial.calm();
    expect(LEGS.map((leg) => trial.venue[leg].units)).toEqual([STOCK - UNITS, UNITS]);
  });

  test('states with its order the highest price of its undo, and what the basket can lose', () => {
    const trial = new BasketTrial({}, SWAP);
    expect(trial.step()).toEqual(SALE);
    const { inputs = [] } = trial.evaluation?.intents.find(({ nodeId }) => nodeId === 'one') ?? {};
    const facts = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
    expect(facts).toMatchObject({ undoCeiling: String(CEILING), undoLoss: '100' });
  });

  test('begins only with its whole amount, so that a basket keeps its proportions', () => {
    const trial = new BasketTrial({}, SWAP);
    trial.venue.one.units = UNITS - 1;
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('one').reason?.code).toBe('nothing_to_sell');
    expect(trial.stateOf('two').reason?.code).toBe('other_leg');
    trial.venue.one.units = UNITS;
    expect(trial.step()).toEqual(SALE);
  });

  test('sells all that is held, also off the step of its venue', () => {
    const trial = new BasketTrial({}, SWAP);
    trial.venue.one.units = 10.4;
    expect(trial.step({ units: 10.4 })).toEqual({ one: 'sell 10.4 at 100', two: 'buy 10 at 100' });
  });

  test('buys back what it sold when the other leg fails, as an order that passes rules and approvals', () => {
    const trial = halfFilled({}, SWAP);
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: BUY_BACK });
    expect(trial.evaluation?.intents[0]).toMatchObject({ origin: 'order', timeInForce: 'ioc' });
    trial.calm();
    expect([trial.venue.one.units, trial.failures]).toEqual([STOCK, []]);
    expect(trial.stateOf('one').reason?.code).toBe('undone');
  });

  test('waits for an ask that is not above its highest price', () => {
    const trial = halfFilled({}, SWAP);
    trial.venue.one.turn(true);
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('one').reason?.code).toBe('ask_above_ceiling');
    trial.venue.one.bid = CEILING - 1;
    expect(trial.step()).toEqual({ one: BUY_BACK });
  });

  test('that cannot buy back fails once, and withdraws a buy that waits for approval', () => {
    const trial = halfFilled({}, SWAP);
    trial.venue.two.end('canceled', trial.now);
    trial.step();
    trial.venue.one.accept('pending');
    let raised: Record<string, string> = {};
    for (let tick = 0; tick < 30; tick++) raised = { ...raised, ...trial.step() };
    expect(raised).toEqual({ one: 'cancel' });
    expect(trial.failures).toEqual(['one']);
    trial.venue.one.end('canceled', trial.now);
    expect(trial.step({ isHalted: true })).toEqual({});
    expect(trial.stateOf('one')).toMatchObject({ status: 'error', reason: { code: 'undo_failed' } });
    // Deployed again, it trades what is left.
    trial.step({ a: false });
    expect(trial.step()).toEqual(SALE);
  });

  test('buys back nothing that a person has sold: neither beside its order, nor after its basket', () => {
    const trial = begun({}, SWAP);
    trial.venue.one.fill(4, trial.now);
    trial.venue.one.units -= 100;
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: 'cancel' });
    trial.venue.one.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: 'buy 4 at 105' });
    trial.calm();
    expect(trial.venue.one.units).toBe(STOCK - 100);
    trial.venue.one.units -= 200;
    trial.calm();
    expect([trial.venue.one.units, trial.failures]).toEqual([STOCK - 300, []]);
    trial.step({ a: false });
    trial.step();
    trial.calm({}, true);
    trial.venue.one.units -= 50;
    trial.calm();
    expect(trial.venue.one.units).toBe(STOCK - 350 - UNITS);
  });
});

describe('two baskets that trade the same instruments the other way', () => {
  const forth = conditionInput('a');
  const graph = draw(
    {
      ...forth.nodes,
      ...numberInput('units'),
      ...numberInput('price'),
      in1: ['leg', legConfig('one', { basket: 'in' })],
      in2: ['leg', legConfig('two', { basket: 'in' })],
      out1: ['leg', legConfig('one', { basket: 'out', side: 'sell' })],
      out2: ['leg', legConfig('two', { basket: 'out', side: 'sell' })],
    },
    [
      ...forth.edges,
      ...['in1', 'in2', 'out1', 'out2'].flatMap((leg) => [
        `a -> ${leg}.when`,
        `units -> ${leg}.amount`,
        `price -> ${leg}.price`,
      ]),
    ],
  );
  const tokens = ['BTCUSDT', 'ETHUSDT'];
  const seen = (stock: number, now: number) =>
    signals({ a: true, units: UNITS, price: LIMIT }, now, {
      quotes: new Map(tokens.map((token) => [token, quote({ bid: 99, ask: 100, asOf: now })])),
      instruments: new Map(tokens.map((token) => [token, facts(token, { stepSize: '1', minSize: '1' })])),
      positions: new Map(stock === 0 ? [] : tokens.map((token) => [token, held(String(stock))])),
    });

  test('do not begin in the same step, nor beside each other', () => {
    const player = new Player(graph);
    const first = player.at(T0, seen(STOCK, T0));
    expect(first.intents.map(({ nodeId }) => nodeId)).toEqual(['in1', 'in2']);
    const second = player.at(T0 + 2_000, seen(STOCK, T0 + 2_000));
    expect(second.intents).toEqual([]);
  });
});
