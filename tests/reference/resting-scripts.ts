/** Strategies whose orders rest once more, as plain loops over recorded prices: no graph and no engine. */
import { candlesAt, type Look, quoteAt } from './recorded-days.ts';
import { Desk, Keeper, type Known, type RestingRow, sorted, watch } from './resting-orders.ts';

const HOUR_MS = 3_600_000;
const BARS_OF_HOUR = 12;
const MINUTES_MS = 60_000;
const COIN = { units: 5, price: 2 };

type Script = (looks: readonly Look[]) => RestingRow[];

const hourCloses = (bar: number, count: number): number[] =>
  candlesAt('BTCUSDT', BARS_OF_HOUR, bar, count).map(({ close }) => close);

/** Three bids half a percent apart below the average of a day; each level bought is offered one level higher. */
const grid: Script = (looks) => {
  const desk = new Desk('BTCUSDT', COIN);
  const buys = [1, 2, 3].map((level) => new Keeper({ desk, node: `buy${level}`, side: 'buy' }));
  const sells = [1, 2, 3].map((level) => new Keeper({ desk, node: `sell${level}`, side: 'sell' }));
  for (const { now, bar } of looks) {
    desk.open(now, quoteAt('BTCUSDT', bar));
    const closes = hourCloses(bar, 24);
    const middle = closes.reduce((sum, close) => sum + close, 0) / closes.length;
    const units = 25 / middle;
    const levels = desk.held / units;
    watch(desk, 'exit', { stop: 0.1 });
    for (const level of [3, 2, 1])
      sells[level - 1]?.step({
        when: levels > level - 0.5,
        units,
        price: middle * (1 - 0.005 * (level - 1)),
      });
    for (const level of [1, 2, 3])
      buys[level - 1]?.step({ when: levels < level - 0.5, units, price: middle * (1 - 0.005 * level) });
  }
  return sorted(desk.rows);
};

/** Three bids below the last hourly close from 08:00 to 20:00 UTC, and one offer 1 % above the cost. */
const ladder: Script = (looks) => {
  const desk = new Desk('BTCUSDT', COIN);
  const nodes = ['one', 'two', 'three'];
  const bids = nodes.map((node) => new Keeper({ desk, node, side: 'buy' }));
  const profit = new Keeper({ desk, node: 'profit', side: 'sell', pauseMs: 10_000, ticks: 0, follows: true });
  for (const { now, bar } of looks) {
    desk.open(now, quoteAt('BTCUSDT', bar));
    const close = hourCloses(bar, 1)[0] ?? Number.NaN;
    const hour = (now % (24 * HOUR_MS)) / HOUR_MS;
    const isDay = hour >= 8 && hour < 20;
    const isLarge = desk.held >= 0.002;
    const isFull = (): boolean => desk.held + desk.resting('buy') >= 0.002;
    const isFullNow = isFull();
    watch(desk, 'exit', { stop: 0.1 });
    profit.step({ when: desk.held > 0, units: desk.bought, price: desk.cost * 1.01 });
    for (const [index, bid] of bids.entries()) {
      const fit: Known = isFullNow ? null : true;
      bid.step({
        when: isDay ? fit : false,
        units: 25 / close,
        price: close * (1 - 0.01 * (index + 1)),
        isFull,
        isOwn: !isLarge,
      });
    }
  }
  return sorted(desk.rows);
};

/** Buys half a percent below the highest ask. Two targets sell half the position each; a stop trails by 2 %. */
const bracket: Script = (looks) => {
  const desk = new Desk('BTCUSDT', COIN);
  const target = (node: string) =>
    new Keeper({ desk, node, side: 'sell', pauseMs: 10_000, ticks: 0, follows: true });
  const [near, far] = [target('near'), target('far')];
  const asks: number[] = [];
  let [before, seenBar] = [null as Known, -1];
  for (const { now, bar } of looks) {
    const { bid, ask } = quoteAt('BTCUSDT', bar);
    desk.open(now, { bid, ask });
    if (bar !== seenBar) asks.push(ask);
    seenBar = bar;
    const isKnown = asks.length >= 30;
    const isDip = ask < Math.max(...asks.slice(-30)) * 0.995;
    const isFull = desk.held + desk.resting('buy') >= 0.0001;
    watch(desk, 'exit', { stop: 0.02, trail: 0.02 });
    near.step({ when: desk.held > 0, units: desk.bought * 0.5, price: desk.cost * 1.01 });
    far.step({ when: desk.held > 0, units: desk.bought * 0.5, price: desk.cost * 1.03 });
    if (!isKnown || (isDip && isFull)) continue;
    if (isDip && before !== true && !desk.isSelling)
      desk.place('buy', 'buy', desk.floor(40 / ask), desk.onGrid('buy', ask), now + 10 * MINUTES_MS);
    before = isDip;
  }
  return sorted(desk.rows);
};

type Quote = { readonly atMs: number; readonly bid: number | null; readonly ask: number | null };

/** Ten contracts 2 cents below and above the middle, while more than an hour is left; at most fifty are held. */
export function quotingOfContract(token: string, closesAt: number, quotes: readonly Quote[]): RestingRow[] {
  const desk = new Desk(token, { units: 0, price: 3 });
  const below = new Keeper({ desk, node: 'bid', side: 'buy', repeats: true });
  const above = new Keeper({ desk, node: 'offer', side: 'sell', repeats: true });
  for (const { atMs, bid, ask } of quotes) {
    desk.open(atMs, { bid, ask });
    const mid = bid === null || ask === null ? null : (bid + ask) / 2;
    const isFit = mid !== null && Number(ask) - Number(bid) <= 0.06 + 1e-9;
    const isEarly = closesAt - atMs > HOUR_MS;
    const fit: Known = isEarly ? isFit || null : false;
    const held = desk.held;
    watch(desk, 'exit', { stop: 0.3 });
    const priced = (price: number): number | null => (price > 0 && price < 1 ? price : null);
    above.step({
      when: held > 0 ? fit : false,
      units: 10,
      price: mid === null ? null : priced(desk.onGrid('sell', mid + 0.02)),
    });
    below.step({
      when: held <= 40 ? fit : false,
      units: 10,
      price: mid === null ? null : priced(desk.onGrid('buy', mid - 0.02)),
    });
  }
  return sorted(desk.rows);
}

/** By key of the template. */
export const RESTING_SCRIPTS = { grid, ladder, bracket } as const satisfies Record<string, Script>;
