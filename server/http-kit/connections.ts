import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import type { Logger } from '../kernel/logger.ts';
import { clientAddressOf } from './requests.ts';
import { answerHandshakes, isStreamHandshake } from './web-sockets.ts';

const WARN_AGAIN_MS = 60_000;
/** The most requests to begin in one turn of the event loop, over all connections. */
const FOLLOW_UPS_PER_TURN = 4;

export type ConnectionOptions = {
  /** Whether an address is a proxy in front of the service: many users share its connections. */
  isProxy: (address: string) => boolean;
  log: Logger;
};

/** Requests that wait on each connection in use. */
type Lanes = WeakMap<Socket, (() => void)[]>;

/** Creates an HTTP server that holds at most {@link CAPACITY} and waits at most {@link TIMEOUTS}. */
export function createBoundedServer(handle: RequestListener, options: ConnectionOptions): Server {
  const idle = new Set<Socket>();
  const lanes: Lanes = new WeakMap();
  // Node.js stops watching a socket at its handshake: answers that it sends before would not go on.
  const isFree = ({ socket }: IncomingMessage) => !lanes.has(socket);
  const listener = oneAtATime(handle, { idle, lanes });
  const server = createServer(
    {
      headersTimeout: TIMEOUTS.headersMs,
      requestTimeout: TIMEOUTS.requestMs,
      keepAliveTimeout: TIMEOUTS.keepAliveMs,
      connectionsCheckingInterval: TIMEOUTS.checkMs,
      shouldUpgradeCallback: (request) => isFree(request) && isStreamHandshake(request),
    },
    listener,
  );
  const answerHandshake = answerHandshakes(listener, handle);
  const upgraded = new Set<Socket>();
  server.on('upgrade', (request, socket: Socket, head) => {
    if (!isFree(request)) return void socket.destroy();
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    answerHandshake(request, socket, head);
  });
  const closeAllConnections = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  };
  server.timeout = TIMEOUTS.stalledMs;
  server.maxConnections = CAPACITY.connections;
  const admission = new Admission(idle, options);
  server.on('connection', (socket: Socket) => admission.admit(socket));
  return server;
}

/** Counts connections by address and refuses those past its share. */
class Admission {
  /** Connections between two requests. */
  readonly #idle: Set<Socket>;
  readonly #options: ConnectionOptions;
  readonly #held = new Map<string, number>();
  #open = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(idle: Set<Socket>, options: ConnectionOptions) {
    this.#idle = idle;
    this.#options = options;
  }

  admit(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const address = clientAddressOf(remoteAddress);
    const inReserve = this.#open >= CAPACITY.connections - CAPACITY.reservedConnections;
    if (inReserve) for (const idle of this.#idle) idle.destroy();
    const max = inReserve ? CAPACITY.connectionsPerAddressInReserve : CAPACITY.connectionsPerAddress;
    const held = this.#held.get(address) ?? 0;
    if (held >= max && !this.#options.isProxy(remoteAddress)) {
      this.#warn(address, held);
      return void socket.destroy();
    }
    this.#open++;
    this.#held.set(address, held + 1);
    socket.once('close', () => this.#release(socket, address));
  }

  #release(socket: Socket, address: string): void {
    this.#idle.delete(socket);
    this.#open--;
    const left = (this.#held.get(address) ?? 1) - 1;
    if (left === 0) this.#held.delete(address);
    else this.#held.set(address, left);
  }

  #warn(address: string, connections: number): void {
    if (performance.now() - this.#warnedAt < WARN_AGAIN_MS) return;
    this.#warnedAt = performance.now();
    this.#options.log.warn(
      { address, connections },
      'an address holds all the connections it may; if it is a proxy of yours, name it in TRUSTED_PROXIES',
    );
  }
}

/**
 * Processes one request of a connection at a time, in the order sent. So a connection holds at most one unread answer.
 * Pipelined requests also wait for those of other connections; a connection that pipelines too many is cut.
 */
function oneAtATime(
  handle: RequestListener,
  { idle, lanes }: { idle: Set<Socket>; lanes: Lanes },
): RequestListener {
  const followUps = new FollowUps();
  const workOnNext = (socket: Socket) => {
    const next = socket.destroyed ? undefined : lanes.get(socket)?.shift();
    if (next) return followUps.add(next);
    lanes.delete(socket);
    if (!socket.destroyed) idle.add(socket);
  };
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const work = () => {
      if (socket.destroyed) return;
      response.once('close', () => workOnNext(socket));
      handle(request, response);
    };
    const waiting = lanes.get(socket);
    if (waiting === undefined) {
      idle.delete(socket);
      lanes.set(socket, []);
      work();
    } else if (waiting.length + 1 < CAPACITY.requestsPerConnection) waiting.push(work);
    else socket.destroy();
  };
}

/** Begins pipelined requests a few at a time, and serves all other connections in between. */
class FollowUps {
  readonly #waiting: (() => void)[] = [];
  #isPlanned = false;

  add(work: () => void): void {
    this.#waiting.push(work);
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      for (const work of this.#waiting.splice(0, FOLLOW_UPS_PER_TURN)) work();
      this.#plan();
    });
  }
}
