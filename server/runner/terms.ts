import { updateTerms } from '../../engine/orders/instruments.ts';
import type { LogOnce } from './log-once.ts';
import type { RunnerContext } from './options.ts';

/** How often the venue is asked again for the terms of an instrument in use. */
const REFRESH_MS = 300_000;
/** No two instruments sooner after each other: with very many in use, each one's turn comes later. */
const SPACING_MS = 5_000;

/**
 * Keeps up with what a venue changes of its instruments while they are in use: when they close, and the steps they trade
 * in. One is asked for at a time and nobody waits for it, because quotes come first.
 */
export class Terms {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #subject: string;
  readonly #askedAtMs = new Map<string, number>();
  #nextAtMs = 0;
  #asking: Promise<void> | null = null;

  constructor(context: RunnerContext, log: LogOnce, subject: string) {
    this.#context = context;
    this.#log = log;
    this.#subject = subject;
  }

  /** Asks for the instrument that has waited longest, if its time has come. */
  refreshNext(tokenIds: readonly string[]): void {
    const nowMs = performance.now();
    if (this.#asking !== null || nowMs < this.#nextAtMs) return;
    const inUse = new Set(tokenIds);
    for (const known of this.#askedAtMs.keys()) if (!inUse.has(known)) this.#askedAtMs.delete(known);
    const tokenId = this.#longestWaiting(tokenIds);
    if (tokenId === undefined || nowMs - this.#askedAt(tokenId) < REFRESH_MS) return;
    this.#askedAtMs.set(tokenId, nowMs);
    this.#nextAtMs = nowMs + SPACING_MS;
    this.#asking = this.#refresh(tokenId);
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await this.#asking;
  }

  #longestWaiting([first, ...others]: readonly string[]): string | undefined {
    let longest = first;
    for (const tokenId of others) {
      if (longest !== undefined && this.#askedAt(tokenId) < this.#askedAt(longest)) longest = tokenId;
    }
    return longest;
  }

  #askedAt(tokenId: string): number {
    return this.#askedAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY;
  }

  async #refresh(tokenId: string): Promise<void> {
    const { db, market, clock } = this.#context;
    try {
      const info = await market.instrument(tokenId);
      if (info !== null) await updateTerms(db, info, await clock(db));
      this.#log.fine(this.#subject);
    } catch (error) {
      this.#log.trouble(this.#subject, error);
    } finally {
      this.#asking = null;
    }
  }
}
