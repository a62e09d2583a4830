import { expect, test } from 'vitest';
import { type Brokers, brokersByMode, keyOf } from '../../../../engine/trading/orders/execution/brokers.ts';
import { tradedInstrumentOf } from '../../../../engine/trading/orders/execution/traded-instrument.ts';
import { ScriptedBroker } from '../../../support/scripted-broker.ts';
import { INSTRUMENT, NOW } from './market.ts';

const books = (mode: 'paper' | 'live') => ({ accountId: 'a', mode });

test('an order goes to the broker of its mode, books, venue and connection', () => {
  const calls: unknown[] = [];
  const broker = new ScriptedBroker(() => NOW);
  const trading = (name: string): Brokers => ({
    of: (...order) => {
      calls.push([name, ...order]);
      return broker;
    },
  });
  const brokers = brokersByMode({ paper: trading('paper'), live: trading('live') });
  expect(brokers.of(books('live'), 'venue-a', 'c-1')).toBe(broker);
  expect(brokers.of(books('paper'), 'crypto', null)).toBe(broker);
  expect(calls).toEqual([
    ['live', books('live'), 'venue-a', 'c-1'],
    ['paper', books('paper'), 'crypto', null],
  ]);
  expect(() => brokersByMode({ paper: trading('paper') }).of(books('live'), 'venue-a', 'c-1')).toThrow(
    'No broker trades live orders in this process.',
  );
});

test('the connections that are held are those of live mode', () => {
  const none: Brokers = { of: () => new ScriptedBroker(() => NOW) };
  const held = {
    isLiveOn: true,
    ids: () => [],
    epochOf: () => null,
    comparedFrom: () => null,
    isPaused: () => false,
  };
  expect(brokersByMode({ live: { ...none, held } }).held).toBe(held);
  expect(brokersByMode({ paper: { ...none, held }, live: none })).not.toHaveProperty('held');
  expect(brokersByMode({ paper: none })).not.toHaveProperty('held');
});

test('an order is known to a broker by its books and its id', () => {
  expect(keyOf({ ...books('live') }, 'o-1')).toEqual({ accountId: 'a', mode: 'live', id: 'o-1' });
});

test("an instrument is sent to brokers in plain decimals, with its venue's terms and nothing else", () => {
  const stored = {
    ...INSTRUMENT,
    tick_size: '0.010000000000',
    price_ranges: [{ start: '0', end: '1', step: '0.01' }],
    min_notional: '5.000000000000',
  };
  expect(tradedInstrumentOf({ ...stored, outcome: null })).toEqual({
    tokenId: 'KXTEST:yes',
    venue: 'venue-a',
    kind: 'outcome',
    market: 'KXTEST',
    outcome: '',
    tickSize: '0.01',
    priceRanges: [{ start: '0', end: '1', step: '0.01' }],
    stepSize: '1',
    minSize: '1',
    minNotional: '5',
    feeSchedule: INSTRUMENT.fee_schedule,
    status: 'open',
  });
  expect(tradedInstrumentOf({ ...stored, contract: '0xabc' })).toMatchObject({
    outcome: 'yes',
    contract: '0xabc',
  });
});
