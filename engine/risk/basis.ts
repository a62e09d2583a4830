import { sql } from 'kysely';
import { utcDay } from '../accounting/day.ts';
import { dbOf, type Work } from '../context.ts';
import { type Exact, exact, toMoney, ZERO } from '../decimal.ts';
import { MODE } from '../mode.ts';
import { LIVE_STATUSES, statusList } from '../orders/states.ts';
import type { Aggregates, RiskRules } from './decide.ts';
import { rulesOf } from './rules.ts';

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

type BasisRow = {
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

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

/**
 * What the rules measure for an order in `tokenId` at `now`. `leaveOut` is a pending order that must not count
 * against itself when it is judged again. Under the account's lock the answer stays true until the transaction ends.
 */
export async function readBasis(
  work: Work,
  { tokenId, now, leaveOut = NO_ORDER }: { tokenId: string | null; now: Date; leaveOut?: string },
): Promise<Basis> {
  const { accountId } = work;
  const { rows } = await sql<BasisRow>`
    with live_buy as materialized (
      select token_id, sum(limit_price * (amount - filled_amount) + greatest(worst_fee - fees, 0)) as reserve
      from trade_order
      where account_id = ${accountId} and mode = ${MODE} and side = 'buy'
        and status in ${statusList(LIVE_STATUSES)}
        and not (status in ('pending', 'queued') and expires_at <= ${now})
        and id <> ${leaveOut}
      group by token_id
    ), held as materialized (
      select token_id, sum(amount) as amount, sum(total_cost) as total_cost
      from position
      where account_id = ${accountId} and mode = ${MODE} and amount > 0
      group by token_id
    )
    select r.max_order_size, r.max_daily_loss, r.max_open_positions, r.max_orders_per_minute,
      r.cooldown_after_loss_sec, r.require_approval_above, r.version,
      t.cash, t.last_loss_at, d.realized_pnl as day_realized_pnl, d.opening_unrealized_pnl,
      (select count(*)::int from trade_order
        where account_id = ${accountId} and mode = ${MODE}
          and queued_at > ${now}::timestamptz - interval '60 seconds') as queued_last_minute,
      (select coalesce(sum(reserve), 0) from live_buy) as reserved,
      (select count(*)::int from (select token_id from live_buy union select token_id from held) as instrument)
        as open_instruments,
      (exists (select 1 from live_buy where token_id = ${tokenId})
        or exists (select 1 from held where token_id = ${tokenId})) as instrument_is_open,
      (select coalesce(json_agg(json_build_object('tokenId', held.token_id, 'amount', held.amount::text,
          'totalCost', held.total_cost::text, 'mark', quote.mark_price::text, 'markAt', quote.mark_at)
          order by held.token_id), '[]')
        from held left join quote on quote.token_id = held.token_id) as held
    from risk_rules r
    join trading_account t on t.account_id = r.account_id and t.mode = ${MODE}
    left join account_day d on d.account_id = r.account_id and d.mode = ${MODE} and d.day = ${utcDay(now)}
    where r.account_id = ${accountId}`.execute(dbOf(work));
  const [row] = rows;
  if (row === undefined) throw new Error(`Account ${accountId} has no rules or no trading account.`);
  return basisOf(row);
}

function basisOf(row: BasisRow): Basis {
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
