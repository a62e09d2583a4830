import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Venue } from '../../../../db/vocabulary.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { DomainError, type ErrorCode } from '../../../platform/errors.ts';
import { MARK_OR_ZERO, reservedInSql, worthInSql } from '../../../platform/sql-fragments.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { readMarket } from '../terms/read-market.ts';
import { dustReason, marketEndReason } from '../terms/unsellable.ts';
import { closePosition } from './close.ts';

/** Holding of one instrument, for review before all of it is sold. Decimals are strings. */
export type Holding = {
  readonly tokenId: string;
  readonly title: string;
  readonly venue: Venue;
  readonly amount: string;
  /** Amount not reserved by cleared sells. */
  readonly free: string;
  /** USD at the mark. */
  readonly worth: string;
  /** Reason why it cannot be sold: below the venue's minimum, or the market has ended; null if it can be sold. */
  readonly stuck: string | null;
};

/** Lists the account's holdings in the mode of the work, at one venue or at all. */
export async function holdingsToFlatten(work: Work, venue: Venue | null): Promise<Holding[]> {
  const now = await work.clock(work.db);
  const { rows } = await sql<Omit<Holding, 'stuck'>>`
    select p.token_id as "tokenId", i.title, i.venue, sum(p.amount) as amount,
      sum(p.amount - (${reservedInSql(now)})) as free, sum(${worthInSql(MARK_OR_ZERO)}) as worth
    from position p join instrument i on i.token_id = p.token_id left join quote q on q.token_id = p.token_id
    where p.account_id = ${work.accountId} and p.mode = ${work.mode} and p.amount > 0
      and (${venue}::text is null or i.venue = ${venue})
    group by p.token_id, i.title, i.venue order by p.token_id`.execute(work.db);
  const holdings: Holding[] = [];
  for (const { amount, free, worth, ...row } of rows) {
    const market = await readMarket(work, row.tokenId);
    const unsellableReason = marketEndReason(market.instrument) ?? dustReason(market, exact(amount));
    holdings.push({
      ...row,
      amount: exact(amount).toFixed(),
      free: exact(free).toFixed(),
      worth: exact(worth).toFixed(),
      stuck: unsellableReason,
    });
  }
  return holdings;
}

/** A reviewed holding, with the amount to sell. */
export type Reviewed = { readonly tokenId: string; readonly amount: string };

/** Result for one position: a sell, or the reason why there is none. */
export type Flattened = Reviewed & {
  readonly intentId: string | null;
  readonly status: OrderStatus | null;
  readonly refusal: { readonly code: ErrorCode; readonly message: string } | null;
};

/**
 * Closes reviewed positions one after the other, each as a separate close: a refusal of one does not affect the others. Runs
 * only on request, never automatically.
 */
export async function flatten(
  work: Work,
  reviewed: readonly Reviewed[],
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<Flattened[]> {
  await underAccountLock(work, (tx, now) =>
    audit(tx, {
      action: 'position.flatten_requested',
      subjectId: null,
      before: null,
      after: { positions: reviewed.map(({ tokenId, amount }) => ({ tokenId, amount })) },
      at: now,
    }),
  );
  const results: Flattened[] = [];
  for (const wish of reviewed) results.push(await flattenOne(work, wish, settings));
  return results;
}

async function flattenOne(work: Work, wish: Reviewed, settings: TradingSettings): Promise<Flattened> {
  try {
    const { intentId, status } = await closePosition(work, wish, settings);
    return { ...wish, intentId, status, refusal: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message } = error;
    return { ...wish, intentId: null, status: null, refusal: { code, message } };
  }
}
