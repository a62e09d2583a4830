import { client, queryClient } from '../api/trpc.ts';
import { applyEvent } from './apply.ts';
import type { LiveEvent } from './events.ts';
import { heard, useLive } from './store.ts';

/** The server says something at least every 15 s; after this it is not heard any more. */
const SILENCE_MS = 25_000;
const BEAT_MS = 5_000;
const CHANNEL = 'desk-live';
const LOCK = 'desk-live-leader';

type Message =
  | { kind: 'event'; id: number; event: LiveEvent }
  | { kind: 'beat'; id: number }
  | { kind: 'down' }
  | { kind: 'watch'; blueprintId: string | null };

/**
 * One stream for all tabs of this browser: the tab that holds the lock listens to the server and tells the others.
 * When it closes, the next one takes over where it stopped.
 */
class Stream {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #ended = new AbortController();
  /** Number of the last event seen, whoever heard it. */
  #lastId: number | null = null;
  #watched: string | null = null;
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

  /** The blueprint whose node states somebody looks at. The tab used last decides. */
  watch(blueprintId: string | null): void {
    this.#tell({ kind: 'watch', blueprintId });
    this.#setWatched(blueprintId);
  }

  #setWatched(blueprintId: string | null): void {
    if (this.#watched === blueprintId) return;
    this.#watched = blueprintId;
    if (this.#leads) this.#open();
  }

  #open(): void {
    this.#close?.();
    const subscription = client.events.subscribe(
      {
        ...(this.#lastId !== null && { lastEventId: String(this.#lastId) }),
        ...(this.#watched !== null && { blueprintId: this.#watched }),
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
        this.#setWatched(message.blueprintId);
    }
  }

  #beat(): void {
    if (this.#leads) this.#tell({ kind: 'beat', id: this.#lastId ?? -1 });
  }

  #check(): void {
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
