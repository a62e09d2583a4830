import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { type Members, type SeriesRule, seriesIn } from '../../../../engine/strategy/graph/series-lists.ts';
import { followSeries } from '../../../../engine/usecases/blueprints/running/follow-series.ts';
import { recordUntilNow } from '../../../../engine/usecases/series/record-series.ts';
import { readOpenMembers } from '../../../../engine/usecases/series/resolve-series.ts';
import type { Venue } from '../../../../venues/port.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** How often the markets of a series in use are asked for. */
const PERIOD_MS = 30_000;
/** Deployments looked at in one round; the next one continues after them. */
const DEPLOYMENTS_MAX = 500;

type Following = { id: string; accountId: string; mode: Mode; members: Members; visual: Json };

/**
 * Keeps the lists of live deployments that are series of one venue: a market that opens joins, one that closed leaves. Runs in
 * the process that polls the venue, one round at a time, in the background.
 */
export class SeriesFollower {
  readonly #venue: Venue;
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  #nextAtMs = 0;
  #after = '';
  #round: Promise<void> | null = null;

  constructor(venue: Venue, context: RunnerContext, log: LogOnce) {
    this.#venue = venue;
    this.#context = context;
    this.#log = log;
  }

  /** Starts a round if one is due. */
  followNext(): void {
    if (this.#round !== null || performance.now() < this.#nextAtMs) return;
    this.#nextAtMs = performance.now() + PERIOD_MS;
    this.#round = this.follow().finally(() => {
      this.#round = null;
    });
  }

  /** Waits for the round in progress. */
  async stop(): Promise<void> {
    await this.#round;
  }

  /** Runs one round. A series whose venue fails keeps its members, and does not hold up the others. */
  async follow(): Promise<void> {
    await this.#log.attempt(`series of ${this.#venue}`, async () => {
      const following = await this.#read();
      this.#after = following.length < DEPLOYMENTS_MAX ? '' : (following.at(-1)?.id ?? '');
      const rules = new Map<string, SeriesRule>();
      for (const { visual } of following)
        for (const rule of seriesIn(visual).values())
          if (rule.venue === this.#venue) rules.set(rule.series, rule);
      const failed = new Set<string>();
      for (const rule of rules.values()) if (!(await this.#record(rule))) failed.add(rule.series);
      for (const deployment of following) await this.#followOne(deployment, failed);
    });
  }

  async #record(rule: SeriesRule): Promise<boolean> {
    const subject = `series ${rule.series} of ${rule.venue}`;
    const { db, market } = this.#context;
    try {
      const fault = await recordUntilNow(db, market, rule, async () => {});
      if (fault === null) this.#log.recovered(subject);
      else this.#log.failed(subject, fault);
      return fault === null;
    } catch (error) {
      this.#log.failed(subject, error);
      return false;
    }
  }

  async #followOne({ id, accountId, mode, members, visual }: Following, failed: ReadonlySet<string>) {
    const { db, market, workOf } = this.#context;
    const nowMs = market.now();
    for (const [name, rule] of seriesIn(visual)) {
      if (rule.venue !== this.#venue || failed.has(rule.series)) continue;
      const open = await readOpenMembers(db, rule, nowMs);
      const current = members?.[name] ?? [];
      const isSame =
        open.ok &&
        open.tokenIds.length === current.length &&
        open.tokenIds.every((tokenId) => current.includes(tokenId));
      if (isSame) continue;
      await this.#log.attempt(`series of deployment ${id}`, async () => {
        await followSeries(workOf({ accountId, mode }), id, nowMs);
      });
    }
  }

  async #read(): Promise<Following[]> {
    const { rows } = await sql<Following>`
      select d.id, d.account_id as "accountId", d.mode, d.members, b.visual
      from deployment d
      join account a on a.id = d.account_id
      join release r on r.account_id = d.account_id and r.blueprint_id = d.blueprint_id and r.number = d.release_number
      join release_body b on b.account_id = r.account_id and b.hash = r.body_hash
      where d.ended_at is null and d.members is not null and a.moving_to is null
        and d.id::text > ${this.#after} order by d.id::text limit ${DEPLOYMENTS_MAX}`.execute(
      this.#context.db,
    );
    return rows;
  }
}
