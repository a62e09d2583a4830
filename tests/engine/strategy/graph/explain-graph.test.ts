import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCatalogue, nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { explainGraph } from '../../../../engine/strategy/graph/story/explain-graph.ts';
import { TEMPLATES } from '../../../../engine/strategy/graph/templates/index.ts';
import { graph } from './arbitraries.ts';
import { draw } from './graph-fixtures.ts';

type Property = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
};
type Schema = { properties: Record<string, Property>; required?: string[]; oneOf?: Schema[] };

/**
 * How old data may be, and whether a value is a number or a condition, is not said: it would hide what matters. The test below
 * has the times in force, which need a zone or exclude it.
 */
const UNSAID = new Set([
  'maxAgeSec',
  'kind of lag',
  'kind of select',
  'kind of fallback',
  'timeInForce of order',
]);
const TEXTS: Readonly<Record<string, unknown[]>> = {
  instrument: ['BTCUSDT', 'ETHUSDT'],
  symbol: ['BTCUSDT', 'ETHUSDT'],
  from: ['09:30', '10:30'],
  to: ['16:00', '17:00'],
  zone: ['Asia/Tokyo', 'Europe/Zurich'],
  monthDays: ['1-7', 'last'],
  days: [['mon'], ['tue']],
};
/** Settings with which another one may be there, or has an effect. */
const NEEDED: Readonly<Record<string, object>> = {
  'fast of indicator': { slow: 90 },
  'slow of indicator': { fast: 2 },
  'step of indicator': { most: 1 },
  'low of math': { high: 9 },
  'zone of order': { timeInForce: 'day' },
  'maxCount of cooldown': { windowSec: 60 },
  'windowSec of cooldown': { maxCount: 2 },
  'instrument of exit': { stopLoss: 0.1 },
  'feeExponent of size': { feeRate: 0.07 },
};

function valuesOf(name: string, property: Property): unknown[] {
  if (property.const !== undefined) return [property.const];
  if (property.enum !== undefined) return property.enum;
  if (property.type === 'boolean') return [true, false];
  if (property.type === 'string' || property.type === 'array') return TEXTS[name] ?? ['one', 'two'];
  const least = Math.max(property.minimum ?? property.exclusiveMinimum ?? 1, -1);
  const step = property.type === 'integer' || (property.maximum ?? 9) > 1 ? 1 : 0.1;
  return [least + step, least + 2 * step];
}

const configOf = ({ properties, required = [] }: Schema): Record<string, unknown> =>
  Object.fromEntries(required.map((name) => [name, valuesOf(name, properties[name] ?? {})[0]]));

/** Each setting of each node type, with the variant of its settings that has it. */
const SETTINGS = describeCatalogue().flatMap(({ type, config }) => {
  const schema = config as unknown as Schema;
  return (schema.oneOf ?? [schema]).flatMap((variant) =>
    Object.entries(variant.properties ?? {})
      .filter(([name]) => !UNSAID.has(name) && !UNSAID.has(`${name} of ${type}`))
      .filter(([name, property]) => valuesOf(name, property).length > 1)
      .map(([name]) => [type, name, variant] as const),
  );
});

/** Returns the sentence of an action, or of one that reads the node. */
function wordsOf(type: string, config: Record<string, unknown>): string {
  const read = nodeTypes.get(type)?.configure(config);
  if (read?.ok !== true) throw new Error(`${type} takes no ${JSON.stringify(config)}.`);
  const visual = draw({ node: [type, config], say: ['notify', { text: 'Now' }] }, ['node -> say.when']);
  return explainGraph(visual)[0]?.text ?? '';
}

describe('a graph in words', () => {
  test('names the time zone of a window, its month days and its calendar', () => {
    const hours = {
      mode: 'daily',
      from: '09:30',
      to: '16:00',
      zone: 'America/New_York',
      days: ['mon', 'fri'],
      monthDays: '15-21',
      calendar: 'nyseSession',
    };
    const [said] = explainGraph(
      draw({ hours: ['schedule', hours], say: ['notify', { text: 'Open' }] }, ['hours -> say.when']),
    );
    expect(said?.text).toContain(
      'from 09:30 to 16:00 America/New_York on mon, fri on month days 15-21 on trading days of the New York Stock Exchange',
    );
  });

  test('has a sentence for each action: its effect, its amount, and its condition', () => {
    const visual = {
      ...draw(
        {
          close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
          fast: ['indicator', { kind: 'ema', period: { parameter: 'fast' } }],
          slow: ['indicator', { kind: 'ema', period: 26 }],
          up: ['compare', { op: 'crossesAbove' }],
          hourly: ['cooldown', { seconds: 3_600 }],
          size: ['size', { mode: 'notional', notional: 40 }],
          buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
          exit: ['exit', { instrument: 'BTCUSDT', stopLoss: 0.03, trailing: 0.02 }],
          down: ['compare', { op: 'crossesBelow' }],
          leave: ['close', { instrument: 'BTCUSDT', fraction: 0.5 }],
          say: ['notify', { text: 'Up' }],
        },
        [
          ...['close -> fast', 'close -> slow', 'fast -> up.a', 'slow -> up.b', 'up -> hourly'],
          ...['close -> size.price', 'hourly -> buy.when', 'size -> buy.amount', 'up -> say.when'],
          ...['fast -> down.a', 'slow -> down.b', 'down -> leave.when'],
        ],
      ),
      parameters: { fast: { value: 12 } },
    };
    expect(explainGraph(visual)).toEqual([
      {
        nodeId: 'buy',
        text: 'Buys 40 USD of BTCUSDT at the market when EMA 12 of BTCUSDT 5m close crosses above EMA 26 of BTCUSDT 5m close, at most once in 1 hour.',
      },
      { nodeId: 'exit', text: 'Sells all of the BTCUSDT it holds at a loss of 3 %, or 2 % below its peak.' },
      {
        nodeId: 'leave',
        text: 'Sells 50 % of the BTCUSDT it holds while EMA 12 of BTCUSDT 5m close crosses below EMA 26 of BTCUSDT 5m close.',
      },
      {
        nodeId: 'say',
        text: 'Says “Up” when EMA 12 of BTCUSDT 5m close crosses above EMA 26 of BTCUSDT 5m close.',
      },
    ]);
  });

  test.each([
    [{ timeInForce: 'gtc' }, ''],
    [{ timeInForce: 'gtc', expireAfterSec: 60 }, ' for up to 1 minute'],
    [{ timeInForce: 'day', zone: 'Europe/Zurich' }, ' until the day ends in Europe/Zurich'],
    [{ timeInForce: 'gtx' }, ' without taking an offer,'],
    [{ timeInForce: 'gtx', expireAfterSec: 60 }, ' for up to 1 minute without taking an offer,'],
    [{ timeInForce: 'ioc' }, ' at once, the rest canceled,'],
    [{ timeInForce: 'fok' }, ' at once and whole, or not at all,'],
  ])('says how long a limit order may rest: %j', (settings, words) => {
    const limit = { instrument: 'BTCUSDT', side: 'buy', type: 'limit', ...settings };
    expect(explainGraph(draw({ buy: ['order', limit] }))).toMatchObject([
      { text: `Buys … of BTCUSDT at the best ask${words} when ….` },
    ]);
  });

  test('knows every node type that has a value or acts', () => {
    const valued = [...nodeTypes.values()].filter(({ outputs }) => outputs.length > 0);
    expect(valued.filter(({ phrase }) => phrase === undefined).map(({ type }) => type)).toEqual([]);
    const acting = [...nodeTypes.values()].filter(({ group }) => group === 'action');
    expect(acting.filter(({ sentence }) => sentence === undefined).map(({ type }) => type)).toEqual([]);
  });

  test.each(SETTINGS)('a node of %s with another %s has other words', (type, setting, schema) => {
    const said = valuesOf(setting, schema.properties[setting] ?? {}).map((value) =>
      wordsOf(type, { ...configOf(schema), ...NEEDED[`${setting} of ${type}`], [setting]: value }),
    );
    expect(new Set(said).size).toBe(said.length);
  });

  test('has a complete sentence for each template, and for the actions of any graph, of bounded length', () => {
    for (const { visual } of TEMPLATES)
      for (const { text } of explainGraph(visual({ outcomeA: 'KXBTC:yes', outcomeB: '1234567890' })))
        expect(text).not.toMatch(/…| {2}|undefined/);
    fc.assert(
      fc.property(graph, (visual) => {
        const actions = visual.nodes.filter(({ type }) => nodeTypes.get(type)?.group === 'action');
        const said = explainGraph(visual);
        expect(said.map(({ nodeId }) => nodeId)).toEqual(actions.map(({ id }) => id));
        for (const { text } of said) expect(text.length).toBeLessThan(420);
      }),
      { numRuns: 60 },
    );
  });

  test('a value that is no graph has no words, and a missing part is an ellipsis', () => {
    expect([null, 'x', { nodes: 7 }, { nodes: [] }].map(explainGraph)).toEqual([[], [], [], []]);
    expect(explainGraph(draw({ buy: ['order', { instrument: 'BTCUSDT', side: 'buy' }] }))).toEqual([
      { nodeId: 'buy', text: 'Buys … of BTCUSDT at the market when ….' },
    ]);
  });

  test('a cycle through a memory ends at the name of the node', () => {
    const visual = draw(
      {
        on: ['memory', { mode: 'latch' }],
        off: ['logic', { op: 'not' }],
        say: ['notify', { text: 'On' }],
      },
      ['off -> on.set', 'on -> off.a', 'on -> say.when'],
    );
    expect(explainGraph(visual)[0]?.text).toBe('Says “On” when once not (“on”).');
  });
});
