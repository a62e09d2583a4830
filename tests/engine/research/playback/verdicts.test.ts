import { expect, test } from 'vitest';
import type { History } from '../../../../engine/history/series.ts';
import {
  buyAtMarket,
  CLOSE,
  coin,
  contract,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, coinHistory, flat } from '../../../support/bars.ts';
import { minuteHistory } from '../../../support/contracts.ts';

const T = Date.UTC(2026, 0, 5);
const YES = 'KXTEST-26:yes';

/** Buys one coin at each rise of the close above 99. */
const buyer = graphFrom([
  CLOSE,
  ['level', 'constant', { value: 99 }],
  ['high', 'compare', { op: 'gt' }, { a: 'close', b: 'level' }],
  ['amount', 'constant', { value: 1 }],
  buyAtMarket({ when: 'high', amount: 'amount' }),
]);
const bars = [99, 100, 99, 100, 100].map((price) => flat(price));
const span = { from: iso(T), to: iso(T + bars.length * BAR_MS) };

const played = (patch: Parameters<typeof requestOf>[1] = {}, facts = [factFromStart(FREE_COIN)]) =>
  run(
    inputOf(requestOf(span, patch), {
      visual: buyer,
      facts,
      histories: [coinHistory(T, BAR_MS, bars)],
    }),
  );
const codesOf = ({ summary }: ReturnType<typeof run>, severity: string) =>
  summary.verdicts.filter((verdict) => verdict.severity === severity).map(({ code }) => code);

test('a run without fees or without latency is warned of, and one with a free venue or one millisecond is not', () => {
  expect(codesOf(played({ fees: 'none' }), 'danger')).toEqual(['no_fees']);
  expect(codesOf(played({ fills: { latencyMs: 0 } }), 'danger')).toEqual(['no_latency']);
  expect(codesOf(played({ fills: { latencyMs: 1 } }), 'danger')).toEqual([]);
});

/** Reads a price of a contract, or a measure of its book. */
const readerOf = (type: string, config: object) =>
  graphFrom([
    ['read', type, { instrument: YES, ...config }],
    ['level', 'constant', { value: 0.9 }],
    ['high', 'compare', { op: 'gt' }, { a: 'read', b: 'level' }],
    ['say', 'notify', { text: 'high' }, { when: 'high' }],
  ]);
const read = (history: History, visual = readerOf('market.price', { field: 'ask' })) =>
  run(inputOf(requestOf(span), { visual, facts: [factFromStart(contract(YES))], histories: [history] }));
const minutes = Array.from({ length: 25 }, () => 0.4);
const midpoints = minuteHistory(YES, T, 'midpoint', { price: minutes });
const sides = ['Open', 'High', 'Low', 'Close'].flatMap((name) => [`bid${name}`, `ask${name}`]);
const quoted = minuteHistory(
  YES,
  T,
  'bid_ask',
  Object.fromEntries([...sides, 'volume', 'openInterest'].map((name) => [name, minutes])),
);

test('prices that are estimated from midpoints are warned of, and bids and asks are not', () => {
  expect(codesOf(read(midpoints), 'danger')).toEqual(['midpoints_only']);
  expect(codesOf(read(quoted), 'danger')).toEqual([]);
});

test('a graph that reads order books is warned that there were none, and one that reads prices is not', () => {
  const spread = readerOf('market.book', { measure: 'spread' });
  expect(codesOf(read(quoted, spread), 'warning')).toEqual(['no_books']);
  expect(codesOf(read(quoted), 'warning')).toEqual([]);
});

test('a blueprint that failed on the way says so and stops buying, and one that ran on does neither', () => {
  const whole = played();
  expect(codesOf(whole, 'danger')).toEqual([]);
  expect(whole.fills).toHaveLength(2);
  // From then on the venue states a step that is no number.
  const broken = { fromMs: T + 2.5 * BAR_MS, instrument: coin({ step_size: 'unknown' }) };
  const failed = played({}, [factFromStart(FREE_COIN), broken]);
  expect(codesOf(failed, 'danger')).toEqual(['blueprint_failed']);
  expect(failed.fills).toHaveLength(1);
  expect(failed.log).toMatchObject([
    {
      code: 'blueprint_failed',
      at: iso(T + 4 * BAR_MS),
      message: expect.stringContaining('Node buy failed'),
    },
  ]);
});
