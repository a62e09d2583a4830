import { LiveConnection, type LiveOptions, type LiveState, Moment, SILENCE_MS } from './live-connection.ts';

/** A tab repeats its topic; one that was silent for this long is gone. */
const TOPIC_LOST_MS = 90_000;
/** The maximum number of topics in one stream, set by the server. */
const TOPICS_MAX = 8;
/** A leader silent for this long is frozen or gone, and a visible tab takes over. */
export const LEADER_LOST_MS = SILENCE_MS + 10_000;

export type Message<Event> =
  | { kind: 'event'; id: number; event: Event }
  | {
      kind: 'state';
      state: LiveState;
      attempts: number;
      lastEventId: number | null;
      heardMsAgo: number | null;
    }
  | { kind: 'topic'; tab: string; topic: string | null }
  | { kind: 'hello' };

/** The interface that the tabs of one browser share. */
export type Browser<Event> = Pick<LiveOptions<Event>, 'clock' | 'random' | 'connect'> & {
  /** The name of this tab among them. */
  tab: string;
  /** Sends to all other tabs. */
  post: (message: Message<Event>) => void;
  /** Asks to become the leader; `seize` takes the lock from another tab. The result releases it, or stops asking. */
  lead: (ask: { seize: boolean; granted: () => void; lost: () => void }) => () => void;
  isSeen: () => boolean;
};

export type TabListener<Event> = {
  onEvent: (event: Event) => void;
  onState: (now: { state: LiveState; attempts: number; lastSeenAt: Moment | null }) => void;
  /** The connection is back after a loss: all shown data must be read again. */
  onBack: () => void;
};

/**
 * One stream for all tabs of a browser: the leading tab listens to the server and forwards each event unchanged. The others
 * know only the forwarded events. When the leader closes, the next tab takes over where it stopped; when it falls silent, a
 * visible tab does.
 */
export class SharedStreamTab<Event> {
  readonly #browser: Browser<Event>;
  readonly #listener: TabListener<Event>;
  readonly #topics = new Map<string, { topic: string; at: Moment }>();
  #connection: LiveConnection<Event> | null = null;
  #requestedTopics: readonly string[] = [];
  #lastEventId: number | null = null;
  #state: LiveState = 'connecting';
  #attempts = 0;
  #wasLive = false;
  /** The time of the server's last message, received by any tab. */
  #lastSeenAt: Moment | null = null;
  /** The time of the leader's last message, or of the instant from which its silence counts. */
  #leaderAt: Moment;
  #resign: () => void = () => {};

  constructor(browser: Browser<Event>, listener: TabListener<Event>) {
    this.#browser = browser;
    this.#listener = listener;
    this.#leaderAt = new Moment(browser.clock);
  }

  start(): void {
    this.#browser.post({ kind: 'hello' });
    this.#ask(false);
  }

  stop(): void {
    this.#resign();
    this.#connection?.close();
    this.#connection = null;
  }

  /** Sets the additional topic of this tab. */
  show(topic: string | null): void {
    this.#browser.post({ kind: 'topic', tab: this.#browser.tab, topic });
    this.#note(this.#browser.tab, topic);
  }

  take(message: Message<Event>): void {
    if (message.kind === 'topic') this.#note(message.tab, message.topic);
    else if (message.kind === 'hello') this.#postState();
    else if (!this.#connection) this.#follow(message);
  }

  /** Checks the clock: call it every few seconds. */
  check(): void {
    const own = this.#topics.get(this.#browser.tab);
    if (own) this.show(own.topic);
    if (this.#connection) {
      this.#connection.check();
      if (this.#state !== 'live') this.#postState();
      return;
    }
    if (this.#state === 'live' && this.#lastSeenAt && this.#lastSeenAt.ageMs() > SILENCE_MS)
      this.#turn('stale', 0);
    if (this.#leaderAt.ageMs() > LEADER_LOST_MS && this.#browser.isSeen()) this.#ask(true);
  }

  /** The tab is visible again, or the network is back. */
  wake(): void {
    this.check();
    this.#connection?.hurry();
  }

  #ask(seize: boolean): void {
    this.#resign();
    this.#leaderAt = new Moment(this.#browser.clock);
    this.#resign = this.#browser.lead({
      seize,
      granted: () => this.#lead(),
      lost: () => this.#stepDown(),
    });
  }

  #lead(): void {
    const { clock, random, connect } = this.#browser;
    const start = { state: this.#state, lastEventId: this.#lastEventId, lastSeenAt: this.#lastSeenAt };
    const connection = new LiveConnection<Event>(start, {
      clock,
      random,
      connect,
      onEvent: (id, event) => {
        this.#browser.post({ kind: 'event', id, event });
        this.#receive(id, event);
      },
      onState: (state, attempts) => {
        if (state === 'live') this.#lastSeenAt = new Moment(clock);
        this.#turn(state, attempts);
        this.#postState();
      },
    });
    this.#connection = connection;
    this.#requestedTopics = this.#wanted();
    connection.open(this.#requestedTopics);
  }

  #stepDown(): void {
    this.#connection?.close();
    this.#connection = null;
    this.#ask(false);
  }

  #follow(message: Extract<Message<Event>, { kind: 'event' | 'state' }>): void {
    this.#leaderAt = new Moment(this.#browser.clock);
    if (message.kind === 'event') {
      this.#receive(message.id, message.event);
      return;
    }
    const { state, attempts, lastEventId, heardMsAgo } = message;
    this.#lastEventId = lastEventId ?? this.#lastEventId;
    if (heardMsAgo !== null) this.#lastSeenAt = new Moment(this.#browser.clock, heardMsAgo);
    this.#turn(state, attempts);
  }

  #receive(id: number, event: Event): void {
    this.#lastEventId = id;
    this.#lastSeenAt = new Moment(this.#browser.clock);
    this.#turn('live', 0);
    this.#listener.onEvent(event);
  }

  #turn(state: LiveState, attempts: number): void {
    const isBack = state === 'live' && this.#state !== 'live' && this.#wasLive;
    this.#wasLive ||= state === 'live';
    this.#state = state;
    this.#attempts = attempts;
    this.#listener.onState({ state, attempts, lastSeenAt: this.#lastSeenAt });
    if (isBack) this.#listener.onBack();
  }

  #postState(): void {
    if (!this.#connection) return;
    this.#browser.post({
      kind: 'state',
      state: this.#state,
      attempts: this.#attempts,
      lastEventId: this.#lastEventId,
      heardMsAgo: this.#lastSeenAt?.ageMs() ?? null,
    });
  }

  #note(tab: string, topic: string | null): void {
    this.#topics.delete(tab);
    if (topic !== null) this.#topics.set(tab, { topic, at: new Moment(this.#browser.clock) });
    const wanted = this.#wanted();
    if (!this.#connection || wanted.join() === this.#requestedTopics.join()) return;
    this.#requestedTopics = wanted;
    this.#connection.open(wanted);
  }

  #wanted(): string[] {
    for (const [tab, { at }] of this.#topics) if (at.ageMs() > TOPIC_LOST_MS) this.#topics.delete(tab);
    const topics = new Set([...this.#topics.values()].map(({ topic }) => topic));
    return [...topics].slice(-TOPICS_MAX).sort();
  }
}
