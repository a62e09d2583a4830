import { describe, expect, test } from 'vitest';
import {
  copiesWords,
  copyStatesOf,
  graphNodeOf,
  statesByNode,
} from '../../web/src/editor/drawing/list-states.ts';
import type { NodeState } from '../../web/src/live/events.ts';

const state = (status: NodeState['status'], value: NodeState['value'], firedCount = 0): NodeState => ({
  status,
  value,
  firedCount,
  updatedAt: 0,
});
const IDS = new Set(['a', 'a/b', 'best', 'buy']);
const STATES = {
  a: state('ok', 1),
  'a/b': state('ok', 2),
  'a/b/BTCUSDT': state('ok', 5),
  'best/BTCUSDT': state('ok', false),
  'best/KX-1:yes': state('ok', true),
  'buy/BTCUSDT': state('idle', null, 2),
  'buy/KX-1:yes': state('blocked', null, 1),
  unknown: state('ok', 1),
};

describe('states of a node that runs once for each instrument', () => {
  const copies = copyStatesOf(IDS, STATES);

  test('belong to the node in the graph, also if its id has a slash', () => {
    expect([...copies].map(([id, found]) => [id, found.map(({ name }) => name)])).toEqual([
      ['a/b', ['BTCUSDT']],
      ['best', ['BTCUSDT', 'KX-1:yes']],
      ['buy', ['BTCUSDT', 'KX-1:yes']],
    ]);
    expect(['buy/BTCUSDT', 'a/b', '/a', 'x/BTCUSDT'].map((id) => graphNodeOf(IDS, id))).toEqual([
      'buy',
      'a/b',
      null,
      null,
    ]);
  });

  test('are one state on the canvas: the most urgent, true if any is, with all its firings', () => {
    const { a, best, buy } = statesByNode(STATES, copies);
    expect([a, best, buy]).toMatchObject([
      { value: 1 },
      { status: 'ok', value: true },
      { status: 'blocked', value: null, firedCount: 3 },
    ]);
    expect(Object.keys(statesByNode(STATES, copies)).sort()).toEqual(['a', 'a/b', 'best', 'buy', 'unknown']);
  });

  test('a node has no state before the service states one, also if its id is a name that every object knows', () => {
    const states = statesByNode({}, new Map());
    for (const id of ['constructor', '__proto__', 'toString']) expect(states[id]).toBeUndefined();
  });

  test('are named on a card by the instruments of which they are true', () => {
    expect(copiesWords(copies.get('best') ?? [])).toBe('true for KX-1:yes');
    expect(copiesWords([{ name: 'BTCUSDT', state: state('ok', false) }])).toBe('true for none');
    expect(copiesWords(copies.get('a/b') ?? [])).toBe('1 instrument');
  });
});
