/**
 * The one port to trading at a venue. An adapter is bound to one venue account; no code above it sees a wire format.
 *
 * Signing, building requests and parsing answers are pure functions beside the adapter. Parsing fails closed: an unknown shape
 * or status throws a `VenueError`, and nothing changes. Decimals are plain strings, amounts in the instrument's unit, prices
 * and `fee` in USD.
 */
import type { Venue } from './catalogue.ts';
import type { MayLeave, WithholdReason } from './http/send-once.ts';
import type { InstrumentInfo } from './reads.ts';
import type { Json, Liquidity, Mode, Side, TimeInForce } from './vocabulary.ts';

/** An order by its full key. `id` is the client order id: the venue recognizes a repeat by it. */
export type OrderKey = { readonly accountId: string; readonly mode: Mode; readonly id: string };

/** The order that a broker should place. */
export type BrokerOrder = OrderKey & {
  readonly tokenId: string;
  readonly venue: Venue;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  readonly amount: string;
  readonly limitPrice: string;
  /** A venue that supports an expiry must refuse the order if it arrives later. */
  readonly validUntil: Date;
  /** From here on the order may end. A venue that supports it may end the order itself; the caller cancels it in any case. */
  readonly goodTill: Date | null;
};

/** The fields of the instrument that an adapter needs to build a request. */
export type TradedInstrument = Pick<
  InstrumentInfo,
  | 'tokenId'
  | 'venue'
  | 'kind'
  | 'market'
  | 'outcome'
  | 'contract'
  | 'tickSize'
  | 'priceRanges'
  | 'stepSize'
  | 'minSize'
  | 'minNotional'
  | 'feeSchedule'
  | 'status'
>;

/** A request as it will leave, fixed and stored before it leaves. It holds no secret: it is signed when it is sent. */
export type Prepared = {
  readonly clientOrderId: string;
  /** The venue's own id, if it is known beforehand (venue B: the hash of the order). */
  readonly venueOrderId: string | null;
  readonly request: Json;
  /** The moment that the signature names: the request's timestamp. */
  readonly signedFor: Date;
  /** After this moment, on the venue's clock, the request can no longer arrive. Includes a margin for clocks. */
  readonly arrivesBy: Date;
};

/** `refused`: the venue would accept no request for this order. `code` is stable and snake_case. */
export type PrepareResult =
  | { readonly kind: 'prepared'; readonly prepared: Prepared }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string };

/** A submitted order, by all its names. */
export type OrderRef = OrderKey & {
  readonly tokenId: string;
  /** Null for an order that was sent before requests were stored. */
  readonly prepared: Prepared | null;
  /** As the venue reported it; null until then, even if the id is known beforehand. */
  readonly venueOrderId: string | null;
};

/**
 * An execution as the venue reports it. `tradeId` is unique within the order: one trade may fill several orders. `provisional`
 * fills can still fail; a `failed` one reverses its bookings.
 */
export type VenueFill = {
  readonly tradeId: string;
  readonly amount: string;
  readonly price: string;
  /** The charge, in USD at the time of the trade. */
  readonly fee: string;
  /** The asset of the charge (`USD` on paper, a coin if the venue charges coins), and its amount. */
  readonly feeAsset: string;
  readonly feeAmount: string;
  /** Null if the venue does not state it. */
  readonly liquidity: Liquidity | null;
  readonly state: 'provisional' | 'final' | 'failed';
  readonly at: Date;
};

/** The venue's data about one order. */
export type VenueOrder = {
  /** Null if the venue answers without one. */
  readonly venueOrderId: string | null;
  readonly status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** The filled amount that the venue states, even if `fills` do not show all of it yet; null if it states none. */
  readonly filledAmount: string | null;
  /** Every fill of the order that the venue shows, including those reported before, in any order. */
  readonly fills: readonly VenueFill[];
  /** The reason of a rejection or cancel: a stable code, and a sentence. */
  readonly reasonCode: string | null;
  readonly reason: string | null;
};

/**
 * The outcome of a request. `refused`: the venue states for certain that there is no such order. `exists`: the venue already
 * has an order with that id; {@link Broker.find} reports it.
 */
export type PlaceResult =
  | { readonly kind: 'taken'; readonly order: VenueOrder }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  /** This service stopped the request before its first byte left. */
  | ({ readonly kind: 'withheld' } & WithholdReason)
  | { readonly kind: 'exists' };

/** `gone`: the venue reports nothing to cancel. In both cases {@link Broker.find} reports the order's fate. */
export type CancelResult = { readonly kind: 'asked' } | { readonly kind: 'gone' };

/**
 * `absent`: all lists that could contain the order were read, and show the venue's state at `asOf` on its clock. `unsure`: the
 * venue could not tell, which is not evidence.
 */
export type FindResult =
  | { readonly kind: 'found'; readonly order: VenueOrder }
  | { readonly kind: 'absent'; readonly asOf: Date }
  | { readonly kind: 'unsure' };

/** An order that rests at the venue account, placed by this service or not. */
export type OpenVenueOrder = {
  readonly venueOrderId: string;
  /** Null if the venue does not store it, or the order was placed without one. */
  readonly clientOrderId: string | null;
  readonly tokenId: string;
  readonly side: Side;
  readonly amount: string;
  readonly limitPrice: string;
  readonly filledAmount: string;
  readonly placedAt: Date | null;
};

/**
 * A fill of the venue account and the order it belongs to, in the terms of the venue's book. They can differ from the order's
 * (venue A reports everything as of yes). Then the order's fills are those of {@link Broker.find}.
 */
export type AccountFill = VenueFill & {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
  readonly tokenId: string;
  readonly side: Side;
};

/** A page of fills, and the start of the next one; `cursor` is the adapter's own text. */
export type FillPage = { readonly fills: readonly AccountFill[]; readonly cursor: string };

export type VenuePosition = { readonly tokenId: string; readonly amount: string };

export type VenueBalance = {
  readonly currency: string;
  readonly available: string;
  readonly total: string;
  /** The shard of the exchange that it is on, if a venue separates balances by shard (venue A). */
  readonly shard?: string;
};

/** Money that the venue account received or sent (below zero), by the venue's own record. */
export type VenueTransfer = {
  readonly id: string;
  readonly currency: string;
  readonly amount: string;
  readonly at: Date;
};

/** Whether the venue accepts trading, and the rights of the credentials. */
export type VenueStatus = {
  /** How far the venue's clock is ahead of ours, ms; null if it does not report its time. */
  readonly clockOffsetMs: number | null;
  readonly isTrading: boolean;
  readonly resumesAt: Date | null;
  /** The rights of the credentials: `read`, `trade`, `withdraw`, `transfer`. */
  readonly permissions: readonly string[];
  /** Identifies the account at the venue, so that one account is connected once. */
  readonly fingerprint: string;
  readonly keyExpiresAt: Date | null;
  /**
   * The end of the attestation. After it the key may not enter markets of some categories (venue A: sports, elections,
   * entertainment).
   */
  readonly attestedUntil?: Date;
};

/** Settings of a venue account other than its rights. A part is absent if the venue does not state it. */
export type AccountTerms = {
  /** Yes and no of a market are netted (venue A). */
  readonly nets?: boolean;
  /** The fee of a taker, as a share of the notional (crypto). */
  readonly takerRate?: string;
};

/** An event of a user stream. After a `gap` orders and fills must be listed: no venue repeats missed events. */
export type VenueEvent =
  | {
      readonly kind: 'order';
      readonly clientOrderId: string | null;
      readonly tokenId: string;
      readonly order: VenueOrder;
    }
  | { readonly kind: 'fill'; readonly fill: AccountFill }
  | { readonly kind: 'gap' }
  | { readonly kind: 'unreadable'; readonly about: string };

/**
 * When {@link FindResult} `absent` is proof: this many times in a row. Each `asOf` must be after `arrivesBy`, and this far after the
 * previous one.
 */
export type AbsenceProof = { readonly times: number; readonly apartMs: number };

/**
 * A connection to one venue account. An exception of any method means "the answer is lost", never "it did not happen". The
 * caller calls {@link Broker.find} before it assumes either.
 */
export type Broker = {
  readonly absenceProof: AbsenceProof;
  /** The request for an order, or the reason why none is possible. Pure. */
  prepare(order: BrokerOrder, instrument: TradedInstrument, now: Date): PrepareResult;
  /** Submits an order, if it may leave: exactly one network call, which no layer below repeats. */
  place(order: BrokerOrder, prepared: Prepared, mayLeave: MayLeave): Promise<PlaceResult>;
  /** Requests the cancel of a resting order; may be repeated. */
  cancel(ref: OrderRef): Promise<CancelResult>;
  /** The fate of an order. */
  find(ref: OrderRef): Promise<FindResult>;
  /** Every open order of the venue account. */
  listOpen(): Promise<readonly OpenVenueOrder[]>;
  /** Fills in the venue's order, from `cursor` on, or from the beginning; some may be repeated. */
  fillsSince(cursor: string | null): Promise<FillPage>;
  positions(): Promise<readonly VenuePosition[]>;
  balances(): Promise<readonly VenueBalance[]>;
  /** Deposits and withdrawals since then, by the venue's record; none if it shows this key no record. */
  transfers(since: Date): Promise<readonly VenueTransfer[]>;
  status(): Promise<VenueStatus>;
  /** The settings of the account that the books depend on. */
  terms?(): Promise<AccountTerms>;
  /** Requests the cancel of every open order of the venue account. */
  cancelAll(): Promise<void>;
  /** Validates an order at a venue that can do so without placing it: a refusal, or null. */
  refusalOf?(prepared: Prepared): Promise<{ readonly code: string; readonly reason: string } | null>;
  /** Stores the current resting orders, at a venue where later reads need them. Call before any request leaves. */
  recordOpenOrders?(): Promise<void>;
  /** Sends a heartbeat, at a venue that cancels everything without one. */
  sendHeartbeat?(): Promise<void>;
  /** Reports events of the venue account, until it is stopped. */
  stream?(on: (event: VenueEvent) => void): { stop(): Promise<void> };
};
