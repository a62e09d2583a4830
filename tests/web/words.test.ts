import { expect, test } from 'vitest';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { templateGraph } from '../../engine/strategy/graph/templates/graphs.ts';
import { describeActions, strategyPartsOf } from '../../web/src/editor/drawing/describe-actions.ts';
import { insertOnEdge } from '../../web/src/editor/drawing/insert.ts';
import { readGraph } from '../../web/src/editor/drawing/json.ts';
import { catalogueOf } from '../../web/src/editor/drawing/model.ts';
import { fieldsOf, startingConfig } from '../../web/src/editor/drawing/settings-schema.ts';
import {
  issueWords,
  settingHelp,
  settingTitleOf,
  settingWords,
  titleAndUnitOf,
  withSettings,
} from '../../web/src/editor/drawing/words.ts';
import { withLocalTimes } from '../../web/src/format/time.ts';

test('settings are named in words, and lists of choices as people write them', () => {
  expect(settingTitleOf('maxAgeSec')).toBe('Max. quote age (s)');
  expect(settingTitleOf('ifTrueAtDeploy')).toBe('If already true at deploy');
  expect(settingTitleOf('takeProfit')).toBe('Take profit');
  expect(settingWords('op', 'gt')).toBe('>');
});

test('a field has its unit beside it: seconds, dollars, and percent for a fraction', () => {
  expect(titleAndUnitOf('maxAgeSec')).toEqual({ title: 'Max. quote age', unit: 's' });
  expect(titleAndUnitOf('takeProfit')).toEqual({ title: 'Take profit', unit: '%' });
  expect(titleAndUnitOf('notional')).toEqual({ title: 'Notional', unit: 'USD' });
  expect(titleAndUnitOf('period')).toEqual({ title: 'Period', unit: '' });
  const helpOf = (of: string, setting: string) => {
    const found = describeCatalogue().find(({ type }) => type === of);
    const field = fieldsOf(found?.config, {}).find(({ name }) => name === setting);
    return field && settingHelp(field);
  };
  expect(helpOf('exit', 'stopLoss')).toContain('Here in %: 20 is 0.2 in the API.');
  expect(helpOf('leg', 'maxLoss')).toContain('Here in %');
  expect(helpOf('close', 'fraction')).toContain('Where nothing is written: 100.');
});

test('a summary says what its number is', () => {
  expect(settingWords('maxSpread', 50)).toBe('spread ≤ 50');
  expect(settingWords('takeProfit', 0.03)).toBe('profit 3%');
  expect(settingWords('notional', 40)).toBe('40 USD');
  expect(settingWords('period', 21)).toBe('period 21');
  expect(settingWords('seconds', 3_600)).toBe('1 h');
  expect(settingWords('seconds', 5_400)).toBe('90 min');
});

test('the help of a node says its values in formulas, and its settings by their titles elsewhere', () => {
  const period = [{ name: 'period' }];
  const help = 'weight 2 ÷ (`period` + 1), over the last 10 × `period` values';
  expect(withSettings(help, period, { period: 21 })).toBe('weight 2 ÷ (21 + 1), over the last 210 values');
  expect(withSettings('the last `period` values', period, { period: 21 })).toBe('the last 21 values');
  expect(withSettings(help, period, { period: { parameter: 'fast' } })).toBe(
    'weight 2 ÷ (fast + 1), over the last 10 × fast values',
  );
  expect(withSettings(help, period, {})).toBe(
    'weight 2 ÷ (“Period” + 1), over the last 10 × “Period” values',
  );
  expect(withSettings('`constructor`', [], {})).toBe('`constructor`');
  const guard = describeCatalogue().find(({ type }) => type === 'guard');
  const said = withSettings(guard?.help ?? '', fieldsOf(guard?.config, {}), {
    maxSpread: 0.05,
    maxPosition: 20,
  });
  expect(said).toContain(
    'without “Max. spread” a market with one side passes. “Largest position” counts what',
  );
});

test('a missing setting is named in the words of the form', () => {
  const issue = { code: 'missing_setting', path: '/nodes/1/data/config/op' };
  const choices = '“op” is missing. Choose gt, gte, lt, lte, between, crossesAbove or crossesBelow.';
  expect(issueWords({ ...issue, message: choices })).toBe('Choose a comparison.');
  expect(issueWords({ ...issue, path: '/config/takeProfit', message: 'x' })).toBe(
    '“Take profit” is missing.',
  );
});

test('an instant in a server’s sentence is written like every other time', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  expect(withLocalTimes('last loss at 2026-11-22T02:04:05.678Z', 'utc', now)).toBe(
    'last loss at 02:04:05 UTC',
  );
  expect(withLocalTimes('no loss yet', 'utc', now)).toBe('no loss yet');
});

/** The catalogue as the console receives it: JSON. */
const served = JSON.stringify({
  types: describeCatalogue().map((type) => ({ ...type, delays: false, trades: type.group === 'action' })),
  notes: ['note'],
});
const catalogue = catalogueOf(JSON.parse(served) as Parameters<typeof catalogueOf>[0]);

test('every setting of every node type has a description and its name in the API', () => {
  for (const { type, config } of describeCatalogue())
    for (const field of fieldsOf(config, startingConfig(config))) {
      const help = settingHelp(field);
      expect(help, `${type} ${field.name}`).toContain(`In the API: ${field.name}.`);
    }
  const field = { name: 'period', required: true, description: 'How many candles.', fallback: 14 };
  expect(settingHelp({ ...field, kind: 'number', integer: true, min: 2, max: 200 })).toBe(
    'How many candles. Between 2 and 200. Where nothing is written: 14. In the API: period.',
  );
});

test('the description of a graph starts from its actions, with the names of its steps', () => {
  const drawing = readGraph(templateGraph('sample'));
  const [buy, leave, ...others] = describeActions(drawing, catalogue);
  expect(others).toEqual([]);
  expect(buy).toMatchObject({ name: 'Buy', when: ['“Not enough yet”'], uses: ['“20 USD”'] });
  expect(leave).toMatchObject({ name: 'Sell again', when: [], uses: [] });
  expect(strategyPartsOf(drawing, catalogue).map(({ isDone }) => isDone)).toEqual([true, true, true]);
  expect(strategyPartsOf({ nodes: [] }, catalogue).map(({ isDone }) => isDone)).toEqual([
    false,
    false,
    false,
  ]);
});

test('a step dropped on an edge takes its value and passes it on; one that does not fit changes nothing', () => {
  const drawing = readGraph(templateGraph('sample'));
  const edge = drawing.edges.find(({ target }) => target === 'sum');
  if (!edge) throw new Error('The sample has changed.');
  const step = (type: string, config = {}) => ({
    id: 'new',
    type,
    position: { x: 0, y: 0 },
    data: { config },
  });
  const ends = (edges: typeof drawing.edges | null) =>
    edges?.map(({ source, target, targetHandle }) => `${source} ${target} ${targetHandle}`);
  const edges = insertOnEdge(drawing, edge, step('indicator', { kind: 'sma', period: 5 }), catalogue);
  expect(ends(edges)).toHaveLength(drawing.edges.length + 1);
  expect(ends(edges)).toEqual(expect.arrayContaining(['ask new in', 'new sum price']));
  expect(ends(edges)).not.toContain('ask sum price');
  for (const type of ['logic', 'constant', 'order', 'unheard of'])
    expect(insertOnEdge(drawing, edge, step(type), catalogue), type).toBeNull();
});
