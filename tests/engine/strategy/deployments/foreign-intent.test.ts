import { describe, expect, test } from 'vitest';
import { findForeignIntent } from '../../../../engine/strategy/deployments/foreign-intent.ts';
import type { Memory, NodeMemory } from '../../../../engine/strategy/graph/types.ts';

const NOW = Date.UTC(2026, 0, 1);

const remembering = (nodes: Record<string, NodeMemory>): Memory => ({ startedAt: NOW, candles: {}, nodes });
const raisedBy = (...nodeIds: string[]) => nodeIds.map((nodeId) => ({ nodeId, stepAt: NOW }));

describe('an intent of a step is its deployment’s own', () => {
  test('if its node counted it in the same step, also the first time', () => {
    const once = remembering({ buy: { n: 1, at: NOW } });
    expect(findForeignIntent(null, once, raisedBy('buy'))).toBeNull();
    expect(
      findForeignIntent(once, remembering({ buy: { n: 3, at: NOW } }), raisedBy('buy', 'buy')),
    ).toBeNull();
    expect(findForeignIntent(once, once, [])).toBeNull();
  });

  test('if fewer are left than were fired: a step that fails keeps its sells only', () => {
    const after = remembering({ buy: { n: 1, at: NOW }, sell: { n: 1, at: NOW } });
    expect(findForeignIntent(null, after, raisedBy('sell'))).toBeNull();
  });
});

describe('an intent of a step comes from another source', () => {
  test('if its node has stored nothing new', () => {
    const fired = remembering({ buy: { n: 4, at: NOW } });
    expect(findForeignIntent(fired, fired, raisedBy('buy'))).toEqual({ nodeId: 'buy', raised: 1, fired: 0 });
    const moved = remembering({ buy: { n: 4, at: NOW, last: true } });
    expect(findForeignIntent(fired, moved, raisedBy('buy'))).toEqual({ nodeId: 'buy', raised: 1, fired: 0 });
  });

  test('if its node fired less often than it raised', () => {
    const after = remembering({ buy: { n: 1, at: NOW }, say: { n: 1, at: NOW } });
    expect(findForeignIntent(null, after, raisedBy('say', 'buy', 'buy'))).toEqual({
      nodeId: 'buy',
      raised: 2,
      fired: 1,
    });
  });

  test('if its node fired at another instant', () => {
    const after = remembering({ buy: { n: 1, at: NOW - 2_000 } });
    expect(findForeignIntent(null, after, raisedBy('buy'))).toEqual({ nodeId: 'buy', raised: 1, fired: 1 });
  });

  test('if its node is not in the deployment, or has no count', () => {
    const after = remembering({ other: { n: 1, at: NOW }, odd: { n: '1', at: NOW } });
    expect(findForeignIntent(null, after, raisedBy('buy'))).toEqual({ nodeId: 'buy', raised: 1, fired: 0 });
    expect(findForeignIntent(null, after, raisedBy('odd'))).toEqual({ nodeId: 'odd', raised: 1, fired: 0 });
  });
});
