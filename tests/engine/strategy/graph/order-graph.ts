import type { GraphQuote, InstrumentFacts, World } from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  facts,
  marketOf,
  numberInput,
  Player,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';

export const TICK_MS = 2_000;
export const when = conditionInput('a');

export type Settings = Record<string, unknown>;

export function orderGraph(settings: Settings, price = false) {
  const order = { instrument: 'BTCUSDT', side: 'buy', type: 'market', ...settings };
  return draw(
    {
      ...when.nodes,
      ...numberInput('units'),
      ...(price ? numberInput('limit') : {}),
      order: ['order', order],
    },
    [...when.edges, 'a -> order.when', 'units -> order.amount', ...(price ? ['limit -> order.price'] : [])],
  );
}

export type Tick = {
  a: boolean | null;
  units?: number | null;
  limit?: number;
  over?: Partial<World>;
  quote?: Partial<GraphQuote>;
  facts?: Partial<InstrumentFacts>;
};

export function playOn(player: Player, ticks: readonly Tick[]) {
  return ticks.map(({ a, units = 1, limit, over, quote, facts: known }, i) => {
    const now = T0 + TICK_MS * i;
    const market = marketOf('BTCUSDT', now, quote, {
      instruments: new Map([['BTCUSDT', facts('BTCUSDT', known)]]),
      ...over,
    });
    const inputs = { a, units, ...(limit === undefined ? {} : { limit }) };
    return player.at(now, signals(inputs, now, market));
  });
}

export function play(settings: Settings, ticks: readonly Tick[]) {
  return playOn(
    new Player(
      orderGraph(
        settings,
        ticks.some(({ limit }) => limit !== undefined),
      ),
    ),
    ticks,
  );
}

export const fires = (settings: Settings, ticks: readonly Tick[]) =>
  play(settings, ticks).map(({ intents }) => intents.length);
export const signalsOf = (text: string): Tick[] =>
  [...text].map((bit) => ({ a: bit === '?' ? null : bit === '1' }));
export const orderState = (settings: Settings, ticks: readonly Tick[]) => {
  const last = play(settings, ticks).at(-1);
  if (last === undefined) throw new Error('Nothing was played.');
  return stateOf(last, 'order');
};
