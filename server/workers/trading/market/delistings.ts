import { sql } from 'kysely';
import type { Mode } from '../../../../db/vocabulary.ts';
import { markDelisted } from '../../../../engine/trading/orders/terms/instruments.ts';
import { failDeployment } from '../../../../engine/usecases/blueprints/running/fail.ts';
import { VenueError } from '../../../../venues/port.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** A venue occasionally omits an instrument; it counts as delisted after this number of denials in a row. */
const DENIALS_MIN = 3;
const RECHECK_MS = 30_000;

/** Watches instruments without a quote from their venue, and fails the deployments on a delisted one. */
export class Delistings {
  readonly #context: RunnerContext;
  readonly #denials = new Map<string, { count: number; checkedAtMs: number }>();

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  /** `missing` are the instruments that a complete response of their venue omitted. */
  async check(missing: readonly string[]): Promise<void> {
    const stillMissing = new Set(missing);
    for (const tokenId of this.#denials.keys()) {
      if (!stillMissing.has(tokenId)) this.#denials.delete(tokenId);
    }
    for (const tokenId of missing) await this.#checkOne(tokenId);
  }

  async #checkOne(tokenId: string): Promise<void> {
    const nowMs = performance.now();
    const known = this.#denials.get(tokenId) ?? { count: 0, checkedAtMs: Number.NEGATIVE_INFINITY };
    if (nowMs - known.checkedAtMs < RECHECK_MS) return;
    const count = (await this.#isDenied(tokenId)) ? known.count + 1 : 0;
    this.#denials.set(tokenId, { count, checkedAtMs: nowMs });
    if (count >= DENIALS_MIN) await this.#failUsersOf(tokenId);
  }

  /** An unreachable venue, or an unreadable record, is not a denial. */
  async #isDenied(tokenId: string): Promise<boolean> {
    try {
      return (await this.#context.market.instrument(tokenId)) === null;
    } catch (error) {
      if (error instanceof VenueError) return false;
      throw error;
    }
  }

  async #failUsersOf(tokenId: string): Promise<void> {
    const { db, workOf } = this.#context;
    await markDelisted(db, tokenId);
    const { rows } = await sql<{ account_id: string; mode: Mode; id: string }>`
      select d.account_id, d.mode, d.id from deployment d
      join deployment_state s on s.account_id = d.account_id and s.deployment_id = d.id
      where d.ended_at is null and not s.halted and ${tokenId} = any(d.token_ids)`.execute(db);
    const message = `Its venue does not know ${tokenId} any more. Entries are halted, exits keep guarding. Remove the instrument from the graph, then deploy it again.`;
    for (const { account_id, mode, id } of rows) {
      await failDeployment(workOf({ accountId: account_id, mode }), id, message);
    }
  }
}
