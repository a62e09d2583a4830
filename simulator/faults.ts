/** Faults that a client can switch on, and counts of the requests received. */

export type FaultKind =
  /** Answers late, then as usual. */
  | 'latency'
  /** Answers with a status (429, 500, 302 …), with `Retry-After` where given. */
  | 'status'
  /** Answers 200 with bytes that are not JSON. */
  | 'garbage'
  /** Ends in the middle of the body. */
  | 'truncate'
  /** Cuts the connection without an answer. */
  | 'reset'
  /** Never answers. */
  | 'freeze'
  /** Answers 200 with the given JSON instead of its own. */
  | 'body';

export type Fault = {
  kind: FaultKind;
  /** Delay before the answer, with any kind of fault. */
  latencyMs?: number;
  status?: number;
  retryAfterSec?: number;
  body?: unknown;
  /** Ends after this number of requests; default: stays until cleared. */
  times?: number;
};

const KINDS: readonly FaultKind[] = ['latency', 'status', 'garbage', 'truncate', 'reset', 'freeze', 'body'];

export class Faults {
  /** Key: how the path begins, such as `/kalshi` or `/clob/book`. */
  readonly #faults = new Map<string, Fault>();
  readonly #requests = new Map<string, number>();

  /** Sets the fault of all paths that begin with `prefix`; null clears it. */
  set(prefix: string, fault: Fault | null): void {
    if (fault === null) this.#faults.delete(prefix);
    else if (!prefix.startsWith('/') || !KINDS.includes(fault.kind)) {
      throw new RangeError(`a fault needs a path prefix and one of the kinds ${KINDS.join(', ')}`);
    } else this.#faults.set(prefix, { ...fault });
  }

  clear(): void {
    this.#faults.clear();
  }

  /** Counts a request and returns its fault, if any. */
  take(path: string): Fault | null {
    this.#requests.set(path, (this.#requests.get(path) ?? 0) + 1);
    for (const [prefix, fault] of this.#faults) {
      if (!path.startsWith(prefix)) continue;
      if (fault.times !== undefined) {
        if (fault.times <= 0) continue;
        fault.times -= 1;
      }
      return fault;
    }
    return null;
  }

  /** Requests since the start or the last reset whose path begins with `prefix`. */
  requests(prefix = '/'): number {
    let count = 0;
    for (const [path, times] of this.#requests) if (path.startsWith(prefix)) count += times;
    return count;
  }

  resetCounts(): void {
    this.#requests.clear();
  }
}
