import type { Decision, ReceiptLine } from './decide.ts';
import type { LiveOrderInputs, RouteInputs, SpendingLimitInputs } from './risk-inputs.ts';
import { dayOf, type RiskSnapshot, reservedOf, unrealizedPnl } from './risk-snapshot.ts';
import type { RiskRules } from './rules/catalogue.ts';

/** Inputs and results of a decision, stored on the order forever. Decimals are strings, times ISO 8601. */
export type Receipt = {
  decidedAt: string;
  rulesVersion: number;
  rules: RiskRules;
  verdict: Decision['verdict'];
  lines: ReceiptLine[];
  /** Inputs of the lines of the key's spending limits; absent without a key. */
  envelope?: SpendingLimitInputs;
  /** Route to the venue with real money; absent on paper. */
  passage?: RouteInputs;
  /** Limits and sums for real money; absent on paper. */
  live?: LiveOrderInputs;
  /** Inputs of `buyingPower`. */
  cash: string;
  reserved: string;
  /** Inputs of `maxDailyLoss`. */
  day: {
    realizedPnl: string;
    unrealizedPnl: string;
    openingUnrealizedPnl: string;
    /** When the daily loss had tripped the account, if that still applied. */
    trippedAt: string | null;
  };
  /** Inputs of `maxDrawdown`, together with the marks; absent while it is off. */
  drawdown?: {
    /** When the rule was turned on. */
    since: string;
    highWaterMark: string;
    /** Since the account began. */
    realizedPnl: string;
    trippedAt: string | null;
  };
  /** Best bids the holdings were valued at, with their age. */
  marks: {
    tokenId: string;
    amount: string;
    price: string | null;
    asOf: string | null;
    ageSec: number | null;
  }[];
};

/** Optional parts of a receipt. */
export type ReceiptExtras = {
  readonly envelope?: SpendingLimitInputs | null | undefined;
  readonly route?: RouteInputs | null | undefined;
  readonly live?: LiveOrderInputs | null | undefined;
};

/** Builds the receipt of one decision. A plain JSON value. */
export function buildReceipt(
  snapshot: RiskSnapshot,
  decision: Decision,
  now: Date,
  { envelope = null, route = null, live = null }: ReceiptExtras = {},
): Receipt {
  const { realizedPnl, openingUnrealizedPnl } = dayOf(snapshot);
  return {
    decidedAt: now.toISOString(),
    rulesVersion: snapshot.rulesVersion,
    rules: snapshot.rules,
    verdict: decision.verdict,
    lines: decision.receipt,
    ...(envelope !== null && { envelope }),
    ...(route !== null && { passage: route }),
    ...(live !== null && { live }),
    cash: snapshot.cash.toFixed(),
    reserved: reservedOf(snapshot).toFixed(),
    day: {
      realizedPnl: realizedPnl.toFixed(),
      unrealizedPnl: unrealizedPnl(snapshot.held).toFixed(),
      openingUnrealizedPnl: openingUnrealizedPnl.toFixed(),
      trippedAt: snapshot.trippedAt?.toISOString() ?? null,
    },
    ...drawdownIn(snapshot),
    marks: snapshot.held.map(({ tokenId, amount, mark, markAt }) => ({
      tokenId,
      amount: amount.toFixed(),
      price: mark?.toFixed() ?? null,
      asOf: markAt?.toISOString() ?? null,
      ageSec: markAt === null ? null : Math.round((now.getTime() - markAt.getTime()) / 1_000),
    })),
  };
}

function drawdownIn({ watch, realizedPnl }: RiskSnapshot): Pick<Receipt, 'drawdown'> {
  if (watch === null) return {};
  const { since, highWaterMark, trippedAt } = watch;
  return {
    drawdown: {
      since: since.toISOString(),
      highWaterMark: highWaterMark.toFixed(),
      realizedPnl: realizedPnl.toFixed(),
      trippedAt: trippedAt?.toISOString() ?? null,
    },
  };
}
