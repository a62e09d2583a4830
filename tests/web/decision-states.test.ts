import { expect, test } from 'vitest';
import { decisionStates } from '../../web/src/pages/blueprints/detail/trading/decision-states.ts';

test('an order says what each node before it said, and nothing of others', () => {
  const createdAt = '2026-11-28T12:00:00.000Z';
  const atMs = Date.parse(createdAt);
  const inputs = [
    { nodeId: 'exit', name: 'bid', value: 99, asOf: atMs },
    { nodeId: 'above', name: 'out', value: true, asOf: atMs - 1 },
    { nodeId: 'level', name: 'out', value: 60_000, asOf: null },
    { nodeId: 'slow', name: 'out', value: null, asOf: null },
  ];
  expect(decisionStates({ nodeId: 'buy', inputs: { inputs }, createdAt })).toEqual({
    above: { status: 'ok', value: true, updatedAt: atMs - 1, firedCount: 0 },
    level: { status: 'ok', value: 60_000, updatedAt: atMs, firedCount: 0 },
    slow: { status: 'waiting', value: null, updatedAt: atMs, firedCount: 0 },
    buy: { status: 'fired', value: null, updatedAt: atMs, lastFiredAt: atMs, firedCount: 1 },
  });
  expect(decisionStates({ nodeId: null, inputs: null, createdAt })).toEqual({});
});
