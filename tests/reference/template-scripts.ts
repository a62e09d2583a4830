/**
 * The strategies of the templates once more, as plain loops over recorded bars: no graph, no engine, no indicator library. Each
 * script states the intents it would raise; what it buys or sells is filled at once, at the ask or the bid.
 */
import { deviation, ema, macd as macdOf, mean, rsi } from '../engine/strategy/graph/reference.ts';
import { type Coin, candlesAt, type Look, quoteAt, type Row } from './recorded-days.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CASH = 10_000;
/** Bars of a candle. */
const QUARTER = 3;
const HOUR = 12;

type Script = (looks: readonly Look[]) => Row[];
type Known = boolean | null;

/** Rounds units down to the venue's step. */
const toStep = (units: number): number => Math.floor(Number((units * 1e5).toFixed(6))) / 1e5;
const toCent = (price: number): number => Math.floor(Number((price * 100).toFixed(6))) / 100;

/** True when a known condition turns true. The first value counts unless `waits`. */
function riser(waits = false): (value: Known) => boolean {
  let before: Known = null;
  return (value) => {
    if (value === null) return false;
    const rises = value && (before === false || (before === null && !waits));
    before = value;
    return rises;
  };
}

/** The holding of one coin, with the barriers of its exit. */
class Holding {
  readonly coin: Coin;
  amount = 0;
  cost = 0;
  openedAt = 0;
  peak: number | null = null;
  readonly #rows: Row[];

  constructor(coin: Coin, rows: Row[]) {
    this.coin = coin;
    this.#rows = rows;
  }

  buy(look: Look, node: string, units: number, limit: number | null = null): void {
    const amount = toStep(units);
    const { ask } = quoteAt(this.coin, look.bar);
    if (this.amount === 0) [this.openedAt, this.peak] = [look.now, null];
    this.cost = (this.amount * this.cost + amount * ask) / (this.amount + amount);
    this.amount = Number((this.amount + amount).toFixed(5));
    this.#rows.push([look.now, node, 'buy', this.coin, amount, limit]);
  }

  sell(look: Look, node: string, units = this.amount): void {
    const amount = Math.min(toStep(units), this.amount);
    this.amount = Number((this.amount - amount).toFixed(5));
    this.#rows.push([look.now, node, 'sell', this.coin, amount, null]);
  }

  /** Sells all at a barrier; returns whether it did. */
  exit(
    look: Look,
    { stop = 1, trail = 1, holdMs = Number.POSITIVE_INFINITY, node = 'exit' }: ExitRules,
  ): boolean {
    if (this.amount === 0) return false;
    const { bid } = quoteAt(this.coin, look.bar);
    this.peak = Math.max(this.peak ?? bid, bid);
    const isReached = bid <= this.cost * (1 - stop) || bid <= this.peak * (1 - trail);
    if (!isReached && look.now - this.openedAt < holdMs) return false;
    this.sell(look, node);
    return true;
  }
}
type ExitRules = { stop?: number; trail?: number; holdMs?: number; node?: string };

const closesAt = (coin: Coin, size: number, bar: number, count: number): number[] =>
  candlesAt(coin, size, bar, count).map(({ close }) => close);
const last = (values: readonly number[]): number => values.at(-1) as number;

/** A crossing of two lines, by candle: true for the one candle in which it happens. */
function crosser(size: number): (bar: number, isAbove: () => boolean) => boolean {
  let [seen, was, crossed] = [-1, null as Known, false];
  return (bar, isAbove) => {
    const candle = Math.floor((bar + 1) / size);
    if (candle === seen) return crossed;
    const is = isAbove();
    [seen, crossed, was] = [candle, is && was === false, is];
    return crossed;
  };
}

const momentum: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const [up, down, rises] = [crosser(1), crosser(1), riser(true)];
  let [passedAt, wasUp, passes] = [Number.NEGATIVE_INFINITY, false, false];
  for (const look of looks) {
    const closes = closesAt('BTCUSDT', 1, look.bar, 210);
    const [fast, slow] = [last(ema(closes.slice(-90), 9)), last(ema(closes, 21))];
    const isUp = up(look.bar, () => fast > slow);
    const isDown = down(look.bar, () => fast < slow);
    const closedAt = candlesAt('BTCUSDT', 1, look.bar, 1)[0]?.closeTimeMs ?? 0;
    if (isUp && !wasUp) {
      passes = closedAt - passedAt >= HOUR_MS;
      if (passes) passedAt = closedAt;
    }
    [wasUp, passes] = [isUp, isUp && passes];
    let sold = false;
    if (isDown && held.amount > 0) {
      held.sell(look, 'close_out');
      sold = true;
    } else sold = held.exit(look, { stop: 0.03, trail: 0.02 });
    if (rises(passes) && !sold) held.buy(look, 'buy', 40 / quoteAt('BTCUSDT', look.bar).ask);
  }
  return rows;
};

const bollinger: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('ETHUSDT', rows);
  const [out, back, rises] = [crosser(QUARTER), crosser(QUARTER), riser(true)];
  for (const look of looks) {
    const closes = closesAt('ETHUSDT', QUARTER, look.bar, 20);
    const middle = mean(closes);
    const isOut = out(look.bar, () => last(closes) > middle + 2 * deviation(closes));
    const isBack = back(look.bar, () => last(closes) < middle);
    const wanted = isOut && held.amount >= 0.0001 ? null : isOut;
    let sold = false;
    if (isBack && held.amount > 0) {
      held.sell(look, 'sell');
      sold = true;
    } else sold = held.exit(look, { stop: 0.05 });
    if (rises(wanted) && !sold) held.buy(look, 'buy', 40 / quoteAt('ETHUSDT', look.bar).ask);
  }
  return rows;
};

const macd: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const [up, down, rises] = [crosser(HOUR), crosser(HOUR), riser(true)];
  for (const look of looks) {
    const { histogram } = macdOf(closesAt('BTCUSDT', HOUR, look.bar, 260), 12, 26, 9);
    const isUp = up(look.bar, () => histogram > 0);
    const isDown = down(look.bar, () => histogram < 0);
    if (isDown && held.amount > 0) held.sell(look, 'sell');
    else held.exit(look, { stop: 0.05 });
    if (rises(isUp)) held.buy(look, 'buy', 40 / quoteAt('BTCUSDT', look.bar).ask);
  }
  return rows;
};

/** On candles of five minutes: minutes are not recorded. */
const meanReversion: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const rises = riser();
  let isLow = false;
  for (const look of looks) {
    const strength = rsi(closesAt('BTCUSDT', 1, look.bar, 140), 14);
    isLow = strength < (isLow ? 35 : 30);
    const wanted = isLow && held.amount >= 0.0001 ? null : isLow;
    let sold = false;
    if (strength > 55 && held.amount > 0) {
      held.sell(look, 'sell');
      sold = true;
    } else sold = held.exit(look, { stop: 0.02, holdMs: 4 * HOUR_MS });
    if (rises(wanted) && !sold) held.buy(look, 'buy', 40 / quoteAt('BTCUSDT', look.bar).ask);
  }
  return rows;
};

const pair: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('ETHUSDT', rows);
  const rises = riser();
  const ratios: number[] = [];
  let hour = -1;
  for (const look of looks) {
    const now = Math.floor(look.now / HOUR_MS);
    const [eth, btc] = (['ETHUSDT', 'BTCUSDT'] as const).map(
      (coin) => closesAt(coin, HOUR, look.bar, 1)[0] ?? 0,
    );
    if (now > hour) ratios.push(Number(eth) / Number(btc));
    hour = now;
    if (ratios.length < 48) continue;
    const window = ratios.slice(-48);
    const apart = (last(window) - mean(window)) / deviation(window);
    const cheap = apart < -2;
    const wanted = cheap && held.amount >= 0.0001 ? null : cheap;
    let sold = false;
    if (apart > 0 && held.amount > 0) {
      held.sell(look, 'sell');
      sold = true;
    } else sold = held.exit(look, { stop: 0.1 });
    if (rises(wanted) && !sold) held.buy(look, 'buy', 40 / quoteAt('ETHUSDT', look.bar).ask);
  }
  return rows;
};

/** True at the first look of each span of time, except of the one in which it starts. */
function beater(everyMs: number): (now: number) => boolean {
  let slot: number | null = null;
  return (now) => {
    const current = Math.floor(now / everyMs);
    const beats = slot !== null && slot !== current;
    slot = current;
    return beats;
  };
}

const accumulation: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const [beats, rises] = [beater(HOUR_MS), riser()];
  for (const look of looks) {
    const time = look.now % DAY_MS;
    const isOn = beats(look.now) && time >= 7 * HOUR_MS && time < 21 * HOUR_MS;
    const sold = held.exit(look, { stop: 0.3 });
    const wanted = isOn && held.amount >= 0.05 ? null : isOn;
    if (rises(wanted) && !sold) held.buy(look, 'buy', 25 / quoteAt('BTCUSDT', look.bar).ask);
  }
  return rows;
};

const twap: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('ETHUSDT', rows);
  const [beats, rises] = [beater(300_000), riser()];
  const passed: number[] = [];
  for (const look of looks) {
    const twelfth = passed.at(-12) ?? Number.NEGATIVE_INFINITY;
    const passes = beats(look.now) && look.now - twelfth >= DAY_MS;
    if (passes) passed.push(look.now);
    const { ask } = quoteAt('ETHUSDT', look.bar);
    const sold = held.exit(look, { stop: 0.2 });
    const wanted = passes && held.amount >= 0.15 ? null : passes;
    if (rises(wanted) && !sold) held.buy(look, 'buy', 20 / ask, toCent(ask));
  }
  return rows;
};

const rotation: Script = (looks) => {
  const rows: Row[] = [];
  const coins = (['BTCUSDT', 'ETHUSDT'] as const).map((coin) => ({
    coin,
    held: new Holding(coin, rows),
    rises: riser(),
  }));
  for (const look of looks) {
    const gains = coins.map(({ coin }) => {
      const closes = closesAt(coin, HOUR, look.bar, 25);
      return last(closes) / (closes[0] as number) - 1;
    });
    const best = gains.indexOf(Math.max(...gains));
    const sold = new Set<Coin>();
    for (const [index, { coin, held }] of coins.entries()) {
      if (index === best || held.amount === 0) continue;
      held.sell(look, `sell/${coin}`);
      sold.add(coin);
    }
    for (const { coin, held } of coins)
      if (held.exit(look, { trail: 0.08, node: `exit/${coin}` })) sold.add(coin);
    for (const [index, { coin, held, rises }] of coins.entries())
      if (rises(index === best) && !sold.has(coin))
        held.buy(look, `buy/${coin}`, 25 / quoteAt(coin, look.bar).ask);
  }
  return rows;
};

const rebalancing: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const [beats, buys, sells] = [beater(HOUR_MS), riser(), riser()];
  let cash = CASH;
  for (const look of looks) {
    const { bid, ask, last: price } = quoteAt('BTCUSDT', look.bar);
    const missing = 0.02 * (cash + held.amount * bid) - held.amount * price;
    const isOn = beats(look.now);
    const units = Math.min(Math.max(Math.abs(missing), 10), 40) / price;
    if (sells(isOn && missing < -10)) {
      cash += Math.min(toStep(units), held.amount) * bid;
      held.sell(look, 'sell', units);
    }
    if (buys(isOn && missing > 10)) {
      cash -= toStep(units) * ask;
      held.buy(look, 'buy', units);
    }
  }
  return rows;
};

const firstOfMonth: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const rises = riser();
  let [month, wasOn, passes] = [-1, false, false];
  for (const look of looks) {
    const at = new Date(look.now);
    const isOn = at.getUTCHours() === 14 && at.getUTCDay() % 6 !== 0;
    if (isOn && !wasOn) {
      passes = at.getUTCMonth() !== month;
      if (passes) month = at.getUTCMonth();
    }
    [wasOn, passes] = [isOn, isOn && passes];
    const sold = held.exit(look, { stop: 0.1, holdMs: 7 * DAY_MS });
    const { bid } = quoteAt('BTCUSDT', look.bar);
    if (rises(passes) && !sold) held.buy(look, 'buy', 40 / bid, toCent(bid));
  }
  return rows;
};

/** Funding rates as a sender could have sent them, one in eight hours; none for the first day. */
export const fundingAt = (now: number, from: number): { value: number; at: number } | null => {
  const span = Math.floor((now - from) / (8 * HOUR_MS));
  const value = [0.0001, 0.0004, 0.0002, -0.0001, 0.0005][span % 5] ?? 0;
  return span < 3 ? null : { value, at: from + span * 8 * HOUR_MS };
};

export const basis: Script = (looks) => {
  const rows: Row[] = [];
  const held = new Holding('BTCUSDT', rows);
  const rises = riser();
  for (const look of looks) {
    const funding = fundingAt(look.now, looks[0]?.now ?? 0);
    if (funding !== null && funding.value < 0 && held.amount > 0) held.sell(look, 'sell');
    else held.exit(look, { stop: 0.2 });
    const isPaid = funding !== null && funding.value > 0.0003;
    const wanted = funding === null || (isPaid && held.amount >= 0.0001) ? null : isPaid;
    if (rises(wanted)) held.buy(look, 'buy', 40 / quoteAt('BTCUSDT', look.bar).ask);
  }
  return rows;
};

/** By key of the template. */
export const SCRIPTS = {
  momentum,
  'bollinger-breakout': bollinger,
  macd,
  'mean-reversion': meanReversion,
  pair,
  accumulation,
  twap,
  rotation,
  rebalancing,
  'first-of-month': firstOfMonth,
} as const satisfies Record<string, Script>;
