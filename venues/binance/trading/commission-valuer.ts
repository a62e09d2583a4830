/** Values commissions in USD at the time of their charge. */
import { LRUCache } from 'lru-cache';
import { midpoint } from '../../parse/decimal.ts';
import { MINUTE_MS } from '../../time.ts';
import { isDollar } from '../../trading.ts';
import { fillOf, ownRateOf, parseBody, type Trade, unreadable } from './answer.ts';
import { payloadOf } from './sign.ts';
import type { TradingHost } from './trading-host.ts';
import { Klines } from './wire.ts';

const KLINES_WEIGHT = 2;

export class CommissionValuer {
  readonly #host: TradingHost;
  /** By coin and minute. */
  readonly #rates = new LRUCache<string, Promise<string>>({ max: 500 });

  constructor(host: TradingHost) {
    this.#host = host;
  }

  /** Trades as fills. Throws a VenueError if the price of a coin is unavailable. */
  fills(trades: readonly Trade[]) {
    return Promise.all(trades.map((trade) => this.fill(trade)));
  }

  async fill(trade: Trade) {
    return fillOf(trade, await this.#rateOf(trade));
  }

  async #rateOf(trade: Trade): Promise<string> {
    if (Number(trade.commission) === 0 || isDollar(trade.commissionAsset)) return '1';
    const own = ownRateOf(trade);
    if (own !== null) return own;
    const minuteMs = trade.time - (trade.time % MINUTE_MS);
    const key = `${trade.commissionAsset}/${minuteMs}`;
    const known = this.#rates.get(key);
    if (known !== undefined) return known;
    const rate = this.#ask(`${trade.commissionAsset}USDT`, minuteMs);
    this.#rates.set(key, rate);
    // Failures are not cached.
    rate.catch(() => this.#rates.delete(key));
    return rate;
  }

  /** The middle between the highest and the lowest price of that minute. */
  async #ask(symbol: string, minuteMs: number): Promise<string> {
    const answer = await this.#host.sendRead({
      path: 'api/v3/klines',
      query: payloadOf({ symbol, interval: '1m', startTime: minuteMs, limit: 1 }),
      weight: KLINES_WEIGHT,
    });
    const [kline] = parseBody(answer, Klines, 'a price');
    if (kline === undefined || kline[0] !== minuteMs) throw unreadable('a price');
    return midpoint(kline[3], kline[2]);
  }
}
