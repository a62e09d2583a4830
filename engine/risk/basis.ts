import { type Exact, exact, toMoney, ZERO } from '../decimal.ts';
import type { Aggregates, RiskRules } from './decide.ts';
import { rulesOf } from './rule-values.ts';

/** What is held of one instrument, over all blueprints, and what it is worth at the stored mark. */
export type HeldInstrument = {
  tokenId: string;
  amount: Exact;
  totalCost: Exact;
  /** Null where no quote was ever seen: then it counts as worthless. */
  mark: Exact | null;
  markAt: Date | null;
};

/** Everything the rules measure, read in one statement so that it is of one moment. */
export type Basis = {
  rules: RiskRules;
  rulesVersion: number;
  openInstruments: number;
  instrumentIsOpen: boolean;
  queuedLastMinute: number;
  cash: Exact;
  reserved: Exact;
  lastLossAt: Date | null;
  held: HeldInstrument[];
  /** Null until the account's day has been opened. */
  day: { realizedPnl: Exact; openingUnrealizedPnl: Exact } | null;
};

/** What {@link basisOf} is read from, as the database says it. */
export type BasisRow = {
  max_order_size: string;
  max_daily_loss: string;
  max_open_positions: number;
  max_orders_per_minute: number;
  cooldown_after_loss_sec: number;
  require_approval_above: string;
  version: number;
  cash: string;
  last_loss_at: string | null;
  day_realized_pnl: string | null;
  opening_unrealized_pnl: string | null;
  queued_last_minute: number;
  reserved: string;
  open_instruments: number;
  instrument_is_open: boolean;
  held: { tokenId: string; amount: string; totalCost: string; mark: string | null; markAt: string | null }[];
};

/** The basis a row says. `reserved` is rounded to the 12 places of the ledger. */
export function basisOf(row: BasisRow): Basis {
  return {
    rules: rulesOf(row),
    rulesVersion: row.version,
    openInstruments: row.open_instruments,
    instrumentIsOpen: row.instrument_is_open,
    queuedLastMinute: row.queued_last_minute,
    cash: exact(row.cash),
    reserved: toMoney(exact(row.reserved)),
    lastLossAt: row.last_loss_at === null ? null : new Date(row.last_loss_at),
    held: row.held.map(({ tokenId, amount, totalCost, mark, markAt }) => ({
      tokenId,
      amount: exact(amount),
      totalCost: exact(totalCost),
      mark: mark === null ? null : exact(mark),
      markAt: markAt === null ? null : new Date(markAt),
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

/** Unrealized profit and loss at the stored bid marks, USD. What was never quoted counts as worthless. */
export function unrealizedPnl(held: readonly HeldInstrument[]): Exact {
  return held.reduce(
    (sum, { amount, totalCost, mark }) => sum.plus(toMoney(amount.times(mark ?? ZERO))).minus(totalCost),
    ZERO,
  );
}

/** Profit and loss since 00:00 UTC, USD. A day nobody has opened yet opens at what is unrealized now. */
export function dayPnl({ held, day }: Pick<Basis, 'held' | 'day'>): Exact {
  if (day === null) return ZERO;
  return day.realizedPnl.plus(unrealizedPnl(held)).minus(day.openingUnrealizedPnl);
}

/** The basis as the rules read it. */
export function aggregatesOf(basis: Basis, heldAndFree: Exact): Aggregates {
  return {
    openInstruments: basis.openInstruments,
    instrumentIsOpen: basis.instrumentIsOpen,
    queuedLastMinute: basis.queuedLastMinute,
    freeCash: basis.cash.minus(basis.reserved),
    dayPnl: dayPnl(basis),
    lastLossAt: basis.lastLossAt,
    heldAndFree,
  };
}
