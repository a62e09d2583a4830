import { describe, expect, test } from 'vitest';
import { BasketTrial, BOTH, begun, FLOOR, halfFilled, LEGS, LIMIT, SELL, UNITS } from './basket-venue.ts';

describe('an undo that cannot sell', () => {
  const stuck = (): BasketTrial => {
    const trial = halfFilled();
    trial.venue.one.bid = FLOOR - 1;
    trial.venue.two.end('canceled', trial.now);
    return trial;
  };

  test('waits for a bid that is not below its lowest price', () => {
    const trial = stuck();
    expect(trial.step()).toEqual({});
    expect(trial.stateOf('one').reason?.code).toBe('bid_below_floor');
    trial.venue.one.bid = FLOOR;
    expect(trial.step()).toEqual({ one: SELL });
  });

  test('raises a bounded number of orders, each only after the last has ended', () => {
    const trial = halfFilled();
    trial.venue.two.end('canceled', trial.now);
    let sells = 0;
    for (let tick = 0; tick < 200; tick++) {
      sells += Object.values(trial.step()).filter((act) => act.startsWith('sell')).length;
      trial.venue.one.deny(trial.now);
    }
    expect(sells).toBeGreaterThan(5);
    expect(sells).toBeLessThanOrEqual(60 / 4);
    expect(trial.failures).toEqual(['one']);
  });

  test('puts the blueprint into error once, and tries no further', () => {
    const trial = stuck();
    trial.calm();
    expect(trial.failures).toEqual(['one']);
    expect(trial.stateOf('one')).toMatchObject({ status: 'error', reason: { code: 'undo_failed' } });
    trial.venue.one.bid = LIMIT;
    for (let tick = 0; tick < 100; tick++) expect(trial.step({ isHalted: true })).toEqual({});
  });

  test('also while a venue does not say what became of an order', () => {
    const trial = halfFilled();
    for (const row of trial.venue.two.rows) row.status = 'unknown';
    for (let tick = 0; tick < 60; tick++) {
      const raised = trial.step();
      expect(Object.values(raised).every((act) => act === 'cancel')).toBe(true);
    }
    expect(trial.failures).toEqual(['one']);
  });

  test('of units too few for the venue is over', () => {
    const trial = begun();
    trial.venue.one.fill(0.4, trial.now);
    for (const leg of LEGS) trial.venue[leg].end('canceled', trial.now);
    trial.calm();
    expect([trial.stateOf('one').reason?.code, trial.failures]).toEqual(['undone', []]);
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
  });

  test('of units that a fee has left off the step is over once the rest is sold', () => {
    const trial = new BasketTrial();
    trial.venue.one.units = 50.5;
    trial.step();
    for (const leg of LEGS) trial.venue[leg].accept();
    trial.venue.one.fill(UNITS, trial.now);
    trial.venue.one.units -= 0.1;
    trial.venue.two.end('canceled', trial.now);
    expect(trial.step()).toEqual({ one: 'sell 9 at 95' });
    trial.calm();
    expect([trial.venue.one.units, trial.failures]).toEqual([51.4, []]);
  });

  test('is none of dust that was not seen before a basket, and is beside it when it is complete', () => {
    const trial = halfFilled();
    trial.venue.one.units += 0.4;
    trial.venue.two.fill(UNITS, trial.now);
    trial.calm();
    expect(trial.stateOf('one').reason?.code).toBe('basket_complete');
    expect(trial.failures).toEqual([]);
  });

  test('is over when what it held was sold by hand', () => {
    const trial = stuck();
    trial.calm();
    trial.venue.one.units = 0;
    trial.step();
    expect(trial.stateOf('one').status).toBe('ok');
    trial.step({ a: false });
    expect(trial.step()).toEqual(BOTH);
  });
});
