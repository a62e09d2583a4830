import type { ConnectionState, Side } from '../../db/vocabulary.ts';
import type { Exact } from '../platform/decimal.ts';
import type { StaleMark } from './mark-age.ts';

/** Distance of an account below its high-water mark. */
export type Drawdown = {
  /** USD. */
  readonly below: Exact;
  /** When it stopped the account; null if it has not, or the rule was changed since. */
  readonly trippedAt: Date | null;
};

/** The account's values that the rules read, without this order. */
export type Aggregates = {
  /** USD at stake in each instrument held or with a live buy: its cost plus the reserve of those buys. */
  exposures: ReadonlyMap<string, Exact>;
  /** Instruments held only as dust; with real money only. */
  dust?: ReadonlySet<string>;
  /** USD at stake by each blueprint that has a position or a live buy. */
  blueprintStakes: ReadonlyMap<string, Exact>;
  /** Buys that entered `queued` in the last 60 s. */
  queuedLastMinute: number;
  /** USD. Cash less what live buys reserve. */
  freeCash: Exact;
  /** USD. Realized today after fees, plus unrealized now, less unrealized when the day opened. */
  dayPnl: Exact;
  /** When the daily loss tripped the account; null if it has not today, or the rule was changed since. */
  trippedAt: Date | null;
  /** Null while the rule is off. */
  drawdown: Drawdown | null;
  /** The oldest mark used for the daily loss, if it is too old to allow buys. */
  staleMark: StaleMark | null;
  lastLossAt: Date | null;
  /** Amount available to a sell: held in its positions and not reserved by other sells. */
  heldAndFree: Exact;
};

/**
 * The approval an order already has. `nobody`: none. `deploy`: the deploy froze this exit into a release. `person`: an
 * approver just now. `request`: the web session that requested this close.
 */
export type Approval =
  | { by: 'nobody' }
  | { by: 'deploy'; release: number }
  | { by: 'person' }
  | { by: 'request' };

/** Spending limits of the key behind an order, at the decision. A plain JSON value, stored on the receipt. */
export type SpendingLimitInputs = {
  readonly keyId: string;
  /** USD, decimal strings; absent if there is no limit. */
  readonly maxOrder?: string;
  readonly maxDay?: string;
  /** USD. Buys of the key since 00:00 UTC: the filled notional plus what live buys may still fill. */
  readonly spentToday: string;
  readonly alwaysApprove?: true;
  /** Whether the order is for a blueprint that the key does not cover. */
  readonly isOutside: boolean;
  /** Whether the key is revoked or has expired. */
  readonly hasEnded: boolean;
};

/** Route of a live order to its venue, at the decision. A plain JSON value, stored on the receipt. */
export type RouteInputs = {
  /** Null if the account has no connection to the venue. */
  readonly connectionId: string | null;
  readonly state: ConnectionState | null;
  /** Whether live trading is switched on in the service. */
  readonly isLiveOn: boolean;
};

/**
 * Limits and sums for live orders, at the decision. A plain JSON value, stored on the receipt. USD, decimal strings; a limit
 * that is not set is absent. Sums exclude the order itself.
 */
export type LiveOrderInputs = {
  /** The operator's limits, which no account setting can loosen. */
  readonly service: { readonly maxOrder?: string; readonly maxDay?: string };
  /** Buys of the account since 00:00 UTC: the amount paid plus what live buys may still fill at their limit prices. */
  readonly spentToday: string;
  /** The venue account it goes to, with the owner's limits there. */
  readonly connection?: {
    readonly id: string;
    readonly maxOrder?: string;
    readonly maxDay?: string;
    readonly maxOpenNotional?: string;
    /** Remaining cost of open orders placed there outside this service; absent if there are none. */
    readonly external?: string;
    /** Like `spentToday` above, for orders through this connection. */
    readonly spentToday: string;
    /** Holdings at its venue at cost, plus what live buys there may still fill. */
    readonly openNotional: string;
  };
  /** Units of the market's other side, held or being bought, if the venue nets both sides. Absent for a sell. */
  readonly otherSide?: string;
  /** Instruments held only as dust, sorted. Absent for a sell, or if there are none. */
  readonly dust?: string[];
  /** The venue's reported balance, less the cost of orders sent since. Absent until the balance is first read. */
  readonly funds?: { readonly available: string; readonly asOf: string };
};

/** Cost of an order. */
export type OrderCost = {
  /** USD. Notional that the rules check. */
  size: Exact;
  /** USD. The maximum fee that the venue can charge for the whole order. */
  maxFee: Exact;
};

export type IntentRiskInputs = OrderCost & {
  tokenId: string;
  side: Side;
  amount: Exact;
  approval: Approval;
  /** Blueprint of the order; absent for a hypothetical order. */
  blueprintId?: string | undefined;
  /** Spending limits of the key behind it; absent without a key. */
  envelope?: SpendingLimitInputs | undefined;
  /** Route to the venue with real money; absent on paper. */
  route?: RouteInputs | undefined;
  /** Absent on paper. */
  live?: LiveOrderInputs | undefined;
};
