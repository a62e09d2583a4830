import type { Candle } from '../../../venues/port.ts';
import { preparePaperRequest } from '../../trading/orders/paper/execute-arrival.ts';
import type { OrderRow } from '../../trading/orders/row.ts';
import { type MarketSnapshot, MemoryPaperVenue } from './paper-venue.ts';
import { type ActorAndTime, SimulatedAccount, type SimulatedAccountOptions } from './simulated-account.ts';

/** A simulated account whose orders trade at a paper venue in memory, used by backtests. */
export class PaperAccount extends SimulatedAccount {
  readonly venue: MemoryPaperVenue;

  constructor(options: SimulatedAccountOptions) {
    super(options);
    this.venue = new MemoryPaperVenue(options.newId);
  }

  /** Does what `sendOrder` does, at a market that shows `shown` now. */
  send(id: string, snapshot: MarketSnapshot, moment: ActorAndTime): void {
    const submission = this.submit(id, (order) => preparePaperRequest(order, moment.now), moment);
    if (submission === null) return;
    const market = this.market(submission.order.tokenId);
    this.answer(id, this.venue.place(submission.order, market, snapshot, moment.now), moment);
  }

  /** Does what `cancelAtVenue` does. */
  cancelAtVenue(id: string, moment: ActorAndTime): void {
    this.venue.cancel(id, moment.now);
    this.sync(id, moment);
  }

  /** Does what `syncOrder` does. */
  sync(id: string, moment: ActorAndTime): void {
    const found = this.venue.find(id);
    if (found !== null) this.answer(id, found, moment);
  }

  /** Matches the resting orders of an instrument with its quote and its closed minutes, and books the trades. */
  advance(tokenId: string, candles: readonly Candle[], moment: ActorAndTime): void {
    for (const id of this.venue.advance(this.market(tokenId), candles, moment.now)) this.sync(id, moment);
  }

  /** Matches the resting orders of an instrument with candles only: no quote was recorded that could fill them. */
  meetCandles(tokenId: string, candles: readonly Candle[], moment: ActorAndTime): void {
    const market = { ...this.market(tokenId), quote: null };
    for (const id of this.venue.advance(market, candles, moment.now)) this.sync(id, moment);
  }

  /** Drops an ended order. */
  drop(order: OrderRow): void {
    this.rows.drop(order);
    this.venue.drop(order.id);
  }
}
