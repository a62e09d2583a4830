/** The state of the connection to the server. Only `live` means that the shown data is current. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'stale' | 'signed-out';

export type Clock = {
  /** Counts while the machine is awake and never jumps, in ms. */
  steadyMs: () => number;
  /** Epoch ms. Counts through sleep, and jumps when the clock is set. */
  wallMs: () => number;
  /** Calls back once after a delay in ms; the returned function cancels it. */
  after: (delayMs: number, act: () => void) => () => void;
};

/** The end of an attempt: the server ended it, the connection broke, or the session is no longer known. */
export type Ending = 'completed' | 'broken' | 'signed-out';

export type Attempt<Event> = {
  lastEventId: number | null;
  topics: readonly string[];
  heard: (id: number, event: Event) => void;
  ended: (how: Ending) => void;
};

export type LiveStart = { state: LiveState; lastEventId: number | null; lastSeenAt: Moment | null };

export type LiveOptions<Event> = {
  clock: Clock;
  /** Opens one stream; the result closes it. It need not reopen. */
  connect: (attempt: Attempt<Event>) => () => void;
  onEvent: (id: number, event: Event) => void;
  onState: (state: LiveState, attempts: number) => void;
  /** From 0 to below 1, so that many browsers do not reconnect at the same instant. */
  random: () => number;
};

/** The server sends a message at least every 5 s; after this long it counts as silent. */
export const SILENCE_MS = 15_000;
/** A stream that ended was complete until then; its successor may take this long before a loss is shown. */
export const RENEWAL_MS = 2_000;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 10_000;

/** The backoff before attempt `failures` + 1: 0, then 0.5 s doubled each time up to 10 s, less up to half of it at random. */
export function backoffMs(failures: number, random: number): number {
  if (failures === 0) return 0;
  return Math.min(BACKOFF_MS * 2 ** (failures - 1), BACKOFF_MAX_MS) * (1 - random / 2);
}

/** An instant by both clocks: one does not count sleep, the other can be set. */
export class Moment {
  readonly wallMs: number;
  readonly #steadyMs: number;
  readonly #clock: Clock;

  constructor(clock: Clock, agoMs = 0) {
    this.#clock = clock;
    this.#steadyMs = clock.steadyMs() - agoMs;
    this.wallMs = clock.wallMs() - agoMs;
  }

  /** By the clock that shows more: an error on this side costs a new stream, a false "live" could cost money. */
  ageMs(): number {
    return Math.max(this.#clock.steadyMs() - this.#steadyMs, this.#clock.wallMs() - this.wallMs);
  }
}

/**
 * Keeps one stream open. However it ends, it is reopened where it stopped; only a lost session ends it for good. Its state
 * comes from the server's messages, never from a timer of its own.
 */
export class LiveConnection<Event> {
  readonly #options: LiveOptions<Event>;
  #state: LiveState;
  #lastEventId: number | null;
  #lastSeenAt: Moment | null;
  #topics: readonly string[] = [];
  #openedAt: Moment | null = null;
  /** Attempts since the server's last message. */
  #failures = 0;
  #close: () => void = () => {};
  #callOff: () => void = () => {};

  /** Continues from earlier messages, also those that another tab received. */
  constructor(start: LiveStart, options: LiveOptions<Event>) {
    this.#options = options;
    this.#state = start.state;
    this.#lastEventId = start.lastEventId;
    this.#lastSeenAt = start.lastSeenAt;
  }

  /** Opens it for these topics, in place of the open stream. */
  open(topics: readonly string[]): void {
    this.#topics = topics;
    this.#attempt();
  }

  close(): void {
    this.#callOff();
    this.#close();
    this.#close = () => {};
  }

  /** Notices silence. Call it often, and when the tab or the network comes back. */
  check(): void {
    if (this.#state === 'signed-out') return;
    if (this.#lastSeenAt && this.#lastSeenAt.ageMs() > SILENCE_MS && this.#state !== 'stale')
      this.#report('stale');
    if (this.#openedAt && this.#openedAt.ageMs() > SILENCE_MS && this.#isSilent()) this.#attempt();
  }

  /** Retries at once instead of waiting: an event may have restored the network. */
  hurry(): void {
    this.check();
    if (this.#state !== 'live' && this.#state !== 'signed-out') this.#attempt();
  }

  #isSilent(): boolean {
    return this.#lastSeenAt === null || this.#lastSeenAt.ageMs() > SILENCE_MS;
  }

  #attempt(): void {
    this.close();
    this.#openedAt = new Moment(this.#options.clock);
    let isOver = false;
    const hangUp = this.#options.connect({
      lastEventId: this.#lastEventId,
      topics: this.#topics,
      heard: (id, event) => {
        if (!isOver) this.#receive(id, event);
      },
      ended: (how) => {
        if (isOver) return;
        isOver = true;
        this.#ended(how);
      },
    });
    if (isOver) {
      hangUp();
      return;
    }
    this.#close = () => {
      isOver = true;
      hangUp();
    };
  }

  #receive(id: number, event: Event): void {
    this.#lastEventId = id;
    this.#lastSeenAt = new Moment(this.#options.clock);
    this.#failures = 0;
    this.#callOff();
    if (this.#state !== 'live') this.#report('live');
    this.#options.onEvent(id, event);
  }

  #ended(how: Ending): void {
    this.close();
    if (how === 'signed-out') {
      this.#report('signed-out');
      return;
    }
    const wasWhole = this.#failures === 0 && this.#state === 'live';
    const delayMs = backoffMs(this.#failures, this.#options.random());
    this.#failures += 1;
    if (!wasWhole) {
      this.#lost();
      this.#callOff = this.#options.clock.after(delayMs, () => this.#attempt());
      return;
    }
    this.#attempt();
    if (this.#failures === 1) this.#callOff = this.#options.clock.after(RENEWAL_MS, () => this.#lost());
  }

  #lost(): void {
    if (this.#state !== 'connecting' && this.#state !== 'stale') this.#report('reconnecting');
    else this.#report(this.#state);
  }

  #report(state: LiveState): void {
    this.#state = state;
    this.#options.onState(state, this.#failures);
  }
}
