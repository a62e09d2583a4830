import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import { NETTING_VENUES } from '../../../../venues/catalogue.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { spendingLimitsOfActor } from '../../../trading/keys/read-spending-limits.ts';
import { releaseBodyOf } from '../releases/freeze-release.ts';

const HOUR_MS = 3_600_000;
/** How long a graph must run on paper, without a break or an error, before it needs no vouching. */
export const PAPER_RUN_MS = 24 * HOUR_MS;

/** The record of a graph on paper, before it runs live. */
export type PaperRun = {
  /** The longest of its runs that count, ms: those without an error and without a buy that live mode refuses. */
  readonly longestMs: number;
  /** Whether a run does not count because it bought both sides of a market: in live mode the second buy is refused. */
  readonly hasBothSides: boolean;
  /** Whether a person has to vouch for it: money of value is at stake, and the graph has not run long enough. */
  readonly isMissing: boolean;
};

type DraftGraph = { readonly id: string; readonly visual: Json };

/**
 * Reads how long exactly this graph has run on paper. Nothing is at stake while every connection of the account is to a demo,
 * a testnet or a simulated venue.
 */
export async function readPaperRun(work: Work, { id, visual }: DraftGraph, now: Date): Promise<PaperRun> {
  const { hash } = releaseBodyOf(visual);
  const { rows } = await sql<{ longest: string | null; has_both_sides: boolean; is_at_stake: boolean }>`
    with run as (
      select d.id, coalesce(d.ended_at, ${now.toISOString()}::timestamptz) - d.started_at as lasted
        from deployment d
        join release r on r.account_id = d.account_id and r.blueprint_id = d.blueprint_id and r.number = d.release_number
        join deployment_state s on s.account_id = d.account_id and s.deployment_id = d.id
        where d.account_id = ${work.accountId} and d.blueprint_id = ${id} and d.mode = 'paper'
          and r.body_hash = ${hash} and not s.halted
    ), both_sides as (
      select o.deployment_id as id
        from trade_order o
        join instrument i on i.token_id = o.token_id
        where o.account_id = ${work.accountId} and o.blueprint_id = ${id} and o.mode = 'paper' and o.side = 'buy'
          and o.deployment_id is not null and o.status <> 'denied' and o.venue = any(${[...NETTING_VENUES]}::text[])
        group by o.deployment_id, i.market
        having count(distinct o.token_id) > 1
    )
    select
      (select extract(epoch from max(lasted)) * 1000 from run where id not in (select id from both_sides)) as longest,
      exists (select from run join both_sides using (id)) as has_both_sides,
      exists (select from venue_connection c
        where c.account_id = ${work.accountId} and c.environment = 'live' and c.state <> 'revoked') as is_at_stake
    `.execute(work.db);
  const longestMs = Number(rows[0]?.longest ?? 0);
  return {
    longestMs,
    hasBothSides: rows[0]?.has_both_sides === true,
    isMissing: rows[0]?.is_at_stake === true && longestMs < PAPER_RUN_MS,
  };
}

/**
 * Refuses live mode for a graph without its paper run, unless a person vouches for it: now, or beforehand in the spending
 * limits of the deploying key. Call under the blueprint's lock. Returns whether a person had to vouch.
 *
 * @throws DomainError `paper_run_missing`.
 */
export async function requirePaperRun(
  tx: Work,
  draft: DraftGraph,
  { at, isVouchedFor }: { readonly at: Date; readonly isVouchedFor: boolean },
): Promise<boolean> {
  if (tx.mode !== 'live') return false;
  const { longestMs, hasBothSides, isMissing } = await readPaperRun(tx, draft, at);
  if (!isMissing) return false;
  if (isVouchedFor || (await spendingLimitsOfActor(tx))?.allowsUntried === true) return true;
  throw new DomainError('paper_run_missing', sentenceOf(Math.floor(longestMs / HOUR_MS), hasBothSides));
}

const sentenceOf = (hours: number, hasBothSides: boolean): string =>
  hasBothSides
    ? `This graph has run on paper for ${hours} of 24 hours without an error. A run that bought yes and no of one market does not count: with real money the second is refused. Let it run there, or vouch for it.`
    : `This graph has run on paper for ${hours} of 24 hours without an error. Let it run there, or vouch for it.`;
