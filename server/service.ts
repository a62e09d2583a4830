import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, RequestHandler } from 'express';
import type { DatabaseConnection } from '../db/orm.ts';
import { openPool, type Pool, systemDb } from '../db/pool.ts';
import type { KeyWrapper } from '../engine/connections/key-ring.ts';
import { type Clock, databaseClock } from '../engine/context.ts';
import { liveKeys } from '../engine/keys/verify.ts';
import { brokersByMode } from '../engine/orders/execution/brokers.ts';
import { openPaperVenue } from '../engine/orders/paper/broker.ts';
import { hasSimulatedConnections, notePriceSource } from '../engine/price-source.ts';
import type { DemoConnection } from '../venues/demo-members.ts';
import type { MarketData } from '../venues/port.ts';
import { buildApp } from './app.ts';
import { type Auth, openAuth } from './auth.ts';
import { historyImporter } from './backtests/import-history.ts';
import { startBacktests } from './backtests/index.ts';
import { Stepper } from './backtests/stepper.ts';
import type { Config } from './config.ts';
import { passwordConfirmer } from './confirm-password.ts';
import { createBoundedServer } from './connections.ts';
import { readDocument } from './document.ts';
import { drain } from './drain.ts';
import { HeavyReads } from './heavy-reads.ts';
import { leave } from './leave.ts';
import { CountedLimits, type OpenLimiter } from './limits.ts';
import { listenError } from './listen-error.ts';
import { openLive } from './live.ts';
import type { Logger } from './logger.ts';
import { Metrics, type Served, UNCOUNTED } from './metrics/index.ts';
import { startNotifications } from './notifications/index.ts';
import { openSender } from './notifications/open-sender.ts';
import type { PostOptions } from './notifications/post.ts';
import type { SenderOptions } from './notifications/sender.ts';
import { once } from './once.ts';
import { logOrders } from './order-log.ts';
import type { PasswordHasher } from './passwords.ts';
import { personReader } from './person.ts';
import { Identifier } from './principal.ts';
import { Readiness } from './readiness.ts';
import { withReadableTarget } from './requests.ts';
import { Connections } from './runner/connections/index.ts';
import type { ConnectionPaces } from './runner/connections/paces.ts';
import { startRunner } from './runner/index.ts';
import { startOrderWork } from './runner/orders/order-work.ts';
import { failRefused } from './runner/orders/refusal-words.ts';
import { tickPeriodMs } from './runner/pace.ts';
import { RUNNER_GRACE_MS, RunnerWatch } from './runner-watch.ts';
import { sessionReader } from './sessions.ts';
import { StartError } from './start-error.ts';
import { type FindLive, Streams } from './streams.ts';
import { trustedOrigins } from './trusted-origins.ts';
import { openUserTrail } from './user-trail.ts';

/** Everything that used a pool has ended by then: it closes at once, or somebody never gives a connection back. */
const POOL_CLOSE_MS = 5_000;
const FLUSH_MS = 60_000;

export type ServiceOptions = {
  config: Config;
  /** A database that is up to date, as the application's role. */
  connection: DatabaseConnection;
  market: MarketData;
  authSecret: string;
  /** What credentials of venues are sealed with; those of the settings by default. */
  credentialKeys?: KeyWrapper | null;
  log: Logger;
  /** What decisions read the time from; the database's clock by default. */
  clock?: Clock;
  /** What hashes passwords: slow on purpose, unless a test says otherwise. */
  hasher?: PasswordHasher;
  /** Where the simulated venues are, at simulated prices. */
  simulatorUrl?: string | null;
  /** How often connections to venues are looked after; as they need it by default. */
  connectionPaces?: Partial<ConnectionPaces>;
  /** How long no runner may be seen before requests that need one are refused; as long as it takes by default. */
  runnerGraceMs?: number;
  /** How names of receivers of notifications are looked up; by DNS by default. */
  resolve?: PostOptions['resolve'];
  /** Members of the simulated venues; none by default. */
  demoConnections?: readonly DemoConnection[];
  /** What counts calls; in this process by default. */
  limiter?: OpenLimiter | undefined;
  /** What stands under `/` besides the API. */
  site?: RequestHandler;
};

export type Service = {
  /** Where it listens, or null in the role `runner`. */
  address: { host: string; port: number } | null;
  /** Where metrics and probes are, where they are served. */
  metricsPort: number | null;
  pool: Pool;
  auth: Auth;
  /** No new work, what is under way finishes, leases are handed over. A second call waits for the first. */
  stop: () => Promise<void>;
};

/**
 * One process of the service on a database: the API, the runner, or both. Start-up is crash recovery: nothing
 * important lives in a process, so there is nothing else to recover.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, connection, market, authSecret, log, clock = databaseClock, hasher, site } = options;
  const {
    credentialKeys = config.credentialKeys,
    demoConnections = [],
    runnerGraceMs = RUNNER_GRACE_MS,
    resolve,
  } = options;
  const pool = await openPool(connection, { poolMax: config.poolMax });
  const origins = trustedOrigins(config);
  if (config.liveTrading && config.marketData === 'live') await refuseSimulatedMoney(pool);
  if (config.role !== 'api') {
    await notePriceSource(systemDb(pool), config.marketData, await clock(systemDb(pool)));
  }
  const limits = new CountedLimits(config.rateLimits, options.limiter);
  const metrics = config.metricsPort === null ? null : new Metrics();
  const counting = metrics?.counting ?? UNCOUNTED;
  const {
    auth,
    sessions,
    close: closeAuth,
  } = openAuth({
    connection,
    config,
    secret: authSecret,
    trustedOrigins: origins,
    limits,
    log,
    trail: openUserTrail({ pool, paperCash: config.paperCash, log }),
    hasher,
  });
  const identifier = new Identifier({
    pool,
    sessions,
    limits,
    trustedOrigins: new Set(origins),
    paperCash: config.paperCash,
    isLiveOn: config.liveTrading,
  });
  const venues = config.role === 'api' ? null : openVenues(options, pool, clock, credentialKeys);
  const paper = openPaperVenue({ pool, marketData: market, clock });
  const work =
    config.role === 'api'
      ? null
      : await startWork({
          pool,
          market,
          brokers: brokersByMode({ paper, ...(venues && { live: venues.brokers }) }),
          venues,
          paper,
          clock,
          log,
          shardCount: config.shardCount,
          trading: config.trading,
          quoteLog: config.quoteLog,
          historyMaxBytes: config.historyMaxBytes,
          retention: config.retention,
          sender: await openSender(config, { pool, clock, log, keys: credentialKeys, resolve }),
          keys: credentialKeys,
          periodMs: tickPeriodMs(config.marketData === 'simulator' ? config.simulator.speed : 1),
        });
  const live = openLive({ connection, pool, log });
  const flushing = setInterval(() => {
    identifier
      .flush()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'key usage was not noted'));
  }, FLUSH_MS);

  const stepper = new Stepper(systemDb(pool), market);
  const readiness = new Readiness(pool);
  const runners = new RunnerWatch({ pool, isNeeded: work === null, graceMs: runnerGraceMs });
  const streams = new Streams(credentialFinder(sessions, pool));
  const server =
    config.role === 'runner'
      ? null
      : openServer(
          buildApp({
            services: {
              pool,
              clock,
              market,
              trading: config.trading,
              isLiveOn: config.liveTrading,
              limits: counting.limits(limits),
              live,
              isRunnerMissing: () => runners.isMissing,
              cursorSecret: authSecret,
              shardCount: config.shardCount,
              nudgeOrders: () => work?.nudge(),
              nudgeBacktests: () => work?.nudgeBacktests(),
              nudgeNotifications: () => work?.nudgeNotifications(),
              channels: {
                keys: credentialKeys,
                hasMail: config.mail !== null,
                isLoopbackAllowed: !config.production,
              },
              stepBacktest: (row, at) => stepper.step(row, at),
              entrance: {
                signUp: config.signUp === 'open',
                providers: Object.keys(config.socialProviders),
                prices: config.marketData,
                demo: config.demo,
                mail: config.mail !== null,
              },
              demoConnections,
              credentialKeys,
              confirmPassword: passwordConfirmer(sessions, limits),
              person: personReader(pool),
              sessionsOf: sessionReader(pool),
              leave,
              unreadiness: () => readiness.problem(),
            },
            auth,
            identifier,
            limits,
            heavyReads: new HeavyReads(),
            streams,
            onRefusal: counting.onRefusal,
            log,
            corsOrigins: config.corsOrigins,
            trustedProxies: config.trustedProxies,
            document: readDocument(),
            site,
          }),
          readiness,
          log,
        );
  const stop = once(async () => {
    readiness.stop();
    // A balancer has to see that we are not ready before it finds the port closed.
    if (server) await sleep(config.shutdownGraceSec * 1_000);
    clearInterval(flushing);
    await runners.stop();
    live.endWaiting();
    if (server) await drain(server);
    await work?.stop();
    await stepper.close();
    await identifier.flush();
    await live.stop();
    await served?.stop();
    for (const [name, close] of [
      ['of sign-ins', closeAuth],
      ['of the service', () => pool.close()],
    ] as const) {
      const closed = await isClosedWithin(POOL_CLOSE_MS, close());
      if (!closed)
        log.warn(
          { pool: name, timeoutMs: POOL_CLOSE_MS },
          'database connections were still in use at the end',
        );
    }
  });
  let served: Served | null = null;
  try {
    const address = server && (await listen(server, config));
    runners.start();
    served = metrics && (await metrics.serve(config, { pool, streams, runners, readiness }));
    return { address, metricsPort: served?.port ?? null, pool, auth, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Simulated prices are traded by at simulated venues alone: without their address nothing is. */
function openVenues(
  { config, market, log, simulatorUrl = null, connectionPaces: paces }: ServiceOptions,
  pool: Pool,
  clock: Clock,
  keys: KeyWrapper | null,
): Connections | null {
  if (config.marketData === 'simulator' && simulatorUrl === null) return null;
  const { isLiveOn } = config.trading;
  return new Connections({ pool, clock, log, market, keys, simulatorUrl, isLiveOn, paces });
}

/** Books in which simulated venues were traded at are not gone on with for real money. */
async function refuseSimulatedMoney(pool: Pool): Promise<void> {
  if (!(await hasSimulatedConnections(systemDb(pool)))) return;
  await pool.close();
  throw new StartError(
    'Accounts of this database were connected to simulated venues: take a database of its own for real money, or set LIVE_TRADING=off.',
  );
}

const credentialFinder =
  (sessions: Auth, pool: Pool): FindLive =>
  async (credentials) => {
    const idsOf = (kind: 'session' | 'key') =>
      credentials.filter((each) => each.kind === kind).map(({ id }) => id);
    const [open, keys] = await Promise.all([
      openSessions(sessions, idsOf('session')),
      liveKeys(systemDb(pool), idsOf('key')),
    ]);
    return new Set([...open, ...keys]);
  };

async function openSessions(sessions: Auth, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { adapter } = await sessions.$context;
  const found = await adapter.findMany<{ id: string; expiresAt: Date }>({
    model: 'session',
    where: [{ field: 'id', operator: 'in', value: ids }],
    limit: ids.length,
  });
  const now = new Date();
  return found.flatMap(({ id, expiresAt }) => (expiresAt > now ? [id] : []));
}

type WorkOptions = Parameters<typeof startOrderWork>[0] &
  Pick<ServiceOptions, 'market' | 'log'> &
  Pick<Config, 'shardCount' | 'trading' | 'quoteLog' | 'historyMaxBytes' | 'retention'> & {
    periodMs: number;
    venues: Connections | null;
    keys: KeyWrapper | null;
    sender: SenderOptions;
  };

/** The runner's two halves: ticking blueprints, and sending what they and people ordered. */
async function startWork(options: WorkOptions & { log: Logger }) {
  const { pool, market, brokers, venues, paper, clock, log } = options;
  const { shardCount, trading, quoteLog, historyMaxBytes, retention, periodMs } = options;
  const stopLogging = logOrders(log);
  venues?.start();
  const orders = startOrderWork({
    pool,
    brokers,
    trading,
    paper,
    clock,
    log,
    onRefusedInARow: failRefused({ pool, clock }),
  });
  const runner = await startRunner({
    pool,
    market,
    clock,
    log,
    shardCount,
    trading,
    quoteLog,
    historyMaxBytes,
    retention,
    periodMs,
    nudgeOrders: () => orders.nudge(),
  });
  const importHistory = historyImporter(pool, market, historyMaxBytes);
  const { keys, sender } = options;
  const notifications = startNotifications({ pool, clock, log, keys, sender });
  const backtests = startBacktests({ pool, market, clock, log, importHistory });
  return {
    nudge: () => orders.nudge(),
    nudgeBacktests: () => backtests.nudge(),
    nudgeNotifications: () => notifications.nudge(),
    stop: async () => {
      await Promise.all([runner.stop(), backtests.stop(), notifications.stop()]);
      await orders.stop();
      await venues?.stop();
      stopLogging();
    },
  };
}

/** Answers while it stops say that their connection ends: whoever keeps it open goes elsewhere before it is cut. */
function openServer(app: Express, readiness: Readiness, log: Logger): Server {
  const handle: RequestListener = (request, response) => {
    if (readiness.isStopping) response.setHeader('Connection', 'close');
    app(request, response);
  };
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  return createBoundedServer(withReadableTarget(handle), {
    isProxy: (address) => isTrusted(address, 0),
    log,
  });
}

function listen(server: Server, { host, port }: Config): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { host, port })));
    server.listen(port, host, () => resolve({ host, port: (server.address() as AddressInfo).port }));
  });
}

/** Waits until it is closed, but not for ever: what is left is cut when the process ends. */
async function isClosedWithin(timeoutMs: number, closing: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(timeoutMs, false, { signal: waiting.signal }).catch(() => false);
  const closed = await Promise.race([closing.then(() => true), late]);
  waiting.abort();
  return closed;
}
