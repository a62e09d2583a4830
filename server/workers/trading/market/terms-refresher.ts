import { sql } from 'kysely';
import { updateTerms } from '../../../../engine/trading/orders/terms/instruments.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** How often the terms of an instrument in use are fetched. */
const REFRESH_MS = 120_000;
/** Pause before fetching incomplete or missing terms again. */
const RETRY_MS = 10_000;
/** The shortest pause between two requests to the venue. */
const SPACING_MIN_MS = 250;
const SPACING_MAX_MS = 5_000;

/**
 * Refreshes the terms of instruments in use: fees, ticks, steps, minima, close times. Each is fetched every two minutes, the
 * longest waiting first, up to 480 per venue; beyond that each takes a quarter of a second. One request at a time runs in the
 * background, because quotes have priority.
 */
export class TermsRefresher {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #subject: string;
  /** Due time per instrument in use, in process time. */
  #dueAtMs = new Map<string, number>();
  #nextAtMs = 0;
  #request: Promise<void> | null = null;

  constructor(context: RunnerContext, log: LogOnce, subject: string) {
    this.#context = context;
    this.#log = log;
    this.#subject = subject;
  }

  /** Fetches the terms that have waited longest, if they are due. */
  refreshNext(tokenIds: readonly string[]): void {
    const nowMs = performance.now();
    if (this.#request !== null || nowMs < this.#nextAtMs || tokenIds.length === 0) return;
    const spacingMs = Math.min(Math.max(REFRESH_MS / tokenIds.length, SPACING_MIN_MS), SPACING_MAX_MS);
    const count = Math.max(1, Math.floor(this.#context.quotePeriodMs / spacingMs));
    this.#nextAtMs = nowMs + spacingMs;
    this.#request = this.#refresh(tokenIds, count)
      .catch((error: unknown) => this.#log.failed(this.#subject, error))
      .finally(() => {
        this.#request = null;
      });
  }

  /** Waits for the request in progress. */
  async stop(): Promise<void> {
    await this.#request;
  }

  async #refresh(tokenIds: readonly string[], count: number): Promise<void> {
    await this.#learn(tokenIds);
    const due = [...this.#dueAtMs]
      .filter(([, dueAtMs]) => dueAtMs <= performance.now())
      .sort(([, a], [, b]) => a - b)
      .slice(0, count);
    for (const [tokenId] of due) await this.#fetchTerms(tokenId);
  }

  /** For instruments new here, reads the age of their terms from the database: another process may have fetched them. */
  async #learn(tokenIds: readonly string[]): Promise<void> {
    const known = this.#dueAtMs;
    this.#dueAtMs = new Map(tokenIds.map((tokenId) => [tokenId, known.get(tokenId) ?? 0]));
    const unseen = tokenIds.filter((tokenId) => !known.has(tokenId));
    if (unseen.length === 0) return;
    const { rows } = await sql<{ token_id: string; age_ms: number | null }>`
      select token_id, extract(epoch from clock_timestamp() - terms_at)::float8 * 1000 as age_ms from instrument
      where token_id = any(${unseen}::text[]) and tradable`.execute(this.#context.db);
    const nowMs = performance.now();
    for (const { token_id, age_ms } of rows) {
      const leftMs = age_ms === null || age_ms < 0 ? 0 : REFRESH_MS - age_ms;
      this.#dueAtMs.set(token_id, nowMs + Math.min(leftMs, REFRESH_MS));
    }
  }

  async #fetchTerms(tokenId: string): Promise<void> {
    const { db, market } = this.#context;
    this.#dueAtMs.set(tokenId, performance.now() + RETRY_MS);
    try {
      const info = await market.instrument(tokenId);
      if (info !== null) await updateTerms(db, info);
      if (info === null || info.feeSchedule !== null) {
        this.#dueAtMs.set(tokenId, performance.now() + REFRESH_MS);
      }
      this.#log.recovered(this.#subject);
    } catch (error) {
      this.#log.failed(this.#subject, error);
    }
  }
}
