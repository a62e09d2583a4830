import { client, queryClient } from '../api/trpc.ts';
import { applyEvent } from './apply.ts';
import type { LiveEvent } from './events.ts';
import { heard, useLive } from './store.ts';

/** The server says something at least every 15 s; after this it is not heard any more. */
const SILENCE_MS = 25_000;
const BEAT_MS = 5_000;
/** A tab says again what it watches; one that was not heard for so long is gone. */
const WATCH_LOST_MS = 90_000;
/** The most the server tells node states of in one stream. */
const WATCHED_MAX = 8;
const CHANNEL = 'desk-live';
const LOCK = 'desk-live-leader';

type Message =
  | { kind: 'event'; id: number; event: LiveEvent }
  | { kind: 'beat'; id: number }
  | { kind: 'down' }
  | { kind: 'watch'; tab: string; blueprintId: string | null };

/**
 * One stream for all tabs of this browser: the tab that holds the lock listens to the server and tells the others.
 * When it closes, the next one takes over where it stopped.
 */
class Stream {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #ended = new AbortController();
  /** Number of the last event seen, whoever heard it. */
  #lastId: number | null = null;
  readonly #tab = crypto.getRandomValues(new Uint32Array(2)).join('-');
  /** What each tab of this browser looks at, the tab heard last at the end. */
  readonly #watches = new Map<string, { blueprintId: string; heardAt: number }>();
  /** What the open stream was asked for. */
  #watched: readonly string[] = [];
  #leads = false;
  #close: (() => void) | null = null;

  start(): void {
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#take(data);
    const { signal } = this.#ended;
    const lead = () =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
        this.#leads = true;
        this.#open();
      });
    if (navigator.locks) navigator.locks.request(LOCK, { signal }, lead).catch(() => {});
    else void lead();
    const beat = setInterval(() => this.#check(), BEAT_MS);
    signal.addEventListener('abort', () => clearInterval(beat));
  }

  stop(): void {
    this.#ended.abort();
    this.#close?.();
    this.#channel.close();
  }

  /** The blueprint whose node states this tab shows. */
  watch(blueprintId: string | null): void {
    this.#tell({ kind: 'watch', tab: this.#tab, blueprintId });
    this.#noteWatch(this.#tab, blueprintId);
  }

  #noteWatch(tab: string, blueprintId: string | null): void {
    this.#watches.delete(tab);
    if (blueprintId !== null) this.#watches.set(tab, { blueprintId, heardAt: Date.now() });
    if (this.#leads && this.#wanted().join() !== this.#watched.join()) this.#open();
  }

  #wanted(): string[] {
    const lost = Date.now() - WATCH_LOST_MS;
    for (const [tab, { heardAt }] of this.#watches) if (heardAt < lost) this.#watches.delete(tab);
    const ids = new Set([...this.#watches.values()].map(({ blueprintId }) => blueprintId));
    return [...ids].slice(-WATCHED_MAX).sort();
  }

  #open(): void {
    this.#close?.();
    this.#watched = this.#wanted();
    const subscription = client.events.subscribe(
      {
        ...(this.#lastId !== null && { lastEventId: String(this.#lastId) }),
        blueprintIds: [...this.#watched],
      },
      {
        onStarted: () => this.#connected(),
        onData: ({ id, data }) => this.#received(Number(id), data),
        onConnectionStateChange: ({ state }) => {
          if (state === 'connecting') this.#lost();
          if (state === 'pending') this.#connected();
        },
        onError: () => this.#lost(),
      },
    );
    this.#close = () => subscription.unsubscribe();
  }

  /** Every new connection reads what is visible anew: nothing that happened meanwhile is missed. */
  #connected(): void {
    const { connection } = useLive.getState();
    if (connection === 'reconnecting' || connection === 'stale') void queryClient.invalidateQueries();
    heard();
    this.#beat();
  }

  #lost(): void {
    if (useLive.getState().connection === 'connecting') return;
    useLive.setState(({ attempts }) => ({ connection: 'reconnecting', attempts: attempts + 1 }));
    this.#tell({ kind: 'down' });
  }

  #received(id: number, event: LiveEvent): void {
    this.#lastId = id;
    this.#tell({ kind: 'event', id, event });
    heard();
    applyEvent(event);
  }

  #take(message: Message): void {
    switch (message.kind) {
      case 'event':
        this.#lastId = message.id;
        heard();
        applyEvent(message.event);
        break;
      case 'beat':
        if (message.id >= 0) this.#lastId = message.id;
        this.#connected();
        break;
      case 'down':
        useLive.setState({ connection: 'reconnecting' });
        break;
      case 'watch':
        this.#noteWatch(message.tab, message.blueprintId);
    }
  }

  #beat(): void {
    if (this.#leads) this.#tell({ kind: 'beat', id: this.#lastId ?? -1 });
  }

  #check(): void {
    const own = this.#watches.get(this.#tab);
    if (own) this.watch(own.blueprintId);
    const { connection, heardAt } = useLive.getState();
    if (this.#leads && connection === 'live') {
      // The library closes a silent stream; while it is open, the server is there.
      useLive.setState({ heardAt: Date.now() });
      this.#beat();
    } else if (heardAt !== null && Date.now() - heardAt > SILENCE_MS) {
      useLive.setState({ connection: 'stale' });
    }
  }

  #tell(message: Message): void {
    if (!this.#ended.signal.aborted) this.#channel.postMessage(message);
  }
}

let current: Stream | null = null;

/** Starts listening; the returned function stops it. */
export function startStream(): () => void {
  const stream = new Stream();
  current = stream;
  stream.start();
  return () => {
    stream.stop();
    current = null;
    useLive.setState({ connection: 'connecting', heardAt: null, attempts: 0 });
  };
}

export const watchBlueprint = (blueprintId: string | null) => current?.watch(blueprintId);
