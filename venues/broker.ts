/**
 * The one port to trading at a venue. An adapter is bound to one venue account; nothing above it sees a wire format.
 *
 * Signing, building requests and reading answers are pure functions beside the adapter. Reading fails closed: a shape or a
 * status nobody knows throws a `VenueError`, and nothing changes. Decimals are plain strings, amounts in the instrument's
 * unit, prices and `fee` in USD.
 */
import type { Json, Liquidity, Mode, Side, TimeInForce, Venue } from '../db/vocabulary.ts';
import type { MayLeave, WhyWithheld } from './http/send-once.ts';
import type { InstrumentInfo } from './port.ts';

/** An order by its full key. `id` is the client order id: the venue knows a repeat by it. */
export type OrderKey = { readonly accountId: string; readonly mode: Mode; readonly id: string };

/** What a broker is asked to do. */
export type BrokerOrder = OrderKey & {
  readonly tokenId: string;
  readonly venue: Venue;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  readonly amount: string;
  readonly limitPrice: string;
  /** A venue that can tell must refuse the order if it arrives later. */
  readonly validUntil: Date;
  /** A venue that can end an order by itself may do so from here on; it is asked back then in any case. */
  readonly goodTill: Date | null;
};

/** What an adapter needs to know of the instrument to make a request. */
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

/** A request as it will leave, fixed and stored before it leaves. It holds no secret: the signature is made when it is sent. */
export type Prepared = {
  readonly clientOrderId: string;
  /** The venue's own id, where it is known beforehand (venue B: the hash of the order). */
  readonly venueOrderId: string | null;
  readonly request: Json;
  /** The moment the request is signed for: its timestamp. */
  readonly signedFor: Date;
  /** After this moment, on the venue's clock, the request cannot arrive any more, a margin for clocks included. */
  readonly arrivesBy: Date;
};

/** `refused`: no request that the venue would take can be made of it, for a stable snake_case `code`. */
export type Preparation =
  | { readonly kind: 'prepared'; readonly prepared: Prepared }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string };

/** An order that was handed over, by all its names. */
export type OrderRef = OrderKey & {
  readonly tokenId: string;
  /** Null for an order that was sent before requests were kept. */
  readonly prepared: Prepared | null;
  /** As the venue told it; null until it has, also where the id is known beforehand. */
  readonly venueOrderId: string | null;
};

/**
 * An execution as the venue tells it. `tradeId` is unique within the order: one trade may fill several orders.
 * `provisional` ones can still fail; a `failed` one undoes what was booked of it.
 */
export type VenueFill = {
  readonly tradeId: string;
  readonly amount: string;
  readonly price: string;
  /** What was charged, USD at the time of the trade. */
  readonly fee: string;
  /** What it was charged in (`USD` on paper, a coin where the venue takes coins), and how much of that. */
  readonly feeAsset: string;
  readonly feeAmount: string;
  /** Null where the venue does not say. */
  readonly liquidity: Liquidity | null;
  readonly state: 'provisional' | 'final' | 'failed';
  readonly at: Date;
};

/** What the venue knows of one order. */
export type VenueOrder = {
  /** Null where the venue answers without one. */
  readonly venueOrderId: string | null;
  readonly status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** How much the venue says is filled, also where `fills` do not show all of it yet; null where it does not say. */
  readonly filledAmount: string | null;
  /** Every fill the venue shows of the order, those told before included, in any order. */
  readonly fills: readonly VenueFill[];
  /** Why it was rejected or canceled, stable and in words. */
  readonly reasonCode: string | null;
  readonly reason: string | null;
};

/**
 * What became of a request. `refused`: the venue says for certain that there is no such order. `exists`: it has an order of
 * that id already, so that {@link Broker.find} tells.
 */
export type Placed =
  | { readonly kind: 'taken'; readonly order: VenueOrder }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  /** The request was stopped on this side before its first byte left. */
  | ({ readonly kind: 'withheld' } & WhyWithheld)
  | { readonly kind: 'exists' };

/** `gone`: there is nothing to cancel, as far as the venue says. Either way {@link Broker.find} tells what became of it. */
export type Canceled = { readonly kind: 'asked' } | { readonly kind: 'gone' };

/**
 * `absent`: all places the order could be in were looked at, and show what the venue knew at `asOf` on its clock. `unsure`:
 * the venue could not tell, which proves nothing.
 */
export type Found =
  | { readonly kind: 'found'; readonly order: VenueOrder }
  | { readonly kind: 'absent'; readonly asOf: Date }
  | { readonly kind: 'unsure' };

/** An order that rests at the venue account, placed by this service or not. */
export type OpenAtVenue = {
  readonly venueOrderId: string;
  /** Null where the venue does not keep it, or somebody else placed the order without one. */
  readonly clientOrderId: string | null;
  readonly tokenId: string;
  readonly side: Side;
  readonly amount: string;
  readonly limitPrice: string;
  readonly filledAmount: string;
  readonly placedAt: Date | null;
};

/**
 * A fill of the venue account and the order it belongs to, in the words of the venue's book: where `tokenId` and `side` are not
 * those of the order (venue A tells everything as of yes), its fills are those that {@link Broker.find} tells.
 */
export type AccountFill = VenueFill & {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
  readonly tokenId: string;
  readonly side: Side;
};

/** A page of fills, and where the next one starts; `cursor` is the adapter's own text. */
export type FillPage = { readonly fills: readonly AccountFill[]; readonly cursor: string };

export type VenuePosition = { readonly tokenId: string; readonly amount: string };

export type VenueBalance = {
  readonly currency: string;
  readonly available: string;
  readonly total: string;
  /** The part of the exchange it lies in, where a venue keeps money apart (venue A). */
  readonly shard?: string;
};

/** Money that came to the venue account, or left it (below zero), by the venue's own record. */
export type VenueTransfer = {
  readonly id: string;
  readonly currency: string;
  readonly amount: string;
  readonly at: Date;
};

/** Whether the venue can be traded at, and with what rights. */
export type VenueStatus = {
  /** How far the venue's clock is ahead of ours, ms; null where it does not tell the time. */
  readonly clockOffsetMs: number | null;
  readonly isTrading: boolean;
  readonly resumesAt: Date | null;
  /** What the credentials may do: `read`, `trade`, `withdraw`, `transfer`. */
  readonly permissions: readonly string[];
  /** Whose account it is at the venue, so that one account is connected once. */
  readonly fingerprint: string;
  readonly keyExpiresAt: Date | null;
  /** From then on the key may not enter markets of some categories (venue A: sports, elections, entertainment). */
  readonly attestedUntil?: Date;
};

/** How a venue account is set up, beside its rights. A part is absent where the venue does not say it. */
export type AccountTerms = {
  /** Yes and no of a market are paid out against each other (venue A). */
  readonly nets?: boolean;
  /** What a taker pays, a share of the notional (crypto). */
  readonly takerRate?: string;
};

/** What a user stream tells. After a `gap` orders and fills have to be listed: no venue repeats what was missed. */
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

/** When {@link Found} `absent` is proof: so many times in a row, each `asOf` after `arrivesBy` and so far from the one before. */
export type AbsenceProof = { readonly times: number; readonly apartMs: number };

/**
 * The way to one venue account. Whatever a method throws means "the answer is lost", never "it did not happen": the caller
 * asks with {@link Broker.find} before it believes anything.
 */
export type Broker = {
  readonly absenceProof: AbsenceProof;
  /** The request for an order, or why there can be none. Pure. */
  prepare(order: BrokerOrder, instrument: TradedInstrument, now: Date): Preparation;
  /** Hands an order over, if it may leave: exactly one network call, which nothing below repeats. */
  place(order: BrokerOrder, prepared: Prepared, mayLeave: MayLeave): Promise<Placed>;
  /** Asks for the end of a resting order; may be repeated. */
  cancel(ref: OrderRef): Promise<Canceled>;
  /** What became of an order. */
  find(ref: OrderRef): Promise<Found>;
  /** Every open order of the venue account. */
  listOpen(): Promise<readonly OpenAtVenue[]>;
  /** Fills in the order the venue lists them, from `cursor` on, or from its beginning; some may be told again. */
  fillsSince(cursor: string | null): Promise<FillPage>;
  positions(): Promise<readonly VenuePosition[]>;
  balances(): Promise<readonly VenueBalance[]>;
  /** Deposits and withdrawals since then, as the venue records them; none where it shows this key no record. */
  transfers(since: Date): Promise<readonly VenueTransfer[]>;
  status(): Promise<VenueStatus>;
  /** How the account is set up, where the books depend on it. */
  terms?(): Promise<AccountTerms>;
  /** Asks for the end of every open order of the venue account. */
  cancelAll(): Promise<void>;
  /** Whether the venue would take an order, where it validates orders without placing them: a refusal, or null. */
  refusalOf?(prepared: Prepared): Promise<{ readonly code: string; readonly reason: string } | null>;
  /** Sees once what rests, where what became of an order cannot be told without having seen it: before anything leaves. */
  look?(): Promise<void>;
  /** Tells the venue that somebody still watches, where it cancels everything otherwise. */
  beat?(): Promise<void>;
  /** Tells what happens to the venue account, until it is stopped. */
  stream?(on: (event: VenueEvent) => void): { stop(): Promise<void> };
};
