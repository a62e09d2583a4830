import { Line, type LineOptions, type LineState, Moment, SILENCE_MS } from './line.ts';

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
      state: LineState;
      attempts: number;
      lastEventId: number | null;
      heardMsAgo: number | null;
    }
  | { kind: 'topic'; tab: string; topic: string | null }
  | { kind: 'hello' };

/** The interface that the tabs of one browser share. */
export type Browser<Event> = Pick<LineOptions<Event>, 'clock' | 'random' | 'connect'> & {
  /** The name of this tab among them. */
  tab: string;
  /** Sends to all other tabs. */
  post: (message: Message<Event>) => void;
  /** Asks to become the leader; `seize` takes the lock from another tab. The result releases it, or stops asking. */
  lead: (ask: { seize: boolean; granted: () => void; lost: () => void }) => () => void;
  isSeen: () => boolean;
};

export type Shown<Event> = {
  onEvent: (event: Event) => void;
  onState: (now: { state: LineState; attempts: number; heardAt: Moment | null }) => void;
  /** The connection is back after a loss: all shown data must be read again. */
  onBack: () => void;
};

/**
 * One stream for all tabs of a browser: the leading tab listens to the server and forwards each event unchanged. The others
 * know only the forwarded events. When the leader closes, the next tab takes over where it stopped; when it falls silent, a
 * visible tab does.
 */
export class Tab<Event> {
  readonly #browser: Browser<Event>;
  readonly #shown: Shown<Event>;
  readonly #topics = new Map<string, { topic: string; at: Moment }>();
  #line: Line<Event> | null = null;
  #asked: readonly string[] = [];
  #lastEventId: number | null = null;
  #state: LineState = 'connecting';
  #attempts = 0;
  #wasLive = false;
  /** The time of the server's last message, received by any tab. */
  #heardAt: Moment | null = null;
  /** The time of the leader's last message, or of the instant from which its silence counts. */
  #leaderAt: Moment;
  #resign: () => void = () => {};

  constructor(browser: Browser<Event>, shown: Shown<Event>) {
    this.#browser = browser;
    this.#shown = shown;
    this.#leaderAt = new Moment(browser.clock);
  }

  start(): void {
    this.#browser.post({ kind: 'hello' });
    this.#ask(false);
  }

  stop(): void {
    this.#resign();
    this.#line?.close();
    this.#line = null;
  }

  /** Sets the additional topic of this tab. */
  show(topic: string | null): void {
    this.#browser.post({ kind: 'topic', tab: this.#browser.tab, topic });
    this.#note(this.#browser.tab, topic);
  }

  take(message: Message<Event>): void {
    if (message.kind === 'topic') this.#note(message.tab, message.topic);
    else if (message.kind === 'hello') this.#tellState();
    else if (!this.#line) this.#follow(message);
  }

  /** Checks the clock: call it every few seconds. */
  check(): void {
    const own = this.#topics.get(this.#browser.tab);
    if (own) this.show(own.topic);
    if (this.#line) {
      this.#line.check();
      if (this.#state !== 'live') this.#tellState();
      return;
    }
    if (this.#state === 'live' && this.#heardAt && this.#heardAt.ageMs() > SILENCE_MS) this.#turn('stale', 0);
    if (this.#leaderAt.ageMs() > LEADER_LOST_MS && this.#browser.isSeen()) this.#ask(true);
  }

  /** The tab is visible again, or the network is back. */
  wake(): void {
    this.check();
    this.#line?.hurry();
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
    const start = { state: this.#state, lastEventId: this.#lastEventId, heardAt: this.#heardAt };
    const line = new Line<Event>(start, {
      clock,
      random,
      connect,
      onEvent: (id, event) => {
        this.#browser.post({ kind: 'event', id, event });
        this.#heard(id, event);
      },
      onState: (state, attempts) => {
        if (state === 'live') this.#heardAt = new Moment(clock);
        this.#turn(state, attempts);
        this.#tellState();
      },
    });
    this.#line = line;
    this.#asked = this.#wanted();
    line.open(this.#asked);
  }

  #stepDown(): void {
    this.#line?.close();
    this.#line = null;
    this.#ask(false);
  }

  #follow(message: Extract<Message<Event>, { kind: 'event' | 'state' }>): void {
    this.#leaderAt = new Moment(this.#browser.clock);
    if (message.kind === 'event') {
      this.#heard(message.id, message.event);
      return;
    }
    const { state, attempts, lastEventId, heardMsAgo } = message;
    this.#lastEventId = lastEventId ?? this.#lastEventId;
    if (heardMsAgo !== null) this.#heardAt = new Moment(this.#browser.clock, heardMsAgo);
    this.#turn(state, attempts);
  }

  #heard(id: number, event: Event): void {
    this.#lastEventId = id;
    this.#heardAt = new Moment(this.#browser.clock);
    this.#turn('live', 0);
    this.#shown.onEvent(event);
  }

  #turn(state: LineState, attempts: number): void {
    const isBack = state === 'live' && this.#state !== 'live' && this.#wasLive;
    this.#wasLive ||= state === 'live';
    this.#state = state;
    this.#attempts = attempts;
    this.#shown.onState({ state, attempts, heardAt: this.#heardAt });
    if (isBack) this.#shown.onBack();
  }

  #tellState(): void {
    if (!this.#line) return;
    this.#browser.post({
      kind: 'state',
      state: this.#state,
      attempts: this.#attempts,
      lastEventId: this.#lastEventId,
      heardMsAgo: this.#heardAt?.ageMs() ?? null,
    });
  }

  #note(tab: string, topic: string | null): void {
    this.#topics.delete(tab);
    if (topic !== null) this.#topics.set(tab, { topic, at: new Moment(this.#browser.clock) });
    const wanted = this.#wanted();
    if (!this.#line || wanted.join() === this.#asked.join()) return;
    this.#asked = wanted;
    this.#line.open(wanted);
  }

  #wanted(): string[] {
    for (const [tab, { at }] of this.#topics) if (at.ageMs() > TOPIC_LOST_MS) this.#topics.delete(tab);
    const topics = new Set([...this.#topics.values()].map(({ topic }) => topic));
    return [...topics].slice(-TOPICS_MAX).sort();
  }
}
