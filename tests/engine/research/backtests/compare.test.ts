import { expect, test } from 'vitest';
import { incomparableOf, requestDifferences } from '../../../../engine/research/backtests/compare.ts';
import { graphDifference } from '../../../../engine/research/backtests/graph-difference.ts';
import type { CoveredSeries } from '../../../../engine/research/backtests/row.ts';
import { REQUEST } from '../../../support/backtests.ts';

const covered = (hash: string): CoveredSeries => ({
  venue: 'crypto',
  tokenId: 'BTCUSDT',
  kind: 'candle',
  resolutionMs: 60_000,
  from: null,
  to: null,
  rows: 1,
  gaps: 0,
  hash,
  source: 'simulator',
});
const run = (request = {}, hash = 'x', status: 'done' | 'running' = 'done') => ({
  request: { ...REQUEST, ...request },
  coverage: [covered(hash)],
  status,
});

test('row 53: runs of another range, cash, data or fees, or that have not ended, are not compared, with the reason', () => {
  expect(incomparableOf([run(), run()])).toEqual([]);
  expect(incomparableOf([run(), run({ to: '2026-09-20T00:00:00.000Z' })])).toEqual(['other_range']);
  expect(incomparableOf([run(), run({ cash: '10000.00' })])).toEqual([]);
  expect(incomparableOf([run(), run({ cash: '5000' })])).toEqual(['other_cash']);
  expect(incomparableOf([run(), run({}, 'y')])).toEqual(['other_data']);
  expect(incomparableOf([run(), run({ fees: 'none' }), run({}, 'x', 'running')])).toEqual([
    'other_fees',
    'unfinished',
  ]);
});

test('differences of requests are named by their path, with the value of each', () => {
  const other = {
    ...REQUEST,
    fills: { ...REQUEST.fills, latencyMs: 0 },
    risk: { ...REQUEST.risk, rules: { maxOrderSize: 5 } },
  };
  expect(requestDifferences([REQUEST, REQUEST])).toEqual([]);
  expect(requestDifferences([REQUEST, other])).toEqual([
    { path: '/fills/latencyMs', values: [2_000, 0] },
    { path: '/risk/rules', values: ['account', undefined] },
    { path: '/risk/rules/maxOrderSize', values: [undefined, 5] },
  ]);
});

test('graphs differ by nodes and edges, not by positions on the canvas', () => {
  const node = (id: string, config: object, x = 0) => ({
    id,
    type: 'constant',
    position: { x, y: 0 },
    data: { config },
  });
  const before = {
    nodes: [node('a', { value: 1 }), node('b', { value: 2 })],
    edges: [{ source: 'a', target: 'b', targetHandle: 'in' }],
  };
  const after = { nodes: [node('a', { value: 3 }, 90), node('c', {})], edges: [] };
  expect(graphDifference(before, before)).toEqual({
    added: [],
    removed: [],
    changed: [],
    edgesAdded: [],
    edgesRemoved: [],
  });
  expect(graphDifference(before, after)).toEqual({
    added: ['c'],
    removed: ['b'],
    changed: ['a'],
    edgesAdded: [],
    edgesRemoved: ['a → b.in'],
  });
  for (const odd of [null, 'x', 5, { nodes: 'no' }, { nodes: [null, 1] }])
    expect(graphDifference(odd, odd)).toMatchObject({ added: [], changed: [] });
});
