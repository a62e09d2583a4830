import type { Mode, Venue } from '../../../../db/vocabulary.ts';
import type { Broker, OrderKey } from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';

/** Finds the broker of an order: that of the venue account `connectionId`, or, without one, of the account's paper venue. */
export type Brokers = {
  /** @throws Error if this process has no broker for these books: their orders wait, and expire. */
  of(books: BooksKey, venue: Venue, connectionId: string | null): Broker;
  /** Connections that it trades through; absent if there are none, or if no other process could use them. */
  readonly held?: HeldConnections;
};

/** Connections that this process holds a lease of: no other process trades through them meanwhile. */
export type HeldConnections = {
  /** Whether live trading is on: buys with real money are allowed. */
  readonly isLiveOn: boolean;
  ids(): readonly string[];
  /** Returns the lease epoch of a connection, as stored in `order_dispatch`; null if it is not held. */
  epochOf(connectionId: string): string | null;
  /** Returns the earliest reconciliation that allows buys: the connection was opened, or missed events, at that time. */
  comparedFrom(connectionId: string): Date | null;
  /** Whether its venue is known to have paused trading for all accounts. */
  isPaused(connectionId: string): boolean;
};

/** Routes each order to the brokers of its mode. */
export const brokersByMode = (byMode: Readonly<Partial<Record<Mode, Brokers>>>): Brokers => ({
  ...(byMode.live?.held && { held: byMode.live.held }),
  of(books, venue, connectionId) {
    const brokers = byMode[books.mode];
    if (brokers === undefined) throw new Error(`No broker trades ${books.mode} orders in this process.`);
    return brokers.of(books, venue, connectionId);
  },
});

/** Returns the key of order `id` in these books. */
export const keyOf = ({ accountId, mode }: BooksKey, id: string): OrderKey => ({ accountId, mode, id });
