import { sql } from 'kysely';
import type { FILL_KINDS } from '../../../db/entities/order.ts';
import type { Side } from '../../../db/vocabulary.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import { lotOf } from '../../platform/instruments/lot.ts';
import type { TradeEvent } from '../statistics/trade-tracker.ts';

/** With more fills than this, trades are followed through the newest ones only. */
export const FILLS_MAX = 50_000;

export type TradeHistory = {
  /** In order of time. Events of a position that was already held before its first one are left out until it is flat. */
  readonly events: readonly TradeEvent[];
  /** Older fills exist than these. */
  readonly isCut: boolean;
};

type Part = {
  position_id: string;
  kind: (typeof FILL_KINDS)[number];
  side: Side;
  amount: string;
  price: string;
  fee: string;
  at: string;
  step_size: string;
  min_size: string;
  min_notional: string;
};

/** Reads the events of each position of the books, or of one blueprint: fills, and settlements at their value. */
export async function tradeHistory(work: Work, blueprintId: string | null): Promise<TradeHistory> {
  const parts = await readParts(work, blueprintId);
  const isCut = (await countFills(work)) > FILLS_MAX;
  const held = isCut ? await readHeld(work, blueprintId) : new Map<string, Exact>();
  const events = eventsOf(parts, isCut ? heldBefore(parts, held) : new Map(), work.mode === 'live');
  return { events, isCut };
}

const ofBlueprint = (blueprintId: string | null) =>
  blueprintId === null ? sql`` : sql`and p.blueprint_id = ${blueprintId}`;

async function readParts({ db, accountId, mode }: Work, blueprintId: string | null): Promise<Part[]> {
  const { rows } = await sql<Part>`
    with newest as (
      select id, kind, side, price, at, seq from fill where account_id = ${accountId} and mode = ${mode}
      order by applied_at desc, id desc limit ${FILLS_MAX}
    )
    select a.position_id, n.kind, n.side, a.amount, n.price, a.fee, n.at, i.step_size, i.min_size, i.min_notional
    from newest n join fill_allocation a on a.account_id = ${accountId} and a.fill_id = n.id
      join position p on p.account_id = a.account_id and p.id = a.position_id ${ofBlueprint(blueprintId)}
      join instrument i on i.token_id = p.token_id
    order by n.seq, a.number`.execute(db);
  return rows;
}

async function countFills({ db, accountId, mode }: Work): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from fill where account_id = ${accountId} and mode = ${mode} limit ${FILLS_MAX + 1}) f`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function readHeld(
  { db, accountId, mode }: Work,
  blueprintId: string | null,
): Promise<Map<string, Exact>> {
  const { rows } = await sql<{ id: string; amount: string }>`
    select p.id, p.amount from position p
    where p.account_id = ${accountId} and p.mode = ${mode} ${ofBlueprint(blueprintId)}`.execute(db);
  return new Map(rows.map(({ id, amount }) => [id, exact(amount)]));
}

const changeOf = ({ side, amount }: Part): Exact =>
  side === 'buy' ? exact(amount) : exact(amount).negated();

/** The amount of each position before the first of these parts: its current amount without their changes. */
function heldBefore(parts: readonly Part[], held: Map<string, Exact>): Map<string, Exact> {
  for (const part of parts) {
    held.set(part.position_id, (held.get(part.position_id) ?? ZERO).minus(changeOf(part)));
  }
  return held;
}

/** Sales whose position has no sale as its next event: the rest after such a sale stays. */
function lastSales(parts: readonly Part[]): ReadonlySet<Part> {
  const next = new Map(parts.map((part) => [part.position_id, part]));
  const last = new Set(next.values());
  for (const part of parts.toReversed()) {
    if (next.get(part.position_id)?.side === 'buy') last.add(part);
    next.set(part.position_id, part);
  }
  return last;
}

/**
 * Pure. `held` is the earlier amount of positions; one that had some counts from when it is flat. `isLive`: dust counts as
 * flat.
 */
function eventsOf(parts: readonly Part[], held: Map<string, Exact>, isLive: boolean): TradeEvent[] {
  let latestMs = 0;
  const last = isLive ? lastSales(parts) : new Set();
  return parts.flatMap((part): TradeEvent[] => {
    const { position_id: holding, kind, side, amount, price, fee } = part;
    // A fill may be reported late: events stand in the order in which they became known.
    latestMs = Math.max(latestMs, Date.parse(part.at));
    const before = held.get(holding) ?? ZERO;
    if (!before.isZero()) {
      held.set(holding, before.plus(changeOf(part)));
      return [];
    }
    const atMs = latestMs;
    return kind === 'settlement'
      ? [{ kind: 'settlement', holding, atMs, value: price }]
      : [
          {
            kind: 'fill',
            holding,
            atMs,
            side,
            amount,
            price,
            fee,
            ...(side === 'sell' && last.has(part) && { lot: lotOf(part) }),
          },
        ];
  });
}
