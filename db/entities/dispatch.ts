import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';

/**
 * A request to a venue, written in the transaction that clears the order and before it is sent: one row an order, and
 * one request a row.
 */
export const OrderDispatch = defineEntity({
  name: 'OrderDispatch',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    /** Null on paper. */
    connectionId: p.uuid().nullable(),
    /** The epoch of the lease that its sender held on the connection; null on paper, which needs none. */
    leaseEpoch: p.bigint('string').nullable(),
    clientOrderId: p.string().length(200),
    /** The venue's id, if it is known before the response. */
    venueOrderId: p.string().length(200).nullable(),
    /** The request as it is sent, without secrets. */
    request: p.json<Json>(),
    signedFor: moment(),
    arrivesBy: moment(),
    sentAt: moment(),
    /** How many polls in a row did not find it at the venue. `absentAsOf` is the time of the last one's state. */
    absences: p.integer().default(0),
    absentAsOf: moment().nullable(),
    /** The time since which the venue reports more filled than it lists fills for. */
    fillsMissingSince: moment().nullable(),
  },
});

/**
 * An event of a user stream about an order that was unknown when it arrived. It may arrive before the response that gives
 * the venue's order id, and is applied with that response. A row still here a minute later belongs to a foreign order.
 */
export const VenueEvent = defineEntity({
  name: 'VenueEvent',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** The content of the event, so that a repeat is the same row. */
    key: p.string().length(500).primary(),
    clientOrderId: p.string().length(200).nullable(),
    venueOrderId: p.string().length(200).nullable(),
    /** The report in the terms of the `Broker` port. */
    report: p.json<Json>(),
    at: moment(),
  },
});
