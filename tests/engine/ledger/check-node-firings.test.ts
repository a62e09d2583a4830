import { describe, expect, test } from 'vitest';
import { checkNodeFirings, provenFiringsOf } from '../../../engine/ledger/orders/check-node-firings.ts';
import type { NodeOrdersRow } from '../../../engine/ledger/rows.ts';

const row = (over: Partial<NodeOrdersRow> = {}): NodeOrdersRow => ({
  accountId: 'a',
  mode: 'paper',
  deploymentId: 'd',
  nodeId: 'buy',
  orders: 1,
  live: 0,
  counted: 1,
  isRemembered: true,
  isSettled: true,
  ...over,
});

function found(...rows: NodeOrdersRow[]): string[] {
  const all: string[] = [];
  checkNodeFirings(rows, (...difference) => void all.push(difference.join(' | ')));
  return all;
}

describe('orders of a node', () => {
  test('agree with as many firings, or more: a fired intent may be refused, or thinned out', () => {
    expect(found(row(), row({ counted: 5 }), row({ orders: 0, counted: null }))).toEqual([]);
  });

  test('are reported with both numbers if its deployment fired less', () => {
    expect(found(row({ orders: 6 }))).toEqual([
      'deployment | d | orders of node buy | 1 at most, as it fired | 6',
    ]);
    expect(found(row({ counted: null }))).toEqual([
      'deployment | d | orders of node buy | 0 at most, as it fired | 1',
    ]);
  });

  test('are reported if two are live: a node waits for its own', () => {
    expect(found(row({ orders: 2, counted: 2, live: 1 }))).toEqual([]);
    expect(found(row({ orders: 2, counted: 2, live: 2 }))).toEqual([
      'deployment | d | live orders of node buy | 1 at most | 2',
    ]);
  });
});

describe('firings', () => {
  test('are none if the memory holds the node without a count, whatever happened to the deployment', () => {
    expect(provenFiringsOf(row({ counted: null, isSettled: false }))).toBe(0);
    expect(provenFiringsOf(row({ counted: 'odd', isSettled: false }))).toBe(0);
  });

  test('are none if a running deployment has never stored the node', () => {
    expect(provenFiringsOf(row({ counted: null, isRemembered: false }))).toBe(0);
  });

  test('are unknown, and nothing is reported, if exits may have replaced the memory', () => {
    const unknown = row({ counted: null, isRemembered: false, isSettled: false, orders: 9 });
    expect(provenFiringsOf(unknown)).toBeNull();
    expect(found(unknown)).toEqual([]);
  });
});
