/** Polymarket's CLOB: books and price histories, as far as the connector requests them. */
import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../venues/time.ts';
import { hasBook } from './gamma-records.ts';
import { integer, type MarketRequest, ok, type Reply, type Venue } from './reply.ts';
import { lastPrice, middleOf, phaseOf, type SimMarket, topOfBook } from './world/event.ts';
import type { Catalogue } from './world/event-series.ts';
import { keyedRandom } from './world/keyed-random.ts';
import { levelSizeAt } from './world/level-size.ts';
import { conditionOf, findToken, type TokenSide } from './world/tokens.ts';

const DEPTH = 24;
const BOOKS_MAX = 500;
const WINDOW_MAX_SEC = 1_296_000;

/** Intervals, with the least fidelity (minutes) they take. `1m` is a month; `all` and `max` reach back a month, too. */
const INTERVALS: Record<string, { spanMs: number; minFidelity: number }> = {
  '1h': { spanMs: DAY_MS / 24, minFidelity: 1 },
  '6h': { spanMs: DAY_MS / 4, minFidelity: 1 },
  '1d': { spanMs: DAY_MS, minFidelity: 1 },
  '1w': { spanMs: 7 * DAY_MS, minFidelity: 5 },
  '1m': { spanMs: 30 * DAY_MS, minFidelity: 10 },
  all: { spanMs: 31 * DAY_MS, minFidelity: 1 },
  max: { spanMs: 31 * DAY_MS, minFidelity: 1 },
};
/** The smallest step between the points of a window. Finer points of a simulated market would have no use. */
const MIN_WINDOW_STEP_MS = 10 * MINUTE_MS;

const MARKET_MISSING = "invalid filters: 'market' is required";

const failure = (status: number, error: string): Reply => ({ status, body: { error } });

export function clobVenue(catalogue: Catalogue): Venue {
  return (ask) => {
    if (ask.path === 'book') return book(catalogue, ask);
    if (ask.path === 'books' && ask.method === 'POST') return books(catalogue, ask);
    if (ask.path === 'prices-history') return history(catalogue, ask);
    return failure(404, 'not found');
  };
}

function book(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const token = query.get('token_id') ?? '';
  if (!/^\d+$/.test(token)) return failure(400, 'Invalid token id');
  const found = findToken(catalogue, token);
  if (found === null || !hasBook(found.market, nowMs)) {
    return failure(404, 'No orderbook exists for the requested token id');
  }
  return ok(bookRecord(token, found, nowMs));
}

/** Tokens without a book are left out. */
function books(catalogue: Catalogue, { body, nowMs }: MarketRequest): Reply {
  if (!Array.isArray(body) || body.length > BOOKS_MAX) return failure(400, 'Invalid payload');
  const records = body.flatMap((item: { token_id?: unknown } | null) => {
    const token = String(item?.token_id ?? '');
    const found = findToken(catalogue, token);
    return found === null || !hasBook(found.market, nowMs) ? [] : [bookRecord(token, found, nowMs)];
  });
  return ok(records);
}

/** Worst first on both sides: bids ascend, asks descend. */
function bookRecord(token: string, { market, outcome }: TokenSide, nowMs: number) {
  const ticks = Math.round(1 / market.tick);
  const yes = topOfBook(market, nowMs);
  const top = outcome === 0 ? yes : { bid: ticks - yes.ask, ask: ticks - yes.bid };
  const decimals = market.tick === 0.01 ? 2 : 3;
  // A bid for one outcome is an offer of the other: both books show the same sizes.
  const row = (price: number, isBid: boolean, level: number) => ({
    price: (price * market.tick).toFixed(decimals),
    size: String(
      levelSizeAt(`${market.id}/${isBid === (outcome === 0)}`, level, nowMs, market.volumePerDay / 60, 2),
    ),
  });
  const bids = Array.from({ length: Math.min(DEPTH, top.bid) }, (_, level) =>
    row(top.bid - level, true, level),
  );
  const asks = Array.from({ length: Math.min(DEPTH, ticks - top.ask) }, (_, level) =>
    row(top.ask + level, false, level),
  );
  const last = lastPrice(market, nowMs);
  const sidePrice = outcome === 0 ? last : 1 - last;
  return {
    market: conditionOf(market),
    asset_id: token,
    timestamp: String(nowMs),
    hash: createHash('sha1').update(`${token}${nowMs}`).digest('hex'),
    bids: bids.reverse(),
    asks: asks.reverse(),
    min_order_size: '5',
    tick_size: String(market.tick),
    neg_risk: market.event.exclusive && market.event.markets.length > 1,
    last_trade_price: last === 0 ? '' : sidePrice.toFixed(decimals),
  };
}

function history(catalogue: Catalogue, { query, nowMs }: MarketRequest): Reply {
  const token = query.get('market') ?? '';
  if (token === '') return failure(400, MARKET_MISSING);
  const found = findToken(catalogue, token);
  const fidelity = integer(query, 'fidelity', [1, 1_440], 1);
  if (fidelity === null) return failure(400, "invalid filters: 'fidelity' is not valid");
  const interval = query.get('interval');
  if (interval === null) return windowed(found, query, fidelity, nowMs);
  const range = INTERVALS[interval];
  if (range === undefined) return failure(400, "invalid filters: 'interval' is not valid");
  if (fidelity < range.minFidelity) {
    const least = `minimum 'fidelity' for '${interval}' range is ${range.minFidelity}`;
    return failure(400, `invalid filters: ${least}`);
  }
  if (found === null || phaseOf(found.market.event, nowMs) === 'settled') return ok({ history: [] });
  return ok({ history: points(found, nowMs - range.spanMs, nowMs, fidelity * MINUTE_MS, nowMs) });
}

function windowed(found: TokenSide | null, query: URLSearchParams, fidelity: number, nowMs: number): Reply {
  const start = integer(query, 'startTs', [1, 99_999_999_999], 0);
  const end = integer(query, 'endTs', [1, 99_999_999_999], 0);
  if (!start || !end)
    return failure(400, "invalid filters: 'interval' or 'startTs' and 'endTs' are required");
  if (end - start > WINDOW_MAX_SEC) {
    return failure(400, "invalid filters: 'startTs' and 'endTs' interval is too long");
  }
  if (found === null) return ok({ history: [] });
  const stepMs = Math.max(MIN_WINDOW_STEP_MS, fidelity * MINUTE_MS);
  return ok({ history: points(found, start * SECOND_MS, end * SECOND_MS, stepMs, nowMs) });
}

/** Jittered times; a live market's reply ends with a point stamped now, whatever the window. */
function points(
  { market, outcome }: TokenSide,
  startMs: number,
  endMs: number,
  stepMs: number,
  nowMs: number,
) {
  const { opensMs, closesMs } = market.event;
  const lastMs = Math.min(endMs, closesMs, nowMs);
  const { key } = market;
  const list: { t: number; p: number }[] = [];
  for (let at = Math.max(startMs, opensMs); at < lastMs; at += stepMs) {
    const jitterMs = Math.floor(keyedRandom(key, at) * 20) * SECOND_MS;
    list.push(pointAt(market, outcome, Math.min(at + jitterMs, lastMs)));
  }
  if (nowMs < closesMs && nowMs >= opensMs) list.push(pointAt(market, outcome, nowMs));
  return list;
}

function pointAt(market: SimMarket, outcome: 0 | 1, timeMs: number): { t: number; p: number } {
  const middle = middleOf(market, timeMs);
  const p = Number((outcome === 0 ? middle : 1 - middle).toFixed(4));
  return { t: Math.floor(timeMs / SECOND_MS), p };
}
