/**
 * The simulator: one loopback server that speaks the wire formats of Kalshi, Polymarket and Binance under `/kalshi`, `/gamma`,
 * `/clob`, `/data` and `/binance`. Its world is a pure function of (seed, time): the same in every process and after a restart.
 * Requests below `/simulator` switch on faults and move its time.
 *
 * The simulator also executes orders (`trading/`). Accounts and orders are stored in memory and matched against that world. A
 * venue has separate environments: `/kalshi` is its live one, `/kalshi-demo` and `/kalshi-testnet` the others.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonOf } from '../venues/parse/json.ts';
import { binanceVenue, CoinMarket } from './binance.ts';
import { clobVenue } from './clob.ts';
import { type Fault, Faults } from './faults.ts';
import { gammaVenue } from './gamma.ts';
import { gammaCatalogue } from './gamma-catalogue.ts';
import { kalshiVenue } from './kalshi.ts';
import { kalshiCatalogue } from './kalshi-catalogue.ts';
import { priceHistoryVenue } from './price-history.ts';
import type { Reply, Venue } from './reply.ts';
import { send } from './respond.ts';
import type { Environment } from './trading/account.ts';
import { BinanceTrading } from './trading/binance/index.ts';
import { controlTrading, ledgers, type SimulatedVenueServers } from './trading/control.ts';
import { kalshiTrading } from './trading/kalshi/index.ts';
import { PolymarketTrading } from './trading/polymarket/index.ts';
import type { TradingRequest, TradingVenue } from './trading/venue.ts';
import { SimulatedVenueServer } from './trading/venue-server.ts';
import { PriceOverrides } from './world/price-overrides.ts';
import { TICK_MS, WorldClock, type WorldClockOptions } from './world/world-clock.ts';

export type { Fault, FaultKind } from './faults.ts';
export type { ClockControl } from './world/world-clock.ts';
export { TICK_MS } from './world/world-clock.ts';

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
  /** The trading side of each venue, by the venue's name. */
  readonly simulatedVenues: SimulatedVenueServers;
  readonly priceOverrides: PriceOverrides;
  close(): Promise<void>;
};

const REQUEST_MAX_BYTES = 256 * 1024;

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = 1, port = 0, host = '127.0.0.1' } = options;
  const clock = new WorldClock(options);
  const faults = new Faults();
  const priceOverrides = new PriceOverrides();
  const world: World = { clock, faults, priceOverrides, ...venuesOf(String(seed), clock, priceOverrides) };
  const server = createServer((request, response) => {
    handle(request, response, world).catch((error: unknown) => {
      // A bug of the simulator: the log must show it, and the caller must not wait for an answer.
      console.error('simulator:', request.url, error);
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, world));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const close = async () => {
    for (const simulatedVenue of world.simulatedVenues.values()) simulatedVenue.streams.close();
    await stop(server);
  };
  return {
    url: `http://${host}:${address.port}`,
    clock,
    faults,
    simulatedVenues: world.simulatedVenues,
    priceOverrides,
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

function venuesOf(
  seed: string,
  clock: WorldClock,
  priceOverrides: PriceOverrides,
): Pick<World, 'venues' | 'simulatedVenues'> {
  const coins = new CoinMarket(seed);
  const bitcoin = () => coins.bitcoin();
  const polymarket = gammaCatalogue(seed, bitcoin, priceOverrides);
  const kalshi = kalshiCatalogue(seed, bitcoin, priceOverrides);
  const binance = new BinanceTrading(coins, priceOverrides, clock);
  const traded: TradingVenue[] = [
    kalshiTrading(kalshi, clock),
    new PolymarketTrading(polymarket, clock),
    binance,
  ];
  return {
    venues: new Map([
      ['kalshi', kalshiVenue(kalshi)],
      ['gamma', gammaVenue(polymarket)],
      ['clob', clobVenue(polymarket)],
      ['data', priceHistoryVenue(polymarket)],
      ['binance', binanceVenue({ coins, priceOverrides, status: () => binance.status })],
    ]),
    simulatedVenues: new Map(traded.map((venue) => [venue.name, new SimulatedVenueServer(venue, clock)])),
  };
}

type World = {
  readonly clock: WorldClock;
  readonly faults: Faults;
  readonly priceOverrides: PriceOverrides;
  readonly venues: ReadonlyMap<string, Venue>;
  readonly simulatedVenues: SimulatedVenueServers;
};

async function handle(request: IncomingMessage, response: ServerResponse, world: World): Promise<void> {
  const url = addressOf(request.url ?? '/');
  if (url === null) return send(response, { status: 400, body: { error: 'not an address' } }, world.clock);
  const text = await readText(request);
  const { first, ...ask } = requestOf(request, url, text);
  if (first === 'simulator') {
    const reply = comesFromPage(request) ? NOT_FOR_PAGES : control(ask, world);
    return send(response, reply, world.clock);
  }
  const fault = world.faults.take(url.pathname);
  if (fault !== null && (await misbehave(response, fault, world))) return;
  const otherwise = () => readMarket(first, ask, world);
  const simulatedVenue = world.simulatedVenues.get(first);
  if (simulatedVenue !== undefined && fault?.kind !== 'truncate')
    return simulatedVenue.serve(ask, response, otherwise);
  const reply = otherwise();
  if (fault?.kind === 'truncate') truncate(response, JSON.stringify(reply.body));
  else send(response, reply, world.clock);
}

function readMarket(name: string, { method, path, query, body }: TradingRequest, world: World): Reply {
  const nowMs = Math.floor(world.clock.now() / TICK_MS) * TICK_MS;
  const ask = { method, path: decodeURIComponent(path), query, body, nowMs };
  return world.venues.get(name)?.(ask) ?? { status: 404, body: { error: 'no such venue' } };
}

/** A user stream. */
function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, world: World): void {
  const url = addressOf(request.url ?? '/');
  const { first, ...ask } = requestOf(request, url ?? new URL('http://simulator'), '');
  const simulatedVenue = world.simulatedVenues.get(first);
  if (simulatedVenue === undefined) socket.destroy();
  else simulatedVenue.upgrade(request, socket, head, ask);
}

/** `kalshi` is the venue's live environment; `kalshi-demo` its demo. */
const FIRST = /^(\w+?)(?:-(demo|testnet))?$/;

function requestOf(
  { method = 'GET', headers }: IncomingMessage,
  { pathname, search, searchParams }: URL,
  text: string,
): TradingRequest & { first: string } {
  const [, segment = '', ...rest] = pathname.split('/');
  const [, first = segment, environment = 'live'] = FIRST.exec(decodeURIComponent(segment)) ?? [];
  return {
    first,
    environment: environment as Environment,
    method,
    path: rest.join('/'),
    search: search.slice(1),
    query: searchParams,
    headers,
    text,
    body: jsonOf(text),
  };
}

/** null if the path is no address, or an escape in it is malformed. */
function addressOf(path: string): URL | null {
  try {
    const url = new URL(path, 'http://simulator');
    decodeURIComponent(url.pathname);
    return url;
  } catch {
    return null;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > REQUEST_MAX_BYTES) throw new Error('request too large');
  }
  return text;
}

/** Applies the fault; false if the usual answer should follow. */
async function misbehave(response: ServerResponse, fault: Fault, world: World): Promise<boolean> {
  if (fault.latencyMs !== undefined) await sleep(fault.latencyMs);
  if (fault.kind === 'latency' || fault.kind === 'truncate') return false;
  if (fault.kind === 'freeze') return true;
  if (fault.kind === 'reset') response.destroy();
  else if (fault.kind === 'garbage') response.end('<html><body>Just a moment...</body></html>');
  else if (fault.kind === 'body') send(response, { status: 200, body: fault.body }, world.clock);
  else {
    const { status = 500, retryAfterSec } = fault;
    const headers = {
      ...(retryAfterSec !== undefined && { 'retry-after': String(retryAfterSec) }),
      ...(status >= 300 && status < 400 && { location: 'http://127.0.0.1:1/' }),
    };
    send(
      response,
      { status, body: { error: { code: 'simulated', message: 'simulated' } }, headers },
      world.clock,
    );
  }
  return true;
}

/** Announces the full length of the body and ends half-way. */
function truncate(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** A browser sends these headers with every request of a web page. No web page may move prices. */
const comesFromPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const NOT_FOR_PAGES: Reply = { status: 403, body: { error: 'requests from web pages are refused' } };

/**
 * `POST /simulator/faults {prefix, fault}`, `POST /simulator/clock {pin|advance|release}`, `GET /simulator/stats`,
 * `GET /simulator/ledger`, `POST /simulator/trading/<what>`.
 */
function control(
  { path, body }: TradingRequest,
  { clock, faults, priceOverrides, simulatedVenues }: World,
): Reply {
  const command = (body ?? {}) as Record<string, unknown>;
  if (path === 'ledger') return ledgers(simulatedVenues);
  if (path.startsWith('trading/'))
    return controlTrading(path.slice('trading/'.length), body, simulatedVenues, priceOverrides);
  try {
    if (path === 'faults') faults.set(String(command['prefix']), (command['fault'] ?? null) as Fault | null);
    else if (path === 'clock') moveClock(clock, command);
    else if (path !== 'stats')
      return { status: 404, body: { error: 'faults, clock, stats, ledger or trading/…' } };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : 'malformed request' } };
  }
  return { status: 200, body: { tick: clock.tick, speed: clock.speed, requests: faults.requests() } };
}

function moveClock(clock: WorldClock, { pin, advance, release }: Record<string, unknown>): void {
  if (typeof pin === 'number') clock.pin(pin);
  if (typeof advance === 'number') clock.advance(advance);
  if (release === true) clock.release();
}
