/** What goes wrong with single requests of a trading route, by route, by how many came before, and by client order id. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../reply.ts';

/** How the answer is spoilt. Whether the venue processed the request is another matter. */
export type SpoiltAnswer =
  /** The connection is cut without a byte. */
  | 'cut'
  /** Nothing ever comes. */
  | 'hang'
  /** The status and half of the body, then the end: a body of its full length is announced only where `cut` is wanted. */
  | 'half'
  /** A gateway's 502 in HTML. */
  | 'html'
  /** The venue's own 429, without `Retry-After`; with it, `{ retryAfterSec }`. */
  | 'too-many'
  | { readonly retryAfterSec: number }
  /** Whatever a test wants. */
  | Reply;

export type TradingFault = {
  /** Default: every method. */
  readonly method?: string;
  /** How the path begins, below the venue's first segment and without a slash in front; default: every path. */
  readonly path?: string;
  readonly clientOrderId?: string;
  /** The first request it is about, of those that match from now on; default 1, the next one. */
  readonly nth?: number;
  /** How many of them, one after the other; default 1. */
  readonly times?: number;
  /** World ms that the request is under way before the venue gets it; the venue processes it then, whether anybody still waits. */
  readonly delayMs?: number;
  /** Whether the venue processes it at all; default true. */
  readonly isProcessed?: boolean;
  /** Default: the venue's own answer, untouched. */
  readonly answer?: SpoiltAnswer;
  /** Of the answer's `Date` header: none, or so many ms off. */
  readonly date?: 'absent' | number;
};

/** What of a request a fault goes by. */
export type Passing = {
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

  /** Counts a request for every fault that is about its like, and gives the first one whose turn it is. */
  take(passing: Passing): TradingFault | null {
    const due = this.#planned.filter((planned) => {
      if (!isAbout(planned.fault, passing)) return false;
      planned.seen += 1;
      const { nth = 1, times = 1 } = planned.fault;
      return planned.seen >= nth && planned.seen < nth + times;
    });
    this.#planned = this.#planned.filter(({ fault: { nth = 1, times = 1 }, seen }) => seen < nth + times - 1);
    return due[0]?.fault ?? null;
  }
}

function isAbout({ method, path = '', clientOrderId }: TradingFault, passing: Passing): boolean {
  if (method !== undefined && method !== passing.method) return false;
  if (clientOrderId !== undefined && clientOrderId !== passing.clientOrderId) return false;
  return passing.path.startsWith(path);
}

/** How often a delayed request looks at the world's time. */
const LOOK_MS = 5;

/** Waits in the world's time, which a test may have stopped. */
export async function worldDelay(now: () => number, delayMs: number): Promise<void> {
  const untilMs = now() + delayMs;
  while (now() < untilMs) await sleep(LOOK_MS, undefined, { ref: false });
}
