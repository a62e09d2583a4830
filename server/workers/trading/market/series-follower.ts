import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { type Members, type SeriesRule, seriesIn } from '../../../../engine/strategy/graph/series-lists.ts';
import { followSeries } from '../../../../engine/usecases/blueprints/running/follow-series.ts';
import type { MembersResult } from '../../../../engine/usecases/series/members-of.ts';
import { recordUntilNow } from '../../../../engine/usecases/series/record-series.ts';
import { readOpenMembers } from '../../../../engine/usecases/series/resolve-series.ts';
import type { Venue } from '../../../../venues/port.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** How often the markets of a series in use are asked for. */
const PERIOD_MS = 30_000;
/** Deployments looked at in one round; the next one continues after them. */
const DEPLOYMENTS_MAX = 500;

/** Has the parameters of the graph alone: all else may be large. */
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
  #isStopping = false;

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

  /** Ends the round in progress after its present series or deployment. */
  async stop(): Promise<void> {
    this.#isStopping = true;
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
      for (const rule of rules.values())
        if (!this.#isStopping && !(await this.#record(rule))) failed.add(rule.series);
      const openOf = this.#openMembers();
      for (const deployment of following)
        if (!this.#isStopping) await this.#followOne(deployment, failed, openOf);
    });
  }

  /** Returns the open members of a rule, read once for all deployments of a round. */
  #openMembers(): (rule: SeriesRule) => Promise<MembersResult> {
    const { db, market } = this.#context;
    const known = new Map<string, Promise<MembersResult>>();
    return (rule) => {
      const name = JSON.stringify(rule);
      const open = known.get(name) ?? readOpenMembers(db, rule, market.now());
      known.set(name, open);
      return open;
    };
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

  async #followOne(
    { id, accountId, mode, members, visual }: Following,
    failed: ReadonlySet<string>,
    openOf: (rule: SeriesRule) => Promise<MembersResult>,
  ): Promise<void> {
    const { market, workOf } = this.#context;
    for (const [name, rule] of seriesIn(visual)) {
      if (rule.venue !== this.#venue || failed.has(rule.series)) continue;
      const open = await openOf(rule);
      const current = members?.[name] ?? [];
      const isSame =
        open.ok &&
        open.tokenIds.length === current.length &&
        open.tokenIds.every((tokenId) => current.includes(tokenId));
      if (isSame) continue;
      await this.#log.attempt(`series of deployment ${id}`, async () => {
        await followSeries(workOf({ accountId, mode }), id, market.now());
      });
    }
  }

  async #read(): Promise<Following[]> {
    const { rows } = await sql<Following>`
      select d.id, d.account_id as "accountId", d.mode, d.members,
        jsonb_build_object('parameters', b.visual -> 'parameters') as visual
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
