import type { Candle } from '../../../venues/port.ts';
import { prepareOnPaper } from '../../trading/orders/paper/arrival.ts';
import type { OrderRow } from '../../trading/orders/row.ts';
import { type DeskOptions, MemoryDesk, type Moment } from './desk.ts';
import { MemoryPaperVenue, type Shown } from './paper-venue.ts';

/** A desk in memory whose orders trade at a paper venue in memory: what a backtest runs on. */
export class PaperDesk extends MemoryDesk {
  readonly venue: MemoryPaperVenue;

  constructor(options: DeskOptions) {
    super(options);
    this.venue = new MemoryPaperVenue(options.newId);
  }

  /** As `sendOrder`, to a market that shows this now. */
  send(id: string, shown: Shown, moment: Moment): void {
    const departure = this.depart(id, (order) => prepareOnPaper(order, moment.now), moment);
    if (departure === null) return;
    const market = this.market(departure.order.tokenId);
    this.answer(id, this.venue.place(departure.order, market, shown, moment.now), moment);
  }

  /** As `cancelAtVenue`. */
  cancelAtVenue(id: string, moment: Moment): void {
    this.venue.cancel(id, moment.now);
    this.sync(id, moment);
  }

  /** As `syncOrder`. */
  sync(id: string, moment: Moment): void {
    const found = this.venue.find(id);
    if (found !== null) this.answer(id, found, moment);
  }

  /** What rests in an instrument meets its quote and the minutes that have closed; what traded is booked. */
  advance(tokenId: string, candles: readonly Candle[], moment: Moment): void {
    for (const id of this.venue.advance(this.market(tokenId), candles, moment.now)) this.sync(id, moment);
  }

  /** What rests in an instrument meets candles alone: no quote that nobody made fills it. */
  meetCandles(tokenId: string, candles: readonly Candle[], moment: Moment): void {
    const market = { ...this.market(tokenId), quote: null };
    for (const id of this.venue.advance(market, candles, moment.now)) this.sync(id, moment);
  }

  /** Forgets an order that has ended. */
  drop(order: OrderRow): void {
    this.rows.drop(order);
    this.venue.drop(order.id);
  }
}
