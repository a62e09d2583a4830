/**
 * The vocabulary of the strategy engine: graphs, plans, and the inputs and results of an evaluation. Everything here is a
 * value. Nothing in `engine/strategy/graph` does I/O, reads a clock or uses a random number.
 *
 * Instants are Unix milliseconds of the feed's clock. Prices and graph numbers are IEEE doubles; booked amounts (positions,
 * orders, intents) are decimal strings.
 */

import type { OrderOrigin } from '../../../db/entities/order.ts';
import type { InstrumentKind, TimeInForce } from '../../../db/vocabulary.ts';
import type { Candle, CandleInterval, MarketStatus, PriceRange } from '../../../venues/port.ts';
import type { ClosedCandles } from './candles.ts';
import type { ReasonCode } from './reason-codes.ts';

export type { Candle };

// ---- values ------------------------------------------------------------------------------------

/** Explains a node's state. `code` is stable snake_case, `message` a sentence for the operator. */
export type Reason = {
  readonly code: ReasonCode;
  readonly message: string;
};

/** An unknown value, and the reason. No action fires on it. */
export type Unknown = {
  readonly unknown: Reason;
  /** Only units that live buys may still add are against it: a quote does not withdraw its own buy for that. */
  readonly isOfLiveBuys?: true;
};

/** A value on an edge. */
export type Value = number | boolean | Unknown;

export type PortKind = 'number' | 'boolean';

// ---- world: an immutable snapshot, shared by all blueprints up to `account` -------

/** The top of a market's book. `null` means that the venue states none (never 0 for "no bid"). */
export type GraphQuote = {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  readonly bidSize: number | null;
  readonly askSize: number | null;
  readonly volume24h: number | null;
  readonly openInterest: number | null;
  /** Relative change over 24 h: 0.05 is +5 %. */
  readonly change24h: number | null;
  readonly marketStatus: MarketStatus;
  readonly settlementValue: number | null;
  readonly asOf: number;
  readonly seq: number;
};

export type BookLevel = {
  readonly price: number;
  readonly size: number;
};

/** An order book, best level first on both sides. */
export type Book = {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly asOf: number;
};

/**
 * `closed` is oldest first and complete. Append to the last view of a series rather than make a new one: indicator values are
 * cached by series, once per process. For a paused blueprint `closed` begins `window` candles before the first missed one: it
 * can then step through all of them.
 */
export type CandleSeries = {
  readonly closed: ClosedCandles;
  /** The candle that is still forming, if known, and when it was read. */
  readonly open: Candle | null;
  readonly openAsOf: number | null;
};

/** Facts about an instrument that valid orders need. Decimal strings, as in `InstrumentInfo`. */
export type InstrumentFacts = {
  readonly tokenId: string;
  readonly kind: InstrumentKind;
  readonly title: string;
  readonly quoteCurrency: string;
  /** Quoted in USD, USDT or USDC, with a known fee and a book; others are data only. */
  readonly tradable: boolean;
  readonly tickSize: string;
  /** The allowed price ranges; multiples of `tickSize` if empty. */
  readonly priceRanges: readonly PriceRange[];
  readonly stepSize: string;
  readonly minSize: string;
  readonly minNotional: string | null;
  /** When its market opened for trading; `null` if its venue does not state it. */
  readonly opensAt: number | null;
  readonly closesAt: number | null;
  /** Its market is closed or settled, or its venue no longer lists it. A pause is no end. */
  readonly hasEnded: boolean;
};

/** This blueprint's position in one instrument. A flat one is absent. */
export type Position = {
  readonly amount: string;
  /** Units held and not reserved by a live or approved sell. */
  readonly free: string;
  readonly averageCost: string;
  readonly openedAt: number;
};

/** An order of one action node of this deployment. */
export type NodeOrder = {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  /** `null` while an intent is undecided. */
  readonly limitPrice: string | null;
  /** A cancel is requested and not confirmed: it may still fill. */
  readonly isCanceling: boolean;
  readonly filledAmount: string;
  /** USD. Sum of price × quantity over its fills. */
  readonly filledNotional: string;
  /** USD. */
  readonly fees: string;
  /** When it reached a final status; `null` while live. */
  readonly endedAt: number | null;
  /** For a denial: the text of the receipt. */
  readonly message: string | null;
};

/**
 * `live`: the one order of this node that is not final. An intent that is raised and not decided yet counts as live. `last`:
 * the order or refused intent that ended most recently. `ended`: the order, where `last` is an intent that became none.
 */
export type NodeOrders = {
  readonly live: NodeOrder | null;
  readonly last: NodeOrder | null;
  readonly ended?: NodeOrder | null;
};

/** Money of the account, in USD, for reading and sizing. `null` is "not known now". */
export type AccountFacts = {
  readonly equity: number | null;
  readonly freeCash: number | null;
  /** The largest notional of one buy that the risk rules would allow now. */
  readonly orderHeadroom: number | null;
  /** Profit and loss since 00:00 UTC. */
  readonly dayPnl: number | null;
  /** By instrument: holdings at cost, plus the largest cost of live buys. */
  readonly exposures: Readonly<Record<string, number>>;
  readonly asOf: number;
};

/** The newest value that senders outside the service wrote to a signal. A condition is 1 or 0. */
export type SignalArrival = {
  readonly value: number;
  readonly at: number;
  /** The same whenever it is read, and no other value of the signal's name ever has it. `at` depends on the reader's clock. */
  readonly id: string;
};

export type World = {
  /** By tokenId (crypto symbols included). */
  readonly quotes: ReadonlyMap<string, GraphQuote>;
  readonly books: ReadonlyMap<string, Book>;
  /** By `candleKey(symbol, interval)`. */
  readonly candles: ReadonlyMap<string, CandleSeries>;
  readonly instruments: ReadonlyMap<string, InstrumentFacts>;
  readonly account: AccountFacts | null;
  /** By name: signals with a value that this deployment may read. */
  readonly signals: ReadonlyMap<string, SignalArrival>;
  /** By tokenId: positions of this blueprint only. */
  readonly positions: ReadonlyMap<string, Position>;
  /** By tokenId: units that this blueprint's live and undecided buys may still add. Decimal strings. */
  readonly buying: ReadonlyMap<string, string>;
  /** By id of the action node: orders of this deployment only. */
  readonly orders: ReadonlyMap<string, NodeOrders>;
  /** The blueprint is in `error`: buys halt; sells, closes and exits continue. */
  readonly isHalted: boolean;
  /** Start of uninterrupted evaluation. Durations do not count time before it. */
  readonly observedSince: number;
};

// ---- memory ------------------------------------------------------------------------------------

export type NodeMemory = Readonly<Record<string, number | boolean | string | null | readonly number[]>>;

/**
 * State of a deployment from one evaluation to the next: JSON, small, durable. A deploy starts with `null`, a restart with the
 * stored one. It is replaced, never changed in place. The same object is returned when there is nothing new to store.
 */
export type Memory = {
  /** `now` of the first evaluation: a condition that was true before the deploy is not late. */
  readonly startedAt: number;
  /** By candle key: the instant the last stepped candle closed (its `closeTimeMs` + 1). */
  readonly candles: Readonly<Record<string, number>>;
  /** By node id; nodes without memory are absent. */
  readonly nodes: Readonly<Record<string, NodeMemory>>;
};

// ---- evaluation --------------------------------------------------------------------------------

export const NODE_STATUSES = [
  'idle',
  'waiting',
  'stale',
  'ok',
  'fired',
  'blocked',
  'missed',
  'error',
] as const;
export type NodeStatus = (typeof NODE_STATUSES)[number];

export type NodeState = {
  readonly status: NodeStatus;
  readonly value: number | boolean | null;
  readonly reason?: Reason;
  /** Distance of a condition from switching, in the unit of its comparison (seconds for timers). */
  readonly distance?: number;
  /** `now` of the evaluation that computed this state. */
  readonly updatedAt: number;
  readonly lastFiredAt?: number;
  readonly firedCount: number;
};

/** One number that led to an intent: a node's value, or a fact that the action itself read (`bid`). */
export type DecisionInput = {
  readonly nodeId: string;
  /** `out` for the value of a node, else the name of the fact. */
  readonly name: string;
  readonly value: number | boolean | string | null;
  readonly asOf: number | null;
};

/** The kind of action node that raises an intent, and so an order. */
export type ActionOrigin = Exclude<OrderOrigin, 'manual'>;

/**
 * A wish to trade, unique by (deployment, `nodeId`, `stepAt`): replaying a step raises the same one. `stepAt` is the instant
 * the candle closed (`closeTimeMs` + 1) for a node on a candle clock, else `now`.
 */
export type Intent = {
  readonly nodeId: string;
  readonly stepAt: number;
  readonly origin: ActionOrigin;
  /** Sells reduce; they are decided before buys. */
  readonly side: 'buy' | 'sell';
  readonly tokenId: string;
  readonly type: 'limit' | 'market';
  /** Decimal string, a multiple of the step unless it sells a whole remainder. */
  readonly amount: string;
  /** Decimal string on the tick for a limit order; `null` for a market order. */
  readonly limitPrice: string | null;
  /** Market orders: largest distance of the limit from the quote, relative for crypto; `null` is the default. */
  readonly slippage: string | null;
  readonly timeInForce: TimeInForce;
  /** Seconds after its creation at which a resting order is canceled; absent (also in older rows): never. */
  readonly expireAfterSec?: number;
  /** Time zone whose midnight cancels a resting order; absent (also in older rows): none does. */
  readonly dayZone?: string;
  /** Its node keeps it at a price: it rests in no error, and displaces no waiting sell. Absent (also in older rows): no. */
  readonly isKept?: true;
  /** Why it was raised: which barrier of an exit, or that the condition turned true. */
  readonly reason: Reason;
  /** At most 8 KB of JSON; nearest inputs first. */
  readonly inputs: readonly DecisionInput[];
};

/**
 * A wish to cancel the live order of an action node. It is raised again in every step until the order has the request, so it
 * need not be stored.
 */
export type Cancellation = {
  readonly nodeId: string;
  readonly orderId: string;
  /** Why, as the log of the order states it. */
  readonly reason: string;
};

/** How urgent a notification is, in rising order. */
export const NOTIFY_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type NotifySeverity = (typeof NOTIFY_SEVERITIES)[number];

export type Notification = {
  readonly nodeId: string;
  readonly stepAt: number;
  readonly severity: NotifySeverity;
  readonly text: string;
};

/** A node that threw. Its value is unknown; the other nodes continued. */
export type NodeFailure = {
  readonly nodeId: string;
  readonly message: string;
};

export type NodeStates = Readonly<Record<string, NodeState>>;

export type Evaluation = {
  /** Identical (`===`) to the memory passed in when nothing is to be stored. */
  readonly memory: Memory;
  /** Sells first, then in the order of the graph. */
  readonly intents: readonly Intent[];
  /** A node that cancels raises no intent in the same step. */
  readonly cancellations: readonly Cancellation[];
  readonly notifications: readonly Notification[];
  readonly failures: readonly NodeFailure[];
  /**
   * Status and reason code of every node, packed. Together with `memory` (which holds `firedCount`) it shows whether anything
   * durable changed: same memory, same signature, nothing to write.
   */
  readonly signature: string;
  /** Number of closed candles still to step; above 0 after a long pause, the next evaluation continues. */
  readonly behind: number;
  /** Built on first use from this evaluation's own data; at most 64 KiB of JSON. */
  readonly nodeStates: NodeStates;
};

// ---- compile -----------------------------------------------------------------------------------

export type Severity = 'error' | 'warning';

export type Issue = {
  readonly nodeId: string | null;
  /** JSON Pointer (RFC 6901) into `visual`; the empty string is the whole graph. */
  readonly path: string;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
};

export type CandleNeed = {
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Number of closed candles that give every indicator its value at one step (at most 1,000). */
  readonly window: number;
  /** Whether the candle that is still forming is read too. */
  readonly open: boolean;
};

/** Data that a world for this plan must hold; every list is sorted and without duplicates. */
export type Needs = {
  readonly quotes: readonly string[];
  readonly books: readonly string[];
  readonly candles: readonly CandleNeed[];
  /** All instruments that the graph names: compile with the facts of all of them, evaluate with these too. */
  readonly instruments: readonly string[];
  /** Instruments whose listing the graph reads: a backtest needs it from its first instant on. */
  readonly listings: readonly string[];
  readonly positions: readonly string[];
  /** Instruments that action nodes trade; the blueprint ends when all of them are settled. */
  readonly traded: readonly string[];
  readonly account: boolean;
  /** Names of signals. */
  readonly signals: readonly string[];
};

/** Facts known at compile time: `null` means that the venue was queried and does not know the instrument. */
export type KnownInstruments = ReadonlyMap<string, InstrumentFacts | null>;
