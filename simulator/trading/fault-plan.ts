/** Faults of single requests to a trading route, by route, by number of earlier requests, and by client order id. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../reply.ts';

/** How the answer is spoiled. Whether the venue processed the request is independent of it. */
export type FaultyAnswer =
  /** The connection is cut without a byte. */
  | 'cut'
  /** No answer ever comes. */
  | 'hang'
  /** The status and half of the body, then the end; the full length is announced only with `cut`. */
  | 'half'
  /** A gateway's 502 in HTML. */
  | 'html'
  /** The venue's own 429, without `Retry-After`; with it, `{ retryAfterSec }`. */
  | 'too-many'
  | { readonly retryAfterSec: number }
  /** Any answer that a test needs. */
  | Reply;

export type TradingFault = {
  /** Default: every method. */
  readonly method?: string;
  /** How the path begins, below the venue's first segment and without a leading slash; default: every path. */
  readonly path?: string;
  readonly clientOrderId?: string;
  /** The first matching request that the fault applies to, counted from now on; default 1, the next one. */
  readonly nth?: number;
  /** How many requests in a row; default 1. */
  readonly times?: number;
  /** World ms until the request reaches the venue, which then processes it even if no client waits any longer. */
  readonly delayMs?: number;
  /** Whether the venue processes it at all; default true. */
  readonly isProcessed?: boolean;
  /** Default: the venue's own answer, untouched. */
  readonly answer?: FaultyAnswer;
  /** The answer's `Date` header: none, or off by this number of ms. */
  readonly date?: 'absent' | number;
};

/** The properties of a request by which faults are selected. */
export type FaultSubject = {
  readonly method: string;
  readonly path: string;
  readonly clientOrderId: string | null;
};

type Planned = { readonly fault: TradingFault; seen: number };

export class FaultPlan {
  #planned: Planned[] = [];

  add(fault: TradingFault): void {
    this.#planned.push({ fault, seen: 0 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** Counts a request for every matching fault; returns the first fault that is due. */
  take(subject: FaultSubject): TradingFault | null {
    const due = this.#planned.filter((planned) => {
      if (!isAbout(planned.fault, subject)) return false;
      planned.seen += 1;
      const { nth = 1, times = 1 } = planned.fault;
      return planned.seen >= nth && planned.seen < nth + times;
    });
    this.#planned = this.#planned.filter(({ fault: { nth = 1, times = 1 }, seen }) => seen < nth + times - 1);
    return due[0]?.fault ?? null;
  }
}

function isAbout({ method, path = '', clientOrderId }: TradingFault, subject: FaultSubject): boolean {
  if (method !== undefined && method !== subject.method) return false;
  if (clientOrderId !== undefined && clientOrderId !== subject.clientOrderId) return false;
  return subject.path.startsWith(path);
}

/** How often a delayed request checks the world's time. */
const POLL_MS = 5;

/** Waits in the world's time, which a test may have stopped. */
export async function worldDelay(now: () => number, delayMs: number): Promise<void> {
  const untilMs = now() + delayMs;
  while (now() < untilMs) await sleep(POLL_MS, undefined, { ref: false });
}
