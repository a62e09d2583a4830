import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { explainGraph } from '../../../../engine/strategy/graph/story/explain-graph.ts';
import { TEMPLATES } from '../../../../engine/strategy/graph/templates/index.ts';
import { graph } from './arbitraries.ts';
import { draw } from './graph-fixtures.ts';

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
