import { expect, test } from 'vitest';
import { filterSearchGroups } from '../../web/src/shell/filter-search-groups.ts';
import { actionsFor, offersFor } from '../../web/src/shell/strategy-actions.ts';

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
