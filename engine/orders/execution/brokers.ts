import type { Mode, Venue } from '../../../db/vocabulary.ts';
import type { Broker, OrderKey } from '../../../venues/broker.ts';
import type { BooksKey } from '../../context.ts';

/** Who trades for an account: the venue account that `connectionId` names, or, without one, the account's own on paper. */
export type Brokers = {
  /** @throws Error where nobody trades for these books: their orders wait, and expire. */
  of(books: BooksKey, venue: Venue, connectionId: string | null): Broker;
};

/** Hands each order to those who trade in its mode. */
export const brokersByMode = (byMode: Readonly<Partial<Record<Mode, Brokers>>>): Brokers => ({
  of(books, venue, connectionId) {
    const brokers = byMode[books.mode];
    if (brokers === undefined) throw new Error(`Nobody trades ${books.mode} orders here.`);
    return brokers.of(books, venue, connectionId);
  },
});

/** The order `id` of the books a work is about. */
export const keyOf = ({ accountId, mode }: BooksKey, id: string): OrderKey => ({ accountId, mode, id });
