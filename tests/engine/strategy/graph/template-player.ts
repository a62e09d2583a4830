/** Plays a graph through the engine over recorded days. Every intent fills at once and whole, at the bid or the ask. */
import type {
  GraphQuote,
  InstrumentFacts,
  Position,
  World,
} from '../../../../engine/strategy/graph/types.ts';
import { type Coin, candlesAt, type Look, quoteAt, type Row } from '../../../reference/recorded-days.ts';
import { facts, held, Player, quote, series, world } from './graph-fixtures.ts';

const CANDLES_MAX = 420;
const CASH = 10_000;

type Quotes = ReadonlyMap<string, GraphQuote>;
type Moment = {
  readonly now: number;
  readonly quotes: Quotes;
  readonly candles?: World['candles'];
  readonly signals?: World['signals'];
};

/** Plays a graph on these coins, whose candles have these sizes in bars, by interval. */
export function playCoins(
  visual: unknown,
  coins: readonly Coin[],
  sizes: Readonly<Record<string, number>>,
  looks: readonly Look[],
  signalsAt: (now: number) => World['signals'] = () => new Map(),
): Row[] {
  const known = coins.map((coin) => facts(coin, { stepSize: '0.00001', minSize: '0.00001' }));
  let candles: World['candles'] = new Map();
  let seenBar = -1;
  return play(
    visual,
    known,
    looks.map(({ now, bar }) => () => {
      if (bar !== seenBar) {
        candles = new Map(
          Object.entries(sizes).flatMap(([interval, size]) =>
            coins.map((coin) => [`${coin}@${interval}`, series(candlesAt(coin, size, bar, CANDLES_MAX))]),
          ),
        );
      }
      seenBar = bar;
      const quotes = new Map(coins.map((coin) => [coin, quote({ ...quoteAt(coin, bar), asOf: now })]));
      return { now, quotes, candles, signals: signalsAt(now) };
    }),
  );
}

/** Plays a graph moment by moment, and returns its intents. */
export function play(
  visual: unknown,
  known: readonly InstrumentFacts[],
  moments: readonly (() => Moment)[],
): Row[] {
  const player = new Player(visual);
  const instruments = new Map(known.map((each) => [each.tokenId, each]));
  const positions = new Map<string, Position>();
  const rows: Row[] = [];
  let cash = CASH;
  for (const momentOf of moments) {
    const moment = momentOf();
    const worth = [...positions].reduce(
      (sum, [token, { amount }]) => sum + Number(amount) * (moment.quotes.get(token)?.bid ?? 0),
      0,
    );
    const account = {
      equity: cash + worth,
      freeCash: cash,
      orderHeadroom: 100,
      dayPnl: 0,
      exposures: {},
      asOf: moment.now,
    };
    const { intents } = player.at(moment.now, world({ ...moment, instruments, positions, account }));
    for (const { nodeId, side, tokenId, amount, limitPrice } of intents) {
      const { bid, ask } = moment.quotes.get(tokenId) ?? quote();
      const price = Number(side === 'buy' ? ask : bid);
      cash -= (side === 'buy' ? 1 : -1) * Number(amount) * price;
      fill(positions, tokenId, { side, units: Number(amount), price, now: moment.now });
      const limit = limitPrice === null ? null : Number(limitPrice);
      rows.push([moment.now, nodeId, side, tokenId, Number(amount), limit]);
    }
  }
  return rows;
}

type Fill = { side: 'buy' | 'sell'; units: number; price: number; now: number };

function fill(positions: Map<string, Position>, token: string, { side, units, price, now }: Fill): void {
  const before = positions.get(token);
  const [had, cost] = [Number(before?.amount ?? 0), Number(before?.averageCost ?? 0)];
  const has = Number((had + (side === 'buy' ? units : -units)).toFixed(5));
  if (has === 0) positions.delete(token);
  else
    positions.set(
      token,
      held(String(has), {
        averageCost: String(side === 'buy' ? (had * cost + units * price) / has : cost),
        openedAt: before?.openedAt ?? now,
      }),
    );
}
