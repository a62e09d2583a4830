/**
 * The simulator: one loopback server that speaks the wire formats of Kalshi, Polymarket and Binance under `/kalshi`,
 * `/gamma`, `/clob` and `/binance`. Its world is a pure function of (seed, time): the same in every process and after a
 * restart. Under `/simulator` it can be told to misbehave, and its time can be moved.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_HEADER } from '../clock.ts';
import { binanceVenue, Coins } from './binance.ts';
import { clobVenue } from './clob.ts';
import { type Fault, Faults } from './faults.ts';
import { gammaVenue } from './gamma.ts';
import { gammaCatalogue } from './gamma-catalogue.ts';
import { kalshiVenue } from './kalshi.ts';
import { kalshiCatalogue } from './kalshi-catalogue.ts';
import type { Reply, Venue } from './reply.ts';
import { TICK_MS, WorldClock, type WorldClockOptions } from './world-clock.ts';

export type { Fault, FaultKind } from './faults.ts';
export type { ClockControl } from './world-clock.ts';
export { TICK_MS } from './world-clock.ts';

export type SimulatorOptions = WorldClockOptions & {
  /** Another seed is another world; names, tickers and token ids stay. Default 1. */
  seed?: string | number;
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1; the simulator is not for other machines. */
  host?: string;
};

export type Simulator = AsyncDisposable & {
  /** `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly clock: WorldClock;
  readonly faults: Faults;
  close(): Promise<void>;
};

const REQUEST_MAX_BYTES = 256 * 1024;

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = 1, port = 0, host = '127.0.0.1' } = options;
  const clock = new WorldClock(options);
  const faults = new Faults();
  const venues = venuesOf(String(seed));
  const server = createServer((request, response) => {
    handle(request, response, { clock, faults, venues }).catch((error: unknown) => {
      // A bug of the simulator: it must be seen, and the caller must not wait for an answer.
      console.error('simulator:', request.url, error);
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const close = () => stop(server);
  return {
    url: `http://${host}:${address.port}`,
    clock,
    faults,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function venuesOf(seed: string): Map<string, Venue> {
  const coins = new Coins(seed);
  const bitcoin = () => coins.bitcoin();
  const polymarket = gammaCatalogue(seed, bitcoin);
  return new Map([
    ['kalshi', kalshiVenue(kalshiCatalogue(seed, bitcoin))],
    ['gamma', gammaVenue(polymarket)],
    ['clob', clobVenue(polymarket)],
    ['binance', binanceVenue(coins)],
  ]);
}

type World = {
  clock: WorldClock;
  faults: Faults;
  venues: Map<string, Venue>;
};

async function handle(request: IncomingMessage, response: ServerResponse, world: World): Promise<void> {
  const url = addressOf(request.url ?? '/');
  if (url === null) return send(response, { status: 400, body: { error: 'not an address' } }, world);
  const body = await readBody(request);
  const [, name = '', ...segments] = url.pathname.split('/').map(decodeURIComponent);
  if (name === 'simulator') {
    const reply = comesFromPage(request) ? NOT_FOR_PAGES : control(segments.join('/'), body, world);
    return send(response, reply, world);
  }
  const fault = world.faults.take(url.pathname);
  if (fault !== null && (await misbehave(response, fault, world))) return;
  const venue = world.venues.get(name);
  const nowMs = Math.floor(world.clock.now() / TICK_MS) * TICK_MS;
  const reply = venue?.({
    method: request.method ?? 'GET',
    path: segments.join('/'),
    query: url.searchParams,
    body,
    nowMs,
  });
  const full = reply ?? { status: 404, body: { error: 'no such venue' } };
  const text = JSON.stringify(full.body);
  if (fault?.kind === 'truncate') return truncate(response, text);
  send(response, full, world, text);
}

/** null where it is no address, or its escapes are none. */
function addressOf(path: string): URL | null {
  try {
    const url = new URL(path, 'http://simulator');
    decodeURIComponent(url.pathname);
    return url;
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > REQUEST_MAX_BYTES) throw new Error('request too large');
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: Reply,
  { clock }: World,
  text = JSON.stringify(body),
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    [CLOCK_HEADER]: `${clock.now()};speed=${clock.speed}`,
    ...headers,
  });
  response.end(text);
}

/** Does what the fault asks; false where the usual answer is to follow. */
async function misbehave(response: ServerResponse, fault: Fault, world: World): Promise<boolean> {
  if (fault.latencyMs !== undefined) await sleep(fault.latencyMs);
  if (fault.kind === 'latency' || fault.kind === 'truncate') return false;
  if (fault.kind === 'freeze') return true;
  if (fault.kind === 'reset') response.destroy();
  else if (fault.kind === 'garbage') response.end('<html><body>Just a moment...</body></html>');
  else if (fault.kind === 'body') send(response, { status: 200, body: fault.body }, world);
  else {
    const { status = 500, retryAfterSec } = fault;
    const headers = {
      ...(retryAfterSec !== undefined && { 'retry-after': String(retryAfterSec) }),
      ...(status >= 300 && status < 400 && { location: 'http://127.0.0.1:1/' }),
    };
    send(response, { status, body: { error: { code: 'simulated', message: 'simulated' } }, headers }, world);
  }
  return true;
}

/** Says how long the body is and ends half-way. */
function truncate(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** A browser says so of whatever page it was that asked: none of them moves prices. */
const comesFromPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const NOT_FOR_PAGES: Reply = { status: 403, body: { error: 'not for pages in a browser' } };

/** `POST /simulator/faults {prefix, fault}`, `POST /simulator/clock {pin|advance|release}`, `GET /simulator/stats`. */
function control(path: string, body: unknown, { clock, faults }: World): Reply {
  const command = (body ?? {}) as Record<string, unknown>;
  try {
    if (path === 'faults') faults.set(String(command['prefix']), (command['fault'] ?? null) as Fault | null);
    else if (path === 'clock') moveClock(clock, command);
    else if (path !== 'stats') return { status: 404, body: { error: 'faults, clock or stats' } };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : 'not acceptable' } };
  }
  return { status: 200, body: { tick: clock.tick, speed: clock.speed, requests: faults.requests() } };
}

function moveClock(clock: WorldClock, { pin, advance, release }: Record<string, unknown>): void {
  if (typeof pin === 'number') clock.pin(pin);
  if (typeof advance === 'number') clock.advance(advance);
  if (release === true) clock.release();
}
