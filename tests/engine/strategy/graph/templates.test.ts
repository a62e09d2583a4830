import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatStrategy } from '../../../../client/src/strategy-text/index.ts';
import { BACKTESTED, backtestOf, CURVES } from '../../../../docs/write-template-backtests.ts';
import { GRAPHS, templateTexts, textOfGraphs } from '../../../../docs/write-templates.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import { TEMPLATES } from '../../../../engine/strategy/graph/templates/index.ts';
import type {
  TemplateBacktest,
  TemplateInstruments,
} from '../../../../engine/strategy/graph/templates/template.ts';
import type { Book, Evaluation, World } from '../../../../engine/strategy/graph/types.ts';
import { readGraph } from '../../../../web/src/editor/drawing/json.ts';
import { NODE_WIDTH } from '../../../../web/src/editor/drawing/view.ts';
import { ended, facts, held, minuteCandles, Player, quote, series, T0, world } from './graph-fixtures.ts';

const INSTRUMENTS: TemplateInstruments = {
  outcomeA: 'KXELONMARS-99:yes',
  outcomeB: '11000000000000012345678901234567890',
};
const visualOf = (key: string) => TEMPLATES.find((template) => template.key === key)?.visual(INSTRUMENTS);
const TICK_MS = 2_000;

describe.each(TEMPLATES.map((template) => [template.key, template] as const))(
  'the template %s',
  (_, template) => {
    const visual = template.visual(INSTRUMENTS);
    test('compiles without an error, and warns of nothing but the loss of its basket', () => {
      expect(compile(visual).issues.filter(({ code }) => code !== 'basket_loss')).toEqual([]);
    });
    test('its nodes trade if their types say so, and only then', () => {
      const { nodes } = visual as { nodes: { type: string; data: { config: unknown } }[] };
      for (const { type, data } of nodes) {
        const known = nodeTypes.get(type);
        const configured = known?.configure(data.config ?? {});
        if (known && configured?.ok) expect(configured.node.trade !== undefined, type).toBe(known.trades);
      }
    });
    test('is plain JSON that an editor lays out with room for values on its wires', () => {
      expect(JSON.parse(JSON.stringify(visual))).toEqual(visual);
      const { nodes } = readGraph(visual);
      expect(new Set(nodes.map(({ position }) => `${position.x},${position.y}`)).size).toBe(nodes.length);
      const columns = [...new Set(nodes.map(({ position }) => position.x))].sort((one, other) => one - other);
      for (const [index, x] of columns.slice(1).entries())
        expect(x - (columns[index] ?? 0) - NODE_WIDTH).toBeGreaterThanOrEqual(72);
    });
  },
);

describe('the texts of the templates', () => {
  test('give the graphs that are shipped (else: node docs/write-templates.ts)', () => {
    expect(readFileSync(GRAPHS, 'utf8')).toBe(textOfGraphs());
  });

  test('are formatted, and each is in the folder of its group', () => {
    for (const { text } of templateTexts()) expect(formatStrategy(text)).toEqual({ ok: true, text });
    const found = templateTexts().map(({ group, key }) => `${group}/${key}`);
    const templates = TEMPLATES.map(({ group, key }) => `${group}/${key}`);
    expect(found).toEqual([...templates, 'samples/sample', 'samples/first-trades'].sort());
  });
});

describe('the shown backtests (else: node docs/write-template-backtests.ts)', () => {
  const stored: Record<string, TemplateBacktest> = JSON.parse(readFileSync(CURVES, 'utf8'));

  test('are of the templates with recorded history', () => {
    expect(Object.keys(stored)).toEqual(BACKTESTED);
  });

  test.each(BACKTESTED)(
    '%s: is the one of the template over the shipped prices',
    { tags: ['long'] },
    (key) => {
      expect(stored[key]).toEqual(backtestOf(key));
    },
  );
});

/** A market of one instrument at one moment. */
function market(
  tokenId: string,
  now: number,
  price: number,
  spread: number,
  over: Partial<World> = {},
): World {
  const [bid, ask] = [price - spread / 2, price + spread / 2];
  const book: Book = { bids: [{ price: bid, size: 500 }], asks: [{ price: ask, size: 500 }], asOf: now };
  return world({
    quotes: new Map([[tokenId, quote({ bid, ask, last: price, asOf: now })]]),
    books: new Map([[tokenId, book]]),
    instruments: new Map([
      [tokenId, facts(tokenId, { closesAt: T0 + 30 * 86_400_000, stepSize: '0.00001', minSize: '0.00001' })],
    ]),
    account: {
      equity: 10_000,
      freeCash: 10_000,
      orderHeadroom: 100,
      dayPnl: 0,
      exposures: {},
      asOf: now,
    },
    ...over,
  });
}

const nodesOf = (evaluations: readonly Evaluation[]) =>
  evaluations.flatMap(({ intents }) => intents.map(({ nodeId }) => nodeId));

describe('the templates do what their texts promise', () => {
  const five = (closes: readonly number[]) =>
    minuteCandles(closes).map((candle, i) => ({
      ...candle,
      openTimeMs: T0 + i * 300_000,
      closeTimeMs: T0 + (i + 1) * 300_000 - 1,
    }));

  test('momentum buys once the fast average crosses above the slow one and sells on the cross back', () => {
    const player = new Player(visualOf('momentum'));
    const closes = Array.from(
      { length: 330 },
      (_, i) => 50_000 + (i < 250 ? -10 * i : i < 290 ? 60 * (i - 250) - 2_500 : -60 * (i - 290) - 100),
    );
    const bars = five(closes);
    let amount = 0;
    const raised: string[] = [];
    for (let i = 215; i < bars.length; i++) {
      const now = T0 + (i + 1) * 300_000;
      const positions =
        amount === 0
          ? new Map()
          : new Map([['BTCUSDT', held(String(amount), { averageCost: '47500', openedAt: now })]]);
      const seen = market('BTCUSDT', now, 47_500, 10, {
        candles: new Map([['BTCUSDT@5m', series(bars.slice(0, i + 1))]]),
        positions,
      });
      for (const { nodeId, side, amount: units } of player.at(now, seen).intents) {
        raised.push(nodeId);
        amount = side === 'buy' ? amount + Number(units) : 0;
      }
    }
    expect(raised).toEqual(['buy', 'close_out']);
  });

  test('mean reversion buys an oversold market and sells the recovery', () => {
    const player = new Player(visualOf('mean-reversion'));
    const closes = Array.from(
      { length: 200 },
      (_, i) =>
        50_000 +
        30 * Math.sin(i) -
        (i > 150 && i < 170 ? 80 * (i - 150) : 0) +
        (i >= 170 ? 60 * (i - 170) - 1_600 : 0),
    );
    let position = 0;
    const raised: string[] = [];
    for (let i = 140; i < closes.length; i++) {
      const now = T0 + (i + 1) * 60_000;
      const positions =
        position === 0
          ? new Map()
          : new Map([['BTCUSDT', held(String(position), { averageCost: '50000', openedAt: now })]]);
      const candles = new Map([['BTCUSDT@1m', series(minuteCandles(closes.slice(0, i + 1)))]]);
      for (const { nodeId, side, amount } of player.at(
        now,
        market('BTCUSDT', now, 50_000, 10, { candles, positions }),
      ).intents) {
        raised.push(nodeId);
        position = side === 'buy' ? position + Number(amount) : 0;
      }
    }
    expect(raised).toEqual(['buy', 'sell']);
  });

  test('probability edge buys at the ask once the edge has lasted ten seconds', () => {
    const player = new Player(visualOf('probability-edge'));
    const evaluations = Array.from({ length: 10 }, (_, i) =>
      player.at(T0 + TICK_MS * i, market(INSTRUMENTS.outcomeA, T0 + TICK_MS * i, 0.5, 0.02)),
    );
    expect(evaluations.map(({ intents }) => intents.length)).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    expect(evaluations[5]?.intents[0]).toMatchObject({
      nodeId: 'buy',
      type: 'limit',
      limitPrice: '0.51',
      timeInForce: 'ioc',
    });
  });

  test('the dip buyer buys 8 % below the highest of ten minutes, and notifies', () => {
    const player = new Player(visualOf('dip-buyer'));
    const evaluations: Evaluation[] = [];
    for (let sec = 0; sec <= 700; sec += 10) {
      const now = T0 + sec * 1_000;
      evaluations.push(player.at(now, market(INSTRUMENTS.outcomeB, now, sec < 650 ? 0.5 : 0.45, 0.01)));
    }
    expect(nodesOf(evaluations)).toEqual(['buy']);
    expect(evaluations.flatMap(({ notifications }) => notifications.map(({ text }) => text))).toEqual([
      'The token dipped to 0.45; its highest of ten minutes was 0.5.',
    ]);
  });

  test('the position guard warns before the stop, and sells at it', () => {
    const player = new Player(visualOf('position-guard'));
    const at = (i: number, price: number) =>
      player.at(
        T0 + TICK_MS * i,
        market('BTCUSDT', T0 + TICK_MS * i, price, 0, {
          positions: new Map([['BTCUSDT', held('1', { averageCost: '100' })]]),
        }),
      );
    expect(at(0, 99).notifications).toEqual([]);
    expect(at(1, 96.5).notifications).toHaveLength(1);
    expect(at(2, 95).intents).toMatchObject([
      { nodeId: 'exit', origin: 'exit', reason: { code: 'stop_loss' } },
    ]);
  });

  test('the rotation holds the strongest coin, and sells it before it buys the next one', () => {
    const player = new Player(visualOf('rotation'));
    const HOUR_MS = 3_600_000;
    // Each leads in turn: by its own slope from hour 30 on, overtaken by the next at hour 50.
    const bars = (slope: (hour: number) => number) =>
      Array.from({ length: 80 }, (_, hour) => {
        const close = 100 + slope(hour);
        const openTimeMs = T0 + hour * HOUR_MS;
        return {
          openTimeMs,
          closeTimeMs: openTimeMs + HOUR_MS - 1,
          open: close,
          high: close,
          low: close,
          close,
          volume: 1,
        };
      });
    const candles: Record<string, ReturnType<typeof bars>> = {
      BTCUSDT: bars((hour) => Math.min(hour, 50) / 10),
      ETHUSDT: bars((hour) => Math.max(0, hour - 50)),
      SOLUSDT: bars(() => 0),
      XRPUSDT: bars((hour) => -hour / 10),
    };
    const coins = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
    const holding = new Set<string>();
    const raised: string[] = [];
    for (let hour = 26; hour < 80; hour++) {
      const now = T0 + hour * HOUR_MS;
      const markets = coins.map((coin) => market(coin, now, candles[coin]?.[hour - 1]?.close ?? 0, 0.1));
      const seen = market('BTCUSDT', now, 100, 0.1, {
        quotes: new Map(markets.flatMap(({ quotes }) => [...quotes])),
        instruments: new Map(markets.flatMap(({ instruments }) => [...instruments])),
        candles: new Map(coins.map((coin) => [`${coin}@1h`, series(candles[coin]?.slice(0, hour) ?? [])])),
        positions: new Map([...holding].map((coin) => [coin, held('0.2')])),
      });
      for (const { nodeId, side, tokenId } of player.at(now, seen).intents) {
        raised.push(nodeId);
        if (side === 'buy') holding.add(tokenId);
        else holding.delete(tokenId);
      }
    }
    expect(raised).toEqual(['buy/BTCUSDT', 'sell/BTCUSDT', 'buy/ETHUSDT']);
  });

  test('accumulation buys once an hour within the day', () => {
    const player = new Player(visualOf('accumulation'));
    const raised: number[] = [];
    for (let minute = 0; minute < 24 * 60; minute++) {
      const now = T0 + minute * 60_000;
      const orders = new Map([['buy', ended(`o${raised.length}`)]]);
      if (player.at(now, market('BTCUSDT', now, 50_000, 10, { orders })).intents.length > 0)
        raised.push(minute / 60);
    }
    // T0 is noon; the window runs from 07:00 to 21:00 UTC.
    expect(raised).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 19, 20, 21, 22, 23]);
  });

  test('two-sided quoting bids below the middle and offers above it what it holds, and leaves before the close', () => {
    const player = new Player(visualOf('two-sided-quoting'));
    const token = INSTRUMENTS.outcomeA;
    const at = (tick: number, amount: string, leftSec: number) => {
      const now = T0 + tick * TICK_MS;
      const seen = market(token, now, 0.5, 0.02, {
        positions: amount === '0' ? new Map() : new Map([[token, held(amount, { averageCost: '0.48' })]]),
        instruments: new Map([[token, facts(token, { closesAt: now + leftSec * 1_000 })]]),
      });
      return player
        .at(now, seen)
        .intents.map(({ side, amount: units, limitPrice }) => `${side} ${units} at ${limitPrice}`);
    };
    expect(at(0, '0', 7_200)).toEqual(['buy 10 at 0.48']);
    expect(at(20, '20', 7_200)).toEqual(['sell 10 at 0.52', 'buy 10 at 0.48']);
    expect(at(40, '50', 7_200)).toEqual(['sell 10 at 0.52']);
    expect(at(60, '50', 3_600)).toEqual([]);
    expect(at(80, '50', 1_800)).toEqual(['sell 50 at null']);
  });
});
