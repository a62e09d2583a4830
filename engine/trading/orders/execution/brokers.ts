import type { Mode, Venue } from '../../../../db/vocabulary.ts';
import type { Broker, OrderKey } from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';

/** Who trades for an account: the venue account that `connectionId` names, or, without one, the account's own on paper. */
export type Brokers = {
  /** @throws Error where nobody trades for these books: their orders wait, and expire. */
  of(books: BooksKey, venue: Venue, connectionId: string | null): Broker;
  /** The connections it trades through; absent where there are none, or where no other process could. */
  readonly held?: HeldConnections;
};

/** The connections to venue accounts that this process trades through, which no other one does meanwhile. */
export type HeldConnections = {
  /** Whether anything may be bought with real money. */
  readonly isLiveOn: boolean;
  ids(): readonly string[];
  /** The lease a connection is held by, as `order_dispatch` keeps it; null where it is not held. */
  epochOf(connectionId: string): string | null;
  /** Since when the venue has to have been compared with the books before anything is bought: it was opened, or missed something, then. */
  comparedFrom(connectionId: string): Date | null;
  /** Whether its venue takes no orders from anybody for a while, as far as is known. */
  isPaused(connectionId: string): boolean;
};

/** Hands each order to those who trade in its mode. */
export const brokersByMode = (byMode: Readonly<Partial<Record<Mode, Brokers>>>): Brokers => ({
  ...(byMode.live?.held && { held: byMode.live.held }),
  of(books, venue, connectionId) {
    const brokers = byMode[books.mode];
    if (brokers === undefined) throw new Error(`Nobody trades ${books.mode} orders here.`);
    return brokers.of(books, venue, connectionId);
  },
});

/** The order `id` of the books a work is about. */
export const keyOf = ({ accountId, mode }: BooksKey, id: string): OrderKey => ({ accountId, mode, id });
