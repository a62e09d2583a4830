import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { toDomainError } from '../../routers/errors.ts';
import { TIMEOUTS } from './capacity.ts';

type Known = { untilMs: number; readonly problem: Promise<DomainError | null> };

/**
 * Whether this process can serve: it is not stopping, and the database has our tables and is writable. The database is queried
 * at most once a second, with a timeout of 2 s; four times a second after a failure, so that a balancer soon sees its end.
 */
export class Readiness {
  readonly #pool: Pool;
  #known: Known | null = null;
  /** One statement at a time: a hanging database holds one connection. */
  #pending: Promise<DomainError | null> | null = null;
  #stopping = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  stop(): void {
    this.#stopping = true;
  }

  /** Returns the reason, or null if ready. */
  async problem(): Promise<DomainError | null> {
    if (this.#stopping) return DomainError.of('shutting_down', { retryAfterSec: 5 });
    const nowMs = performance.now();
    if (this.#known === null || nowMs >= this.#known.untilMs) this.#known = this.#knownFrom(nowMs);
    return this.#known.problem;
  }

  #knownFrom(nowMs: number): Known {
    const known: Known = {
      untilMs: nowMs + TIMEOUTS.readinessMs,
      problem: this.#queryOnce().then((problem) => {
        if (problem) known.untilMs = performance.now() + TIMEOUTS.unreadinessMs;
        return problem;
      }),
    };
    return known;
  }

  async #queryOnce(): Promise<DomainError | null> {
    this.#pending ??= this.#query().finally(() => {
      this.#pending = null;
    });
    const late = Promise.withResolvers<DomainError>();
    const timer = setTimeout(() => late.resolve(silent()), TIMEOUTS.readinessAnswerMs);
    return Promise.race([this.#pending, late.promise]).finally(() => clearTimeout(timer));
  }

  async #query(): Promise<DomainError | null> {
    try {
      const { rows } = await sql<{ readOnly: boolean }>`
        select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"
        from (select count(*) from (select 1 from shard limit 1) as any_shard) as migrated
      `.execute(unscopedDb(this.#pool));
      return rows[0]?.readOnly === false ? null : readOnly();
    } catch (error) {
      return toDomainError(error);
    }
  }
}

const silent = () =>
  new DomainError(
    'database_unavailable',
    `The database did not answer within ${TIMEOUTS.readinessAnswerMs / 1_000} s. Try again in a moment.`,
    { retryAfterSec: 2 },
  );

const readOnly = () =>
  new DomainError('database_unavailable', 'The database cannot be written to. Try again in a moment.', {
    retryAfterSec: 2,
  });
