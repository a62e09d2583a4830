/**
 * Keeps Binance's user stream connected. Signs each connection, and opens the next one before the venue ends this one. Sends
 * probes, because a connection can be open and dead. Reports a gap after each interruption, because Binance repeats no event.
 */
import type { VenueEvent } from '../../broker.ts';
import { HOUR_MS, SECOND_MS } from '../../time.ts';
import type { CommissionValuer } from './commission-valuer.ts';
import { parseUserMessage, type UserMessage } from './events.ts';
import { RECV_WINDOW_MS } from './request.ts';
import type { Signer } from './sign.ts';

export type UserStreamOptions = {
  readonly url: string;
  readonly signer: Signer;
  /** Epoch ms on Binance's clock. */
  readonly now: () => number;
  readonly valuer: CommissionValuer;
  readonly on: (event: VenueEvent) => void;
  /** For tests. */
  readonly times?: Partial<Times>;
};

type Times = {
  /** Binance ends a connection after 24 hours. */
  readonly lifetimeMs: number;
  readonly probeMs: number;
  /** A connection without a message for this long is dead. */
  readonly silenceMs: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
};

const TIMES: Times = {
  lifetimeMs: 23.5 * HOUR_MS,
  probeMs: 5 * SECOND_MS,
  silenceMs: 15 * SECOND_MS,
  backoffMs: 250,
  backoffMaxMs: 10 * SECOND_MS,
};

const SUBSCRIBE = 'subscribe';

export class UserStream {
  readonly #options: UserStreamOptions;
  readonly #times: Times;
  /** The connection in use, and its successor. */
  #current: Connection | null = null;
  #next: Connection | null = null;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopped = false;
  /** Serializes events in order of arrival: reporting one may take longer than reporting the next. */
  #reported: Promise<void> = Promise.resolve();

  constructor(options: UserStreamOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#open();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    this.#current?.close();
    this.#next?.close();
    await this.#reported;
  }

  #open(): void {
    if (this.#isStopped || this.#next !== null) return;
    const connection = new Connection(this.#options, this.#times, {
      subscribed: () => this.#subscribed(connection),
      received: (message) => this.#receive(message),
      closed: () => this.#closed(connection),
    });
    this.#next = connection;
  }

  /** Switches to the new connection. Without a previous one, events may have been missed. */
  #subscribed(connection: Connection): void {
    const before = this.#current;
    this.#current = connection;
    this.#next = null;
    this.#failures = 0;
    if (before === null) this.#enqueue({ kind: 'gap' });
    before?.close();
  }

  #receive(message: UserMessage): void {
    if (message.kind === 'ending') this.#open();
    else if (message.kind === 'unreadable') this.#enqueue({ kind: 'unreadable', about: message.about });
    else if (message.kind === 'report') this.#reported = this.#reported.then(() => this.#report(message));
  }

  #closed(connection: Connection): void {
    const isReplaced = connection !== this.#current && connection !== this.#next;
    if (connection === this.#current) this.#current = null;
    if (connection === this.#next) this.#next = null;
    if (this.#isStopped || isReplaced || this.#next !== null) return;
    const { backoffMs, backoffMaxMs } = this.#times;
    const waitMs = Math.min(backoffMaxMs, backoffMs * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), waitMs).unref();
  }

  async #report({ clientOrderId, tokenId, side, state, trade }: Extract<UserMessage, { kind: 'report' }>) {
    if (trade !== null) {
      try {
        const fill = await this.#options.valuer.fill(trade);
        this.#emit({
          kind: 'fill',
          fill: { ...fill, venueOrderId: trade.orderId, clientOrderId, tokenId, side },
        });
      } catch {
        // The commission cannot be valued now: the next listing of fills reports the trade.
        this.#emit({ kind: 'gap' });
      }
    }
    this.#emit({ kind: 'order', clientOrderId, tokenId, order: { ...state, fills: [] } });
  }

  #enqueue(event: VenueEvent): void {
    this.#reported = this.#reported.then(() => this.#emit(event));
  }

  #emit(event: VenueEvent): void {
    if (!this.#isStopped) this.#options.on(event);
  }
}

type ConnectionEvents = {
  readonly subscribed: () => void;
  readonly received: (message: UserMessage) => void;
  /** Called once, whichever side closed the connection. */
  readonly closed: () => void;
};

/** One connection: subscribes, sends probes, and requests its successor in time. */
class Connection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #timers: NodeJS.Timeout[];
  #lastFrameAtMs = performance.now();
  #isSubscribed = false;
  #isClosed = false;

  constructor({ url, signer, now }: UserStreamOptions, times: Times, events: ConnectionEvents) {
    this.#events = events;
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('open', () => {
      const params = signer.params({ timestamp: Math.round(now()), recvWindow: RECV_WINDOW_MS });
      this.#send({ id: SUBSCRIBE, method: 'userDataStream.subscribe.signature', params });
    });
    this.#socket.addEventListener('message', ({ data }) => this.#parse(String(data)));
    this.#socket.addEventListener('close', () => this.close());
    this.#socket.addEventListener('error', () => this.close());
    this.#timers = [
      setInterval(() => this.#probe(times.silenceMs), times.probeMs).unref(),
      setTimeout(() => events.received({ kind: 'ending' }), times.lifetimeMs).unref(),
    ];
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
    this.#events.closed();
  }

  #parse(text: string): void {
    if (this.#isClosed) return;
    this.#lastFrameAtMs = performance.now();
    const message = parseUserMessage(text);
    if (message.kind !== 'answer') this.#events.received(message);
    else if (message.id === SUBSCRIBE && !this.#isSubscribed) this.#answered(message.isGood);
  }

  #answered(isGood: boolean): void {
    this.#isSubscribed = isGood;
    if (isGood) this.#events.subscribed();
    else this.close();
  }

  #probe(silenceMs: number): void {
    if (performance.now() - this.#lastFrameAtMs >= silenceMs) this.close();
    else if (this.#isSubscribed) this.#send({ id: 'ping', method: 'ping' });
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
