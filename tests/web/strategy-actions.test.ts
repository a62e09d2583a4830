import { expect, test } from 'vitest';
import { filterSearchGroups } from '../../web/src/shell/filter-search-groups.ts';
import { actionsFor, offersFor, suggestionsFor } from '../../web/src/shell/strategy-actions.ts';

const STRATEGIES = [
  { name: 'Fed-cut momentum', status: 'running' },
  { name: 'Momentum on candles', status: 'draft' },
];
const found = (typed: string) =>
  actionsFor(typed, STRATEGIES).map(({ verb, strategy }) => `${verb.id} ${strategy.name}`);

test('the search offers an action for a verb before or after a name, by any of its words, if it is possible', () => {
  expect(found('stop fed')).toEqual(['stop Fed-cut momentum']);
  expect(found('momentum stop')).toEqual(['stop Fed-cut momentum']);
  expect(found('start momentum')).toEqual(['deploy Momentum on candles']);
  expect(found('candles backtest')).toEqual(['backtest Momentum on candles']);
  expect(found('backtest')).toHaveLength(2);
  expect(found('momentum')).toEqual([]);
  expect(found('s')).toEqual([]);
});

test('a name alone offers what can be done with the strategies that have it', () => {
  const offered = (typed: string) =>
    offersFor(typed, STRATEGIES).map(({ verb, strategy }) => `${verb.id} ${strategy.name}`);
  expect(offered('candles')).toEqual(['deploy Momentum on candles', 'backtest Momentum on candles']);
  expect(offered('fed')).toEqual(['stop Fed-cut momentum', 'backtest Fed-cut momentum']);
  expect(offered('momentum')).toHaveLength(4);
  expect(offered('m')).toEqual([]);
  expect(offered('')).toEqual([]);
});

test('before a word is typed, the open strategy comes first, else the newest that does not run', () => {
  const strategies = [
    { id: 'a', name: 'Old draft', status: 'draft', updatedAt: '2026-11-20T00:00:00.000Z' },
    { id: 'b', name: 'New draft', status: 'draft', updatedAt: '2026-11-21T00:00:00.000Z' },
    { id: 'c', name: 'Runs', status: 'running', updatedAt: '2026-11-22T00:00:00.000Z' },
  ];
  const suggested = (openId?: string) =>
    suggestionsFor(strategies, openId).map(({ verb, strategy }) => `${verb.id} ${strategy.name}`);
  expect(suggested()).toEqual(['deploy New draft', 'backtest New draft']);
  expect(suggested('c')).toEqual(['stop Runs', 'backtest Runs']);
  expect(suggested('gone')).toEqual([]);
  expect(suggestionsFor([], undefined)).toEqual([]);
});

test('words match in any order, also in other names of an entry', () => {
  const groups = [
    {
      group: 'Actions',
      actions: [{ label: 'Switch light and dark', keywords: 'theme' }, { label: 'New strategy' }],
    },
  ];
  const labels = (typed: string) => filterSearchGroups(typed, groups, '').flatMap(({ actions }) => actions);
  expect(labels('dark switch')).toMatchObject([{ label: 'Switch light and dark' }]);
  expect(labels('theme')).toMatchObject([{ label: 'Switch light and dark' }]);
  expect(labels('theme new')).toEqual([]);
});
