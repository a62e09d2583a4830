/** User streams over WebSocket: sign-in, events in the venue's format, and disturbances. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ExchangeEvent } from './exchange.ts';
import { isReply, type TradingRequest, type TradingVenue, type UserStreamClient } from './venue.ts';

export type Disturbance =
  /** Events are lost until it ends. */
  | 'gap'
  /** Every event comes twice. */
  | 'duplicate'
  /** Events wait until it ends, and come latest first. */
  | 'reorder'
  /** The connection is open and nothing comes: no event, no answer, no pong. */
  | 'silence';

type Client = { readonly socket: WebSocket; readonly session: UserStreamClient; readonly waiting: string[] };

/** How often events are polled while a client listens. */
const POLL_MS = 50;

export class UserStreams {
  /** Connections opened so far. */
  opened = 0;
  readonly #venue: TradingVenue;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: 64 * 1024 });
  readonly #clients = new Set<Client>();
  #disturbance: Disturbance | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(venue: TradingVenue) {
    this.#venue = venue;
    venue.exchange.listen((event) => this.#broadcast(event));
  }

  /** Clients that listen now. */
  get size(): number {
    return this.#clients.size;
  }

  /** The sessions of all clients, in order of arrival. */
  clients(): readonly UserStreamClient[] {
    return [...this.#clients].map(({ session }) => session);
  }

  /** Sets the disturbance from now on; null ends it. */
  disturb(disturbance: Disturbance | null): void {
    const wasReordering = this.#disturbance === 'reorder';
    this.#disturbance = disturbance;
    if (!wasReordering) return;
    for (const { socket, waiting } of this.#clients)
      for (const frame of waiting.splice(0).reverse()) socket.send(frame);
  }

  /** Cuts every connection; clients may connect again. */
  cut(): void {
    for (const { socket } of this.#clients) socket.terminate();
  }

  /** Sends every client a custom frame, such as an unknown event type. */
  send(frame: string): void {
    for (const { socket } of this.#clients) socket.send(frame);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, ask: TradingRequest): void {
    const opened = this.#venue.stream?.open(ask) ?? { status: 404, body: {} };
    if (isReply(opened)) refuse(socket, opened.status, JSON.stringify(opened.body));
    else this.#server.handleUpgrade(request, socket, head, (connected) => this.#accept(connected, opened));
  }

  close(): void {
    clearInterval(this.#timer);
    this.cut();
    this.#server.close();
  }

  #accept(socket: WebSocket, session: UserStreamClient): void {
    const client: Client = { socket, session, waiting: [] };
    this.#clients.add(client);
    this.opened += 1;
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref();
    socket.on('close', () => {
      this.#clients.delete(client);
      if (this.#clients.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    socket.on('ping', (data) => this.#disturbance !== 'silence' && socket.pong(data));
    socket.on('message', (data) => this.#receive(client, String(data)));
    // `close` removes a client that is gone.
    socket.on('error', () => socket.terminate());
  }

  #receive({ socket, session }: Client, text: string): void {
    try {
      const answers = this.#venue.stream?.receive(session, text) ?? [];
      if (this.#disturbance !== 'silence') for (const answer of answers) socket.send(answer);
    } catch (error) {
      // The log must show the failure, such as a key that cannot be parsed. Only this client is cut.
      console.error('simulator:', error);
      socket.terminate();
    }
  }

  #poll(): void {
    this.#venue.exchange.advance();
    for (const { socket, session } of this.#clients) {
      if (this.#venue.stream?.isOver?.(session) === true) socket.close();
    }
  }

  #broadcast(event: ExchangeEvent): void {
    for (const client of this.#clients) {
      for (const frame of this.#venue.stream?.report(client.session, event) ?? [])
        this.#deliver(client, frame);
    }
  }

  #deliver({ socket, waiting }: Client, frame: string): void {
    if (this.#disturbance === 'gap' || this.#disturbance === 'silence') return;
    if (this.#disturbance === 'reorder') waiting.push(frame);
    else for (let time = this.#disturbance === 'duplicate' ? 2 : 1; time > 0; time -= 1) socket.send(frame);
  }
}

function refuse(socket: Duplex, status: number, body: string): void {
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  // Once upgraded, a socket has no other listener: a peer that disconnected must not end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
