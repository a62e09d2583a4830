import type { Candle } from '../../../venues/port.ts';
import { prepareOnPaper } from '../../trading/orders/paper/arrival.ts';
import type { OrderRow } from '../../trading/orders/row.ts';
import { type MarketSnapshot, MemoryPaperVenue } from './paper-venue.ts';
import { type Moment, SimulatedAccount, type SimulatedAccountOptions } from './simulated-account.ts';

/** A simulated account whose orders trade at a paper venue in memory, used by backtests. */
export class PaperAccount extends SimulatedAccount {
  readonly venue: MemoryPaperVenue;

  constructor(options: SimulatedAccountOptions) {
    super(options);
    this.venue = new MemoryPaperVenue(options.newId);
  }

  /** Does what `sendOrder` does, at a market that shows `shown` now. */
  send(id: string, snapshot: MarketSnapshot, moment: Moment): void {
    const submission = this.submit(id, (order) => prepareOnPaper(order, moment.now), moment);
    if (submission === null) return;
    const market = this.market(submission.order.tokenId);
    this.answer(id, this.venue.place(submission.order, market, snapshot, moment.now), moment);
  }

  /** Does what `cancelAtVenue` does. */
  cancelAtVenue(id: string, moment: Moment): void {
    this.venue.cancel(id, moment.now);
    this.sync(id, moment);
  }

  /** Does what `syncOrder` does. */
  sync(id: string, moment: Moment): void {
    const found = this.venue.find(id);
    if (found !== null) this.answer(id, found, moment);
  }

  /** Matches the resting orders of an instrument with its quote and its closed minutes, and books the trades. */
  advance(tokenId: string, candles: readonly Candle[], moment: Moment): void {
    for (const id of this.venue.advance(this.market(tokenId), candles, moment.now)) this.sync(id, moment);
  }

  /** Matches the resting orders of an instrument with candles only: no quote was recorded that could fill them. */
  meetCandles(tokenId: string, candles: readonly Candle[], moment: Moment): void {
    const market = { ...this.market(tokenId), quote: null };
    for (const id of this.venue.advance(market, candles, moment.now)) this.sync(id, moment);
  }

  /** Drops an ended order. */
  drop(order: OrderRow): void {
    this.rows.drop(order);
    this.venue.drop(order.id);
  }
}
