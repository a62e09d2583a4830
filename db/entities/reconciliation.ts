import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { DIFFERENCE_KINDS, DIFFERENCE_STATES } from '../vocabulary.ts';

/** A difference between the books and the venue. One subject has one open row at a time. */
export const VenueDifference = defineEntity({
  name: 'VenueDifference',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    /** Its subject: an order, a fill, a position or cash, by the names of the venue. */
    subject: p.string().length(500),
    kind: p.enum(DIFFERENCE_KINDS),
    /** Amounts in the instrument's unit, cash in USD; null if a side states none. */
    ours: decimal().nullable(),
    theirs: decimal().nullable(),
    /** USD; null if the worth is unknown. */
    worth: decimal().nullable(),
    about: p.json<Json>(),
    firstSeen: moment(),
    /** The time since which it has its kind. */
    since: moment(),
    lastSeen: moment(),
    state: p.enum(DIFFERENCE_STATES),
    /** The resolver and their note; null while it is open, and if it went away on its own. */
    resolvedBy: p.string().length(80).nullable(),
    note: p.text().nullable(),
    resolvedAt: moment().nullable(),
  },
});

/** How far a connection was compared with its venue account, and when each part was last compared. */
export const VenueCursor = defineEntity({
  name: 'VenueCursor',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** The position of the next page of fills, in the adapter's own format. */
    fills: p.text().nullable(),
    ordersAt: moment().nullable(),
    fillsAt: moment().nullable(),
    booksAt: moment().nullable(),
    /** When money and holdings last agreed, or were explained. */
    agreedAt: moment().nullable(),
  },
});

/** The money of a venue account as last reported by its venue, by currency and part of the exchange. */
export const VenueCash = defineEntity({
  name: 'VenueCash',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    currency: p.string().length(20).primary(),
    /** Empty if the venue keeps all in one part. */
    shard: p.string().length(20).primary(),
    available: decimal(),
    total: decimal(),
    readAt: moment(),
  },
});
