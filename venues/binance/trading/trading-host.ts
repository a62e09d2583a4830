/**
 * Trading requests to one host of Binance. Each leaves once: cancels before orders before reads, within half of the venue's
 * limits. None leaves while the venue has asked for a pause.
 */
import PQueue from 'p-queue';
import type { FeedClock } from '../../clock.ts';
import { VenueError } from '../../errors.ts';
import { type MayLeave, NotSent, type OnceAnswer, sendOnce } from '../../http/send-once.ts';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { codeOf } from './answer.ts';

export type Urgency = 'cancel' | 'place' | 'read';
const PRIORITIES: Readonly<Record<Urgency, number>> = { cancel: 2, place: 1, read: 0 };

export type Limits = { readonly weightPerMin: number; readonly ordersPer10Sec: number };
/** Half of Binance's 6000 and 50: other clients of the same address and account need the rest. */
export const HALF_OF_LIMITS: Limits = { weightPerMin: 3_000, ordersPer10Sec: 25 };

/** The simulator is ours: we send requests as fast as it answers, up to its own limits. */
export const SIMULATED_LIMITS: Limits = { weightPerMin: 1_000_000, ordersPer10Sec: 10_000 };

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly weight: number;
  readonly urgency: Urgency;
  readonly mayLeave?: MayLeave | undefined;
};

/** Our limit of requests to Binance is used up. */
export class LocalLimitReached extends NotSent {
  override readonly name = 'LocalLimitReached';
  readonly retryAfterSec: number;
  constructor(waitMs: number) {
    super('the request was not sent');
    this.retryAfterSec = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  }
}

const CALL_TIMEOUT_MS = 10 * SECOND_MS;
const ORDER_WINDOW_MS = 10 * SECOND_MS;
const CONCURRENCY = 6;
/** After a 429 without a time, nothing is sent for this long. */
const UNTIMED_REST_MS = 5 * SECOND_MS;
/** Binance bans for three days at most. */
const REST_MAX_MS = 3 * 24 * 60 * MINUTE_MS;

export class TradingHost {
  readonly #api: string;
  readonly #clock: FeedClock;
  readonly #limits: Limits;
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #weight = new Window(MINUTE_MS);
  readonly #orders = new Window(ORDER_WINDOW_MS);
  /** Until when no request leaves, and until when no order leaves, by the monotonic clock. */
  readonly #restsUntilMs = { all: 0, place: 0 };

  constructor(api: string, clock: FeedClock, limits: Limits = HALF_OF_LIMITS) {
    this.#api = api;
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Returns the answer to a request that left once. Throws a {@link NotSent} if it never left. Any other error leaves the
   * outcome open.
   */
  async send(call: Call): Promise<OnceAnswer> {
    this.#assertMaySend(call);
    return await this.#queue.add(
      () => {
        this.#assertMaySend(call);
        return this.#sendNow(call);
      },
      { priority: PRIORITIES[call.urgency] },
    );
  }

  /** Returns the answer to a read, which may be repeated: a read that did not leave is a VenueError. */
  async sendRead(call: Omit<Call, 'method' | 'urgency'>): Promise<OnceAnswer> {
    try {
      return await this.send({ ...call, method: 'GET', urgency: 'read' });
    } catch (error) {
      throw venueErrorOf(error);
    }
  }

  #assertMaySend({ urgency, weight }: Call): void {
    const waitMs = Math.max(
      this.#restsUntilMs.all - performance.now(),
      urgency === 'place' ? this.#restsUntilMs.place - performance.now() : 0,
      // Cancels leave as long as the venue accepts them.
      urgency !== 'cancel' && this.#weight.count + weight > this.#limits.weightPerMin
        ? this.#weight.remainingMs
        : 0,
      urgency === 'place' && this.#orders.count >= this.#limits.ordersPer10Sec ? this.#orders.remainingMs : 0,
    );
    if (waitMs > 0) throw new LocalLimitReached(waitMs);
  }

  async #sendNow({ method, path, query, headers, weight, urgency, mayLeave }: Call): Promise<OnceAnswer> {
    this.#weight.add(weight);
    if (urgency === 'place') this.#orders.add(1);
    const answer = await sendOnce({
      method,
      url: new URL(query === '' ? path : `${path}?${query}`, this.#api),
      headers: headers ?? {},
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      mayLeave,
    });
    this.#clock.observe(answer.headers);
    this.#weight.atLeast(numberOf(answer.headers, 'x-mbx-used-weight-1m'));
    this.#orders.atLeast(numberOf(answer.headers, 'x-mbx-order-count-10s'));
    if (answer.status === 429 || answer.status === 418) this.#rest(answer);
    return answer;
  }

  #rest(answer: OnceAnswer): void {
    const restMs = Math.min(
      numberOf(answer.headers, 'retry-after') * SECOND_MS || UNTIMED_REST_MS,
      REST_MAX_MS,
    );
    // -1015 counts orders only; any other code concerns the address.
    const of = codeOf(answer) === -1015 ? 'place' : 'all';
    this.#restsUntilMs[of] = Math.max(this.#restsUntilMs[of], performance.now() + restMs);
  }
}

/** Any failure of a repeatable request, as an error of this layer; its text contains nothing of the request. */
export function venueErrorOf(error: unknown): VenueError {
  if (error instanceof VenueError) return error;
  if (error instanceof LocalLimitReached)
    return VenueError.limited('The rate limit of Binance is reached', error.retryAfterSec, error);
  return VenueError.unavailable('Binance cannot be reached', undefined, error);
}

/** Counts within windows that begin with the clock's minutes or tens of seconds, as Binance does. */
class Window {
  readonly #lengthMs: number;
  #number = 0;
  #count = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  get count(): number {
    this.#turn();
    return this.#count;
  }

  get remainingMs(): number {
    return this.#lengthMs - (Date.now() % this.#lengthMs);
  }

  add(count: number): void {
    this.#turn();
    this.#count += count;
  }

  /** Raises the count to the venue's own: other clients may share the address. */
  atLeast(count: number): void {
    this.#turn();
    this.#count = Math.max(this.#count, count);
  }

  #turn(): void {
    const number = Math.floor(Date.now() / this.#lengthMs);
    if (number === this.#number) return;
    this.#number = number;
    this.#count = 0;
  }
}

function numberOf(headers: Headers, name: string): number {
  const text = headers.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
