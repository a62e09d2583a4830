import { LRUCache } from 'lru-cache';

/** The most accounts in debt to remember; beyond it the least recently seen is forgotten. */
const ACCOUNTS_MAX = 10_000;

/** Milliseconds of the thread that an account may take: `points` in `windowSec`, and `points` at once. */
export type ProcessorLimit = { readonly points: number; readonly windowSec: number };

type Balance = { readonly ms: number; readonly atMs: number };

/** Counts what requests of each account cost the thread of this process. An account is in debt once it has spent its share. */
export class CpuTimeBudget {
  readonly #limit: ProcessorLimit;
  readonly #now: () => number;
  readonly #balances = new LRUCache<string, Balance>({ max: ACCOUNTS_MAX });

  constructor(limit: ProcessorLimit, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Takes milliseconds from the account's share; a negative number returns them. */
  spend(account: string, ms: number): void {
    this.#balances.set(account, { ms: this.#left(account) - ms, atMs: this.#now() });
  }

  /** Milliseconds until the account is out of debt; 0 without debt. */
  waitMs(account: string): number {
    const left = this.#left(account);
    return left >= 0 ? 0 : -left / this.#perMs;
  }

  get #perMs(): number {
    const { points, windowSec } = this.#limit;
    return points / (windowSec * 1_000);
  }

  #left(account: string): number {
    const { points } = this.#limit;
    const balance = this.#balances.get(account);
    if (balance === undefined) return points;
    return Math.min(points, balance.ms + (this.#now() - balance.atMs) * this.#perMs);
  }
}
