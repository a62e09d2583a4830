import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { DIFFERENCE_KINDS, DIFFERENCE_STATES } from '../vocabulary.ts';

/** Something that was one thing in the books and another at the venue. Of one subject one row is open at a time. */
export const VenueDifference = defineEntity({
  name: 'VenueDifference',
  tableName: 'venue_difference',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    /** What it is about: an order, a fill, a position or cash, by the names of the venue. */
    subject: p.string().length(500),
    kind: p.enum(DIFFERENCE_KINDS),
    /** Amounts in the instrument's unit, cash in USD; null where a side says nothing. */
    ours: decimal().nullable(),
    theirs: decimal().nullable(),
    /** USD; null where nobody can tell. */
    worth: decimal().nullable(),
    about: p.json<Json>(),
    firstSeen: moment(),
    /** Since when it is of its kind. */
    since: moment(),
    lastSeen: moment(),
    state: p.enum(DIFFERENCE_STATES),
    /** Who resolved it, and in whose words; null while it is open, and where it went by itself. */
    resolvedBy: p.string().length(80).nullable(),
    note: p.text().nullable(),
    resolvedAt: moment().nullable(),
  },
});

/** How far a connection was compared with its venue account, and when each part was last. */
export const VenueCursor = defineEntity({
  name: 'VenueCursor',
  tableName: 'venue_cursor',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** Where the next page of fills begins, in the adapter's own words. */
    fills: p.text().nullable(),
    ordersAt: moment().nullable(),
    fillsAt: moment().nullable(),
    booksAt: moment().nullable(),
    /** When money and holdings last agreed, or were explained. */
    agreedAt: moment().nullable(),
  },
});

/** The money of a venue account as its venue last told it, by currency and part of the exchange. */
export const VenueCash = defineEntity({
  name: 'VenueCash',
  tableName: 'venue_cash',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    currency: p.string().length(20).primary(),
    /** Empty where the venue keeps all in one place. */
    shard: p.string().length(20).primary(),
    available: decimal(),
    total: decimal(),
    readAt: moment(),
  },
});
