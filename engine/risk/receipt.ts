import { type Basis, dayOf, reservedOf, unrealizedPnl } from './basis.ts';
import type { Decision, ReceiptLine } from './decide.ts';
import type { EnvelopeFacts, LiveFacts, PassageFacts } from './facts.ts';
import type { RiskRules } from './rules/catalogue.ts';

/** What a decision saw and said, kept on the order for good. Decimals are strings, times ISO 8601. */
export type Receipt = {
  decidedAt: string;
  rulesVersion: number;
  rules: RiskRules;
  verdict: Decision['verdict'];
  lines: ReceiptLine[];
  /** What the lines of the key's envelope were made of; absent where there is none. */
  envelope?: EnvelopeFacts;
  /** With real money, the way to the venue; absent on paper. */
  passage?: PassageFacts;
  /** What bounds real money; absent on paper. */
  live?: LiveFacts;
  /** What `buyingPower` was made of. */
  cash: string;
  reserved: string;
  /** What `maxDailyLoss` was made of. */
  day: {
    realizedPnl: string;
    unrealizedPnl: string;
    openingUnrealizedPnl: string;
    /** When the loss of the day tripped the account before, if that held. */
    trippedAt: string | null;
  };
  /** What `maxDrawdown` was made of, with the marks; absent while it is off. */
  drawdown?: {
    /** When it was turned on. */
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

/** What not every decision is about. */
export type ReceiptExtras = {
  readonly envelope?: EnvelopeFacts | null | undefined;
  readonly route?: PassageFacts | null | undefined;
  readonly live?: LiveFacts | null | undefined;
};

/** The receipt of one decision. A plain JSON value. */
export function writeReceipt(
  basis: Basis,
  decision: Decision,
  now: Date,
  { envelope = null, route = null, live = null }: ReceiptExtras = {},
): Receipt {
  const { realizedPnl, openingUnrealizedPnl } = dayOf(basis);
  return {
    decidedAt: now.toISOString(),
    rulesVersion: basis.rulesVersion,
    rules: basis.rules,
    verdict: decision.verdict,
    lines: decision.receipt,
    ...(envelope !== null && { envelope }),
    ...(route !== null && { passage: route }),
    ...(live !== null && { live }),
    cash: basis.cash.toFixed(),
    reserved: reservedOf(basis).toFixed(),
    day: {
      realizedPnl: realizedPnl.toFixed(),
      unrealizedPnl: unrealizedPnl(basis.held).toFixed(),
      openingUnrealizedPnl: openingUnrealizedPnl.toFixed(),
      trippedAt: basis.trippedAt?.toISOString() ?? null,
    },
    ...drawdownIn(basis),
    marks: basis.held.map(({ tokenId, amount, mark, markAt }) => ({
      tokenId,
      amount: amount.toFixed(),
      price: mark?.toFixed() ?? null,
      asOf: markAt?.toISOString() ?? null,
      ageSec: markAt === null ? null : Math.round((now.getTime() - markAt.getTime()) / 1_000),
    })),
  };
}

function drawdownIn({ watch, realizedPnl }: Basis): Pick<Receipt, 'drawdown'> {
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
