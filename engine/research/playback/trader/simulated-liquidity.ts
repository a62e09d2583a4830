import type { Side } from '../../../../db/vocabulary.ts';
import type { Candle } from '../../../../venues/port.ts';
import type { MarkedQuote } from '../../../books/accounting/mark.ts';
import { type Exact, exact, floorTo, ZERO } from '../../../platform/decimal.ts';
import { ladderOf, tickOf } from '../../../platform/instruments/price-ladder.ts';
import type { InstrumentRow } from '../../../trading/orders/row.ts';
import type { MarketSnapshot } from '../../account/paper-venue.ts';
import type { Bar } from '../bars/bar-path.ts';
import { SIZE_MAX, type TopOfBook } from '../bars/top-of-book.ts';
import { toIsoCached } from '../iso-time.ts';
import { plainDecimal, plainDecimalOrNull } from '../plain-decimal.ts';
import type { BacktestRequest } from '../request.ts';
import type { SimulatedMarkets } from './simulated-markets.ts';

/** The paper venue offers a tenth of a candle's volume. */
const TENTHS = 10;

/** A recorded quote not confirmed for this long no longer shows the market. */
const UNSEEN_AFTER_MS = 30_000;

/** Converts a quote of the tape to a row, with the bid as its mark. */
export function markedQuoteOf(tokenId: string, { status }: InstrumentRow, topOfBook: TopOfBook): MarkedQuote {
  const at = toIsoCached(topOfBook.asOfMs);
  const bid = plainDecimalOrNull(topOfBook.bid);
  return {
    token_id: tokenId,
    bid,
    bid_size: plainDecimalOrNull(topOfBook.bidSize),
    ask: plainDecimalOrNull(topOfBook.ask),
    ask_size: plainDecimalOrNull(topOfBook.askSize),
    last: plainDecimalOrNull(topOfBook.last),
    volume24h: plainDecimalOrNull(topOfBook.quote?.volume24h ?? null),
    open_interest: plainDecimalOrNull(topOfBook.quote?.openInterest ?? null),
    change24h: plainDecimalOrNull(topOfBook.quote?.change24h ?? null),
    touch_known: topOfBook.quote?.isTopOfBookKnown ?? true,
    market_status: topOfBook.quote?.marketStatus ?? status,
    as_of: at,
    seq: '0',
    mark_price: bid,
    mark_at: bid === null ? null : at,
    no_bid_since: null,
    mark_fell_at: null,
    mark_before_fall: null,
    seen_at: at,
  };
}

/**
 * Offers that arriving orders meet. Candles do not record offers. Until the next bar closes, all orders of a side share a part
 * of the last one's volume.
 */
export class SimulatedLiquidity {
  readonly #market: SimulatedMarkets;
  readonly #fills: BacktestRequest['fills'];
  readonly #taken = new Map<string, Record<Side, Exact>>();

  constructor(market: SimulatedMarkets, fills: BacktestRequest['fills']) {
    this.#market = market;
    this.#fills = fills;
  }

  /** Resets the taken volume after a bar has closed. */
  renew(tokenId: string): void {
    this.#taken.delete(tokenId);
  }

  took(tokenId: string, side: Side, amount: string): void {
    if (this.#market.isRecorded(tokenId)) return;
    const taken = this.#taken.get(tokenId) ?? { buy: ZERO, sell: ZERO };
    this.#taken.set(tokenId, { ...taken, [side]: taken[side].plus(exact(amount)) });
  }

  /** Null while the market is not visible. */
  snapshotFor(instrument: InstrumentRow, atMs: number): MarketSnapshot {
    const { token_id } = instrument;
    const topOfBook = this.#market.topOfBookAt(token_id, atMs);
    if (topOfBook === null || atMs - topOfBook.asOfMs > UNSEEN_AFTER_MS) return null;
    if (topOfBook.quote?.isTopOfBookKnown === false) return null;
    const quote = {
      ask: this.#worse(instrument, 'buy', topOfBook.ask),
      bid: this.#worse(instrument, 'sell', topOfBook.bid),
      askSize: this.#sizeLeft(instrument, 'buy', topOfBook.askSize),
      bidSize: this.#sizeLeft(instrument, 'sell', topOfBook.bidSize),
      asOf: toIsoCached(topOfBook.asOfMs),
    };
    return { quote };
  }

  /** Converts a closed bar for resting orders: they may take the requested share, where the paper venue offers a tenth. */
  candleOf({ bar, volume }: { bar: Bar; volume: number }): Candle {
    const { openMs, closeMs, open, high, low, close } = bar;
    return {
      openTimeMs: openMs,
      closeTimeMs: closeMs - 1,
      open,
      high,
      low,
      close,
      volume: this.#volumeFor(volume),
    };
  }

  #volumeFor(volume: number): number {
    const { liquidity, share } = this.#fills;
    if (liquidity === 'unlimited') return volume > 0 ? SIZE_MAX : 0;
    return exact(plainDecimal(volume)).times(share).times(TENTHS).toNumber();
  }

  #worse(instrument: InstrumentRow, side: Side, price: number | null): string | null {
    const { slippageTicks } = this.#fills;
    if (price === null || slippageTicks === 0) return plainDecimalOrNull(price);
    const quoted = exact(plainDecimal(price));
    const move = exact(tickOf(ladderOf(instrument), quoted)).times(slippageTicks);
    const moved = side === 'buy' ? quoted.plus(move) : quoted.minus(move);
    return moved.gt(0) ? moved.toFixed() : null;
  }

  #sizeLeft({ token_id, step_size }: InstrumentRow, side: Side, size: number | null): string | null {
    if (size === null || this.#fills.liquidity === 'unlimited' || this.#market.isRecorded(token_id)) {
      return plainDecimalOrNull(size);
    }
    const left = exact(plainDecimal(size)).minus(this.#taken.get(token_id)?.[side] ?? ZERO);
    return left.gt(0) ? floorTo(left, exact(step_size)).toFixed() : '0';
  }
}
