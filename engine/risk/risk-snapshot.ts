import { type Exact, exact, sumOf, toMoney, ZERO } from '../platform/decimal.ts';
import { unrealizedAt } from '../platform/valuation.ts';
import {
  type DrawdownState,
  type DrawdownStateRow,
  drawdownOf,
  parseDrawdownState,
} from './drawdown-state.ts';
import { staleMarkOf } from './mark-age.ts';
import type { Aggregates } from './risk-inputs.ts';
import { rulesOf } from './rule-limits.ts';
import type { RiskRules, RuleColumns } from './rules/catalogue.ts';

/** The holding of one instrument over all blueprints, with its stored mark price. */
export type HeldInstrument = {
  tokenId: string;
  amount: Exact;
  totalCost: Exact;
  /** Null if no quote was ever seen. */
  mark: Exact | null;
  markAt: Date | null;
  /** The price at which a day would open: the mark, unless it fell to 0 a moment ago. */
  steadyMark: Exact | null;
  /** True for a live position below the venue's minimum sell size. */
  isDust?: boolean;
};

/** All values that the rules measure, read in one statement so that they are a consistent snapshot. */
export type RiskSnapshot = {
  rules: RiskRules;
  rulesVersion: number;
  /** Reserve per instrument: the remaining maximum cost of its live buys, not rounded. */
  buying: { tokenId: string; reserve: Exact }[];
  /** At stake per blueprint: its holdings at cost plus the reserve of its live buys, not rounded. */
  stakes: { blueprintId: string; atStake: Exact }[];
  queuedLastMinute: number;
  cash: Exact;
  /** Since the account began, after fees. */
  realizedPnl: Exact;
  /** State of the drawdown stop; null while it is off. */
  watch: DrawdownState | null;
  lastLossAt: Date | null;
  /** When the daily loss tripped the account; null if it has not, or no longer applies. */
  trippedAt: Date | null;
  held: HeldInstrument[];
  /** True while an operator has suspended the account. */
  isSuspended?: boolean;
  /** Null until the account's day is opened. */
  day: { realizedPnl: Exact; openingUnrealizedPnl: Exact } | null;
};

/** Database row that {@link parseRiskSnapshot} parses. */
export type RiskSnapshotRow = RuleColumns & {
  version: number;
  cash: string;
  realized_pnl: string;
  watch: DrawdownStateRow | null;
  last_loss_at: string | null;
  tripped_at: string | null;
  day_realized_pnl: string | null;
  opening_unrealized_pnl: string | null;
  queued_last_minute: number;
  is_suspended?: boolean;
  buying: { tokenId: string; reserve: string }[];
  stakes: { blueprintId: string; atStake: string }[];
  held: {
    tokenId: string;
    amount: string;
    totalCost: string;
    mark: string | null;
    markAt: string | null;
    steadyMark: string | null;
    isDust?: boolean;
  }[];
};

/** Parses a row. */
export function parseRiskSnapshot(row: RiskSnapshotRow): RiskSnapshot {
  return {
    rules: rulesOf(row),
    rulesVersion: row.version,
    buying: row.buying.map(({ tokenId, reserve }) => ({ tokenId, reserve: exact(reserve) })),
    stakes: row.stakes.map(({ blueprintId, atStake }) => ({ blueprintId, atStake: exact(atStake) })),
    queuedLastMinute: row.queued_last_minute,
    ...(row.is_suspended && { isSuspended: true }),
    cash: exact(row.cash),
    realizedPnl: exact(row.realized_pnl),
    watch: row.watch === null ? null : parseDrawdownState(row.watch),
    lastLossAt: row.last_loss_at === null ? null : new Date(row.last_loss_at),
    trippedAt: row.tripped_at === null ? null : new Date(row.tripped_at),
    held: row.held.map(({ tokenId, amount, totalCost, mark, markAt, steadyMark, isDust }) => ({
      tokenId,
      amount: exact(amount),
      totalCost: exact(totalCost),
      mark: mark === null ? null : exact(mark),
      markAt: markAt === null ? null : new Date(markAt),
      steadyMark: steadyMark === null ? null : exact(steadyMark),
      ...(isDust && { isDust }),
    })),
    day:
      row.day_realized_pnl === null || row.opening_unrealized_pnl === null
        ? null
        : {
            realizedPnl: exact(row.day_realized_pnl),
            openingUnrealizedPnl: exact(row.opening_unrealized_pnl),
          },
  };
}

/** Total reserve of live buys, USD, rounded to the decimals of the ledger. */
export const reservedOf = ({ buying }: Pick<RiskSnapshot, 'buying'>): Exact =>
  toMoney(sumOf(buying.map(({ reserve }) => reserve)));

function exposuresOf({ held, buying }: RiskSnapshot): ReadonlyMap<string, Exact> {
  const exposures = new Map(held.map(({ tokenId, totalCost }) => [tokenId, totalCost]));
  for (const { tokenId, reserve } of buying) {
    exposures.set(tokenId, toMoney((exposures.get(tokenId) ?? ZERO).plus(reserve)));
  }
  return exposures;
}

/** Returns the instruments held only as dust. A position that a live buy adds to is not dust. */
function dustOf({ held, buying }: RiskSnapshot): ReadonlySet<string> {
  const bought = new Set(buying.map(({ tokenId }) => tokenId));
  return new Set(held.flatMap(({ tokenId, isDust }) => (isDust && !bought.has(tokenId) ? [tokenId] : [])));
}

/**
 * Unrealized profit and loss at the stored bid marks, USD. A holding without any quote counts at its cost. It does not
 * affect the day's result, and every buy is denied until it has a quote.
 */
export const unrealizedPnl = (held: readonly HeldInstrument[]): Exact => gainAt(held, ({ mark }) => mark);

/** Returns the open day, or the day as it would open now, at steady marks. */
export function dayOf({ held, day }: Pick<RiskSnapshot, 'held' | 'day'>): NonNullable<RiskSnapshot['day']> {
  if (day !== null) return day;
  return { realizedPnl: ZERO, openingUnrealizedPnl: gainAt(held, ({ steadyMark }) => steadyMark) };
}

function gainAt(held: readonly HeldInstrument[], priceOf: (of: HeldInstrument) => Exact | null): Exact {
  return held.reduce((sum, holding) => {
    const price = priceOf(holding);
    return price === null ? sum : sum.plus(unrealizedAt(holding, price));
  }, ZERO);
}

/** Profit and loss since 00:00 UTC, USD. */
export function dayPnl(snapshot: Pick<RiskSnapshot, 'held' | 'day'>): Exact {
  const { realizedPnl, openingUnrealizedPnl } = dayOf(snapshot);
  return realizedPnl.plus(unrealizedPnl(snapshot.held)).minus(openingUnrealizedPnl);
}

/** Realized plus unrealized profit since the account began, USD: equity without deposits and withdrawals. */
export const profitOf = ({ realizedPnl, held }: Pick<RiskSnapshot, 'realizedPnl' | 'held'>): Exact =>
  realizedPnl.plus(unrealizedPnl(held));

/** Computes the aggregates that the rules read at `now`. */
export function aggregatesOf(snapshot: RiskSnapshot, heldAndFree: Exact, now: Date): Aggregates {
  return {
    exposures: exposuresOf(snapshot),
    dust: dustOf(snapshot),
    blueprintStakes: new Map(
      snapshot.stakes.map(({ blueprintId, atStake }) => [blueprintId, toMoney(atStake)]),
    ),
    queuedLastMinute: snapshot.queuedLastMinute,
    freeCash: snapshot.cash.minus(reservedOf(snapshot)),
    dayPnl: dayPnl(snapshot),
    trippedAt: snapshot.trippedAt,
    drawdown: snapshot.watch === null ? null : drawdownOf(snapshot.watch, profitOf(snapshot)),
    staleMark: staleMarkOf(snapshot.held, now),
    lastLossAt: snapshot.lastLossAt,
    heldAndFree,
  };
}
