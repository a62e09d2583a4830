import { expect, test } from 'vitest';
import { backtestDataNeedsOf } from '../../../../engine/research/backtests/backtest-data-needs.ts';
import { EVALUATIONS_MAX } from '../../../../engine/research/playback/request.ts';
import { refuseTooMany } from '../../../../engine/research/playback/run-backtest.ts';
import { crossingGraph, graphFrom, requestOf } from '../../../support/backtest.ts';

const DAY = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' };
const still = crossingGraph(10, 30, 1);
const guarded = {
  nodes: [...still.nodes, ...graphFrom([['exit', 'exit', { instrument: 'BTCUSDT', stopLoss: 0.01 }]]).nodes],
  edges: still.edges,
};

test('a run needs as many evaluations as closes, or as prices if they step it, on each of its accounts', () => {
  const count = (visual: unknown, data = {}) =>
    backtestDataNeedsOf(requestOf(DAY, { data }), visual).evaluations;
  expect(count(still)).toBe(288);
  expect(count(guarded)).toBe(1_440);
  expect(count(guarded, { detail: '1s' })).toBe(86_400);
  expect(count(still, { detail: '1s' })).toBe(288);
  expect(count(still, { substitute: { BTCUSDT: ['ETHUSDT', 'SOLUSDT'] } })).toBe(576);
});

test('for a contract the kind of prices of its venue is read', () => {
  const priced = (instrument: string) => {
    const visual = graphFrom([['price', 'market.price', { instrument, field: 'bid' }]]);
    return backtestDataNeedsOf(requestOf(DAY), visual).series.map(({ key }) => [key.kind, key.resolutionMs]);
  };
  expect(priced('KXBTC-26DEC31:yes')).toEqual([['bid_ask', 60_000]]);
  expect(priced('123456789012345678901234567890')).toEqual([['midpoint', 60_000]]);
});

test('a run that needs more evaluations than allowed ends as too large', () => {
  expect(() => refuseTooMany(EVALUATIONS_MAX)).not.toThrow();
  expect(() => refuseTooMany(EVALUATIONS_MAX + 1)).toThrow(expect.objectContaining({ code: 'too_large' }));
});

test('for a traded coin its minutes are read beside recorded quotes, unless they are read anyway', () => {
  const minutes = (visual: unknown, data = {}) =>
    backtestDataNeedsOf(requestOf(DAY, { data }), visual).minutes.map(({ key }) => [
      key.tokenId,
      key.resolutionMs,
    ]);
  expect(minutes(still)).toEqual([['BTCUSDT', 60_000]]);
  expect(minutes(still, { source: 'bars' })).toEqual([]);
  expect(minutes(guarded)).toEqual([]);
  expect(minutes(graphFrom([['sell', 'close', { instrument: 'KXBTC-26DEC31:yes' }]]))).toEqual([]);
});
