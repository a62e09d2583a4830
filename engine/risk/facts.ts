import type { ConnectionState, Side } from '../../db/vocabulary.ts';
import type { Exact } from '../platform/decimal.ts';
import type { StaleMark } from './mark-age.ts';

/** How far an account is below its high-water mark. */
export type Drawdown = {
  /** USD. */
  readonly below: Exact;
  /** When it stopped the account; null where it has not, or the rule was changed since. */
  readonly trippedAt: Date | null;
};

/** What the account looks like to the rules, this order left out. */
export type Aggregates = {
  /** USD at stake in each instrument held or with a live buy: what it cost, and what those buys may still cost. */
  exposures: ReadonlyMap<string, Exact>;
  /** Those of which there is nothing but dust; with real money alone. */
  dust?: ReadonlySet<string>;
  /** The same by blueprint: USD at stake by each that holds something or has a live buy. */
  blueprintStakes: ReadonlyMap<string, Exact>;
  /** Buys that entered `queued` in the last 60 s. */
  queuedLastMinute: number;
  /** USD. Cash less what live buys reserve. */
  freeCash: Exact;
  /** USD. Realized today after fees, plus unrealized now, less unrealized when the day opened. */
  dayPnl: Exact;
  /** When the loss of the day tripped the account; null where it has not today, or the rule was changed since. */
  trippedAt: Date | null;
  /** Null while the rule is off. */
  drawdown: Drawdown | null;
  /** The oldest mark the loss of the day was taken at, where it is too old to buy by. */
  staleMark: StaleMark | null;
  lastLossAt: Date | null;
  /** What a sell may take: held in its positions and not reserved by other sells. */
  heldAndFree: Exact;
};

/**
 * Who said yes already: nobody, the deploy that froze an exit into a release, a person just now, or the web session that
 * asked for this very close.
 */
export type Approval =
  | { by: 'nobody' }
  | { by: 'deploy'; release: number }
  | { by: 'person' }
  | { by: 'request' };

/** The envelope of the key behind an order, as it stands at the decision: a plain JSON value, kept on the receipt. */
export type EnvelopeFacts = {
  readonly keyId: string;
  /** USD, decimal strings; absent where there is no bound. */
  readonly maxOrder?: string;
  readonly maxDay?: string;
  /** USD. Buys of the key since 00:00 UTC: what is filled, and what may still be. */
  readonly spentToday: string;
  readonly alwaysApprove?: true;
  /** Whether the order is for a blueprint the key was not made for. */
  readonly isOutside: boolean;
  /** Whether the key is revoked or has expired. */
  readonly hasEnded: boolean;
};

/** The way an order with real money would leave by, as it stands at the decision: a plain JSON value, kept on the receipt. */
export type PassageFacts = {
  /** Null where the account has no connection to the venue. */
  readonly connectionId: string | null;
  readonly state: ConnectionState | null;
  /** Whether the service trades with real money at all. */
  readonly isLiveOn: boolean;
};

/**
 * What bounds real money, as it stands at the decision: a plain JSON value, kept on the receipt. USD, decimal strings; a bound
 * that is not there is absent. Sums leave the order itself out.
 */
export type LiveFacts = {
  /** What the operator allows, whatever an account sets. */
  readonly service: { readonly maxOrder?: string; readonly maxDay?: string };
  /** Buys of the account since 00:00 UTC: what was paid, and what live ones may still be, at their limits. */
  readonly spentToday: string;
  /** The venue account it goes to, and what its owner allows there. */
  readonly connection?: {
    readonly id: string;
    readonly maxOrder?: string;
    readonly maxDay?: string;
    readonly maxOpenNotional?: string;
    /** What open orders that somebody else placed there may still cost; absent without any. */
    readonly external?: string;
    /** As above, of what goes through it. */
    readonly spentToday: string;
    /** What is held at its venue, at cost, and what live buys there may still be. */
    readonly openNotional: string;
  };
  /** Units of the other side of its market, held or being bought, where its venue would net both; not said of a sell. */
  readonly otherSide?: string;
  /** Instruments of which there is nothing but dust, in order; not said of a sell, absent where there is none. */
  readonly dust?: string[];
  /** What the venue says is there to buy with, less what has left since. Absent where it has not been asked yet. */
  readonly funds?: { readonly available: string; readonly asOf: string };
};

export type IntentFacts = {
  tokenId: string;
  side: Side;
  amount: Exact;
  /** USD. Notional the rules judge. */
  size: Exact;
  /** USD. The most the venue can charge for all of it. */
  worstFee: Exact;
  approval: Approval;
  /** Whose order it is; absent where one is only thought of. */
  blueprintId?: string | undefined;
  /** Of the key behind it; absent where there is none. */
  envelope?: EnvelopeFacts | undefined;
  /** With real money, the way it would leave by; absent on paper. */
  route?: PassageFacts | undefined;
  /** Absent on paper. */
  live?: LiveFacts | undefined;
};
