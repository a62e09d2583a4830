import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';

/**
 * What left for a venue, written in the transaction that clears the order and before it leaves: one row an order, and one
 * request a row.
 */
export const OrderDispatch = defineEntity({
  name: 'OrderDispatch',
  tableName: 'order_dispatch',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    /** Null on paper. */
    connectionId: p.uuid().nullable(),
    /** Of the lease its sender held on the connection; null on paper, which needs none. */
    leaseEpoch: p.bigint('string').nullable(),
    clientOrderId: p.string().length(200),
    /** The venue's id, where it is known before the answer. */
    venueOrderId: p.string().length(200).nullable(),
    /** The request as it leaves, without secrets. */
    request: p.json<Json>(),
    signedFor: moment(),
    arrivesBy: moment(),
    sentAt: moment(),
    /** How many looks in a row have found that the venue has not got it, and what the last of them was the state of. */
    absences: p.integer().default(0),
    absentAsOf: moment().nullable(),
    /** Since when the venue says that more is filled than it shows fills of. */
    fillsMissingSince: moment().nullable(),
  },
});

/**
 * What a user stream told of an order that nobody here knew by then: it may come before the answer that says what the venue
 * calls the order. Taken over with that answer; what is still here a minute later is of somebody else's order.
 */
export const VenueEvent = defineEntity({
  name: 'VenueEvent',
  tableName: 'venue_event',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** What was told, so that a repeat is the same row. */
    key: p.string().length(500).primary(),
    clientOrderId: p.string().length(200).nullable(),
    venueOrderId: p.string().length(200).nullable(),
    /** The report in the words of the port. */
    report: p.json<Json>(),
    at: moment(),
  },
});
