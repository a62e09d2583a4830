import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { DatabaseConnection } from '../../db/orm.ts';
import { openPool, type Pool, systemDb } from '../../db/pool.ts';
import { whenAvailable } from '../../db/when-available.ts';
import { type Clock, databaseClock } from '../../engine/platform/context.ts';
import { MarketFanOut } from '../../engine/platform/instruments/market-fan-out.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import type { KeyWrapper } from '../../engine/trading/connections/credentials/key-ring.ts';
import { brokersByMode } from '../../engine/trading/orders/execution/brokers.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { oauthAddresses } from '../../engine/usecases/oauth/addresses.ts';
import type { DemoConnection } from '../../venues/demo-accounts.ts';
import type { MarketData } from '../../venues/port.ts';
import { type Demo, openDemo } from '../demo/demo.ts';
import { buildApp } from '../http/app.ts';
import { readDescription } from '../http/descriptions.ts';
import { openEventListener } from '../http/event-listener.ts';
import { HeavyReads } from '../http/heavy-reads.ts';
import { logOrders } from '../http/order-log.ts';
import { Admission } from '../http-kit/admission.ts';
import { CallRateLimiter, type OpenLimiter } from '../http-kit/call-rate-limiter.ts';
import { RememberedRefusals } from '../http-kit/remembered-refusals.ts';
import { requestPoolShare } from '../http-kit/request-pool-share.ts';
import { type Auth, openAuth } from '../identity/auth.ts';
import { CallerResolver } from '../identity/caller-resolver.ts';
import { passwordConfirmer } from '../identity/confirm-password.ts';
import { startSecondFactors } from '../identity/factors/second-factor-key.ts';
import type { PasswordHasher } from '../identity/passwords.ts';
import { trustedOrigins } from '../identity/trusted-origins.ts';
import { openUserTrail } from '../identity/user-trail.ts';
import { deleteAccount } from '../identity/users/delete-account.ts';
import { identityDataReader } from '../identity/users/identity-data.ts';
import { sessionReader } from '../identity/users/sessions.ts';
import { movedAccountFinder, validCredentialFinder } from '../identity/valid-credentials.ts';
import { type Archives, openArchives } from '../kernel/archive/open-archive.ts';
import type { Config } from '../kernel/config.ts';
import { EventStreams } from '../kernel/event-streams.ts';
import type { Logger } from '../kernel/logger.ts';
import { once } from '../kernel/once.ts';
import { Readiness } from '../kernel/readiness.ts';
import type { IdleGate } from '../kernel/rounds/idle-gate.ts';
import { tickPeriodAtSpeedMs } from '../kernel/rounds/tick-period-at-speed.ts';
import { RUNNER_GRACE_MS, RunnerLiveness } from '../kernel/runner-liveness.ts';
import { Metrics, NO_COUNTERS, type Served } from '../metrics/index.ts';
import { startNotifications } from '../workers/notifications/index.ts';
import { openSender } from '../workers/notifications/open-sender.ts';
import type { PostOptions } from '../workers/notifications/post.ts';
import type { SenderOptions } from '../workers/notifications/sender.ts';
import { BacktestStepper } from '../workers/research/backtest-stepper.ts';
import { createMissingHistoryImporter } from '../workers/research/import-missing-history.ts';
import { startBacktests } from '../workers/research/index.ts';
import type { Connections } from '../workers/trading/connections/index.ts';
import type { ConnectionIntervals } from '../workers/trading/connections/intervals.ts';
import { startRunner } from '../workers/trading/index.ts';
import { failAfterRefusals } from '../workers/trading/orders/fail-after-refusals.ts';
import { startOrderWork } from '../workers/trading/orders/order-work.ts';
import { RoundsIdleGate } from '../workers/trading/rounds-idle-gate.ts';
import { closedWithin } from './closed-within.ts';
import { drain } from './drain.ts';
import { Heartbeat } from './heartbeat.ts';
import { listen, openServer } from './open-server.ts';
import { openVenues } from './open-venues.ts';
import { operatorServices } from './operators.ts';
import { refuseOtherCell, refuseSimulatedMoney } from './refuse-database.ts';

/** All users of a pool have ended by then: it closes at once, or a connection was never returned. */
const POOL_CLOSE_MS = 5_000;
const FLUSH_MS = 60_000;

export type ServiceOptions = {
  config: Config;
  /** A migrated database, as the application's role. */
  connection: DatabaseConnection;
  market: MarketData;
  authSecret: string;
  /** Keys that seal credentials of venues; those of the settings by default. */
  credentialKeys?: KeyWrapper | null;
  log: Logger;
  /** The clock of decisions; the database's by default. */
  clock?: Clock;
  /** Hashes passwords: slow on purpose, except in tests. */
  hasher?: PasswordHasher;
  /** Address of the simulated venues, with simulated prices. */
  simulatorUrl?: string | null;
  /** Intervals of the work on venue connections; as in production by default. */
  connectionPaces?: Partial<ConnectionIntervals>;
  /** How long runners may be missing before requests that need one are refused; the usual time by default. */
  runnerGraceMs?: number;
  /** Resolves names of notification receivers; by DNS unless given. */
  resolve?: PostOptions['resolve'];
  /** Accounts of the simulated venues; none by default. */
  demoConnections?: readonly DemoConnection[];
  /** Counts calls; in this process by default. */
  limiter?: OpenLimiter | undefined;
  /** Folder of the demo account's secrets; without it there is no demo account. */
  demoDir?: string | undefined;
  /** Ends a start that waits for the database. */
  stopping?: AbortSignal;
  /** Serves `/` in addition to the API. */
  site?: RequestHandler;
};

export type Service = {
  /** The address it listens on, or null in the role `runner`. */
  address: { host: string; port: number } | null;
  /** The port of metrics and probes, if served. */
  metricsPort: number | null;
  pool: Pool;
  auth: Auth;
  /** The sign-in of the demo account, if requested. */
  demo: Demo | null;
  /** Stops: takes no new work, finishes the work in progress, and hands leases over. A second call waits for the first. */
  stop: () => Promise<void>;
};

/**
 * Starts one process of the service on a database: the API, the runner, or both. A start is also crash recovery: no process
 * holds important state, so there is nothing else to recover.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, connection, market, authSecret, log, clock = databaseClock, hasher, site } = options;
  const {
    credentialKeys = config.credentialKeys,
    demoConnections = [],
    simulatorUrl = null,
    runnerGraceMs = RUNNER_GRACE_MS,
    resolve,
  } = options;
  const pool = await openPool(connection, { poolMax: config.poolMax });
  const patiently = <Result>(task: () => Promise<Result>) =>
    whenAvailable(task, { warn: (message) => log.warn(message), signal: options.stopping });
  await patiently(() => refuseOtherCell(pool, config.cell));
  const origins = trustedOrigins(config);
  if (config.liveTrading && config.marketData === 'live') await patiently(() => refuseSimulatedMoney(pool));
  if (config.role !== 'api') {
    const db = systemDb(pool);
    await patiently(async () => recordPriceSource(db, config.marketData, await clock(db)));
  }
  const limits = new CallRateLimiter(config.rateLimits, options.limiter);
  const archives = openArchives(config);
  const metrics = config.metricsPort === null ? null : new Metrics();
  const counting = metrics?.counting ?? NO_COUNTERS;
  const {
    auth,
    sessions,
    close: closeAuth,
  } = openAuth({
    connection,
    config,
    secret: authSecret,
    secondFactorKey: await patiently(() =>
      startSecondFactors({ db: systemDb(pool), keys: credentialKeys, authSecret, log }),
    ),
    trustedOrigins: origins,
    limits,
    log,
    trail: openUserTrail({ pool, paperCash: config.paperCash, log }),
    hasher,
  });
  const identifier = new CallerResolver({
    pool,
    sessions,
    limits,
    trustedOrigins: new Set(origins),
    paperCash: config.paperCash,
    isLiveOn: config.liveTrading,
  });
  const { demoDir: dataDir } = options;
  // Opened before the runner, which would occupy the connections.
  const demo = dataDir ? await patiently(() => openDemo({ ...config, pool, auth, market, dataDir })) : null;
  // With real prices the demo account could hold real money, so it keeps its password.
  const demoSignIn =
    demo && config.marketData === 'simulator' ? { email: demo.email, password: demo.password } : null;
  const idle = new RoundsIdleGate({ pool, clock, log });
  const heartbeat = new Heartbeat({ pool, role: config.role, version: config.version, log });
  const venues =
    config.role === 'api'
      ? null
      : await openVenues(config, {
          ...{ pool, clock, log, market, idle, simulatorUrl, keys: credentialKeys },
          ...{ holder: heartbeat, paces: options.connectionPaces },
        });
  const paper = openPaperVenue({ pool, marketData: market, clock });
  const work =
    config.role === 'api'
      ? null
      : startWork({
          pool,
          market,
          idle,
          heartbeat,
          brokers: brokersByMode({ paper, ...(venues && { live: venues.brokers }) }),
          venues,
          paper,
          clock,
          log,
          shardCount: config.shardCount,
          trading: config.trading,
          quoteLog: config.quoteLog,
          historyMaxBytes: config.historyMaxBytes,
          historyArchive: archives.historyArchive,
          retention: config.retention,
          sender: await patiently(() =>
            openSender(config, { pool, clock, log, keys: credentialKeys, resolve }),
          ),
          keys: credentialKeys,
          periodMs: tickPeriodAtSpeedMs(config.marketData === 'simulator' ? config.simulator.speed : 1),
        });
  if (work) idle.start();
  heartbeat.start();
  const live = openEventListener({
    connection,
    pool,
    log,
    onCommit: () => idle.wake(),
    onListening: (isListening) => idle.listens(isListening),
  });
  const flushing = setInterval(() => {
    identifier
      .flush()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'key usage was not stored'));
  }, FLUSH_MS);

  const stepper = new BacktestStepper(systemDb(pool), market, archives.historyArchive);
  const readiness = new Readiness(pool);
  const runners = new RunnerLiveness({ pool, isNeeded: work === null, graceMs: runnerGraceMs });
  const admission = new Admission(config.rateLimits === 'off' ? null : config.rateLimits.processor);
  const streams = new EventStreams(validCredentialFinder(sessions, pool), movedAccountFinder(pool));
  const server =
    config.role === 'runner'
      ? null
      : openServer(
          buildApp({
            services: {
              pool,
              requests: requestPoolShare(pool, admission.meter),
              clock,
              market,
              fanOut: new MarketFanOut(market, (error) =>
                log.error({ error: String(error) }, 'prices for streams could not be read'),
              ),
              trading: config.trading,
              isLiveOn: config.liveTrading,
              ...archives,
              limits: counting.limits(limits),
              live,
              isRunnerMissing: () => runners.isMissing,
              cursorSecret: authSecret,
              shardCount: config.shardCount,
              wakeOrders: () => work?.wake(),
              wakeBacktests: () => work?.wakeBacktests(),
              wakeNotifications: () => work?.wakeNotifications(),
              channels: {
                keys: credentialKeys,
                hasMail: config.mail !== null,
                isLoopbackAllowed: !config.production,
              },
              backtestStateAt: (row, at) => stepper.step(row, at),
              signInOptions: {
                signUp: config.signUp === 'open',
                providers: Object.keys(config.socialProviders),
                prices: config.marketData,
                demo: config.demo,
                demoSignIn: demoSignIn !== null,
                mail: config.mail !== null,
              },
              oauth: oauthAddresses(config.publicUrl),
              demoConnections,
              credentialKeys,
              confirmPassword: passwordConfirmer(sessions, limits),
              person: identityDataReader(pool),
              sessionsOf: sessionReader(pool),
              deleteAccount,
              operator: operatorServices(pool, config.version),
              unreadiness: () => readiness.problem(),
            },
            auth,
            demoSignIn,
            identifier,
            limits,
            heavyReads: new HeavyReads(),
            admission,
            refusals: new RememberedRefusals(),
            streams,
            onRefusal: counting.onRefusal,
            log,
            corsOrigins: config.corsOrigins,
            mcpOrigins: new Set([...origins, ...config.corsOrigins]),
            trustedProxies: config.trustedProxies,
            document: readDescription('openapi'),
            site,
          }),
          readiness,
          log,
        );
  const stop = once(async () => {
    readiness.stop();
    // A balancer has to see that this process is not ready before the port closes.
    if (server) await sleep(config.shutdownGraceSec * 1_000);
    clearInterval(flushing);
    await heartbeat.stop();
    await runners.stop();
    live.endWaiting();
    if (server) await drain(server);
    await work?.stop();
    await idle.stop();
    await stepper.close();
    await identifier.flush();
    await live.stop();
    await served?.stop();
    for (const [name, close] of [
      ['of sign-ins', closeAuth],
      ['of the service', () => pool.close()],
    ] as const) {
      const closed = await closedWithin(POOL_CLOSE_MS, close());
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
    return { address, metricsPort: served?.port ?? null, pool, auth, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type WorkOptions = Parameters<typeof startOrderWork>[0] &
  Pick<ServiceOptions, 'market' | 'log'> &
  Pick<Archives, 'historyArchive'> &
  Pick<Config, 'shardCount' | 'trading' | 'quoteLog' | 'historyMaxBytes' | 'retention'> & {
    idle: IdleGate;
    heartbeat: Heartbeat;
    periodMs: number;
    venues: Connections | null;
    keys: KeyWrapper | null;
    sender: SenderOptions;
  };

/** Starts the runner's two parts: ticking blueprints, and sending the orders of blueprints and users. */
function startWork(options: WorkOptions & { log: Logger }) {
  const { pool, market, brokers, venues, paper, clock, log, idle, heartbeat } = options;
  const { shardCount, trading, quoteLog, historyMaxBytes, historyArchive, retention, periodMs } = options;
  const stopLogging = logOrders(log);
  venues?.start();
  const orders = startOrderWork({
    pool,
    brokers,
    trading,
    paper,
    clock,
    log,
    idle,
    onRefusedInARow: failAfterRefusals({ pool, clock }),
  });
  const runner = startRunner({
    pool,
    market,
    clock,
    log,
    shardCount,
    trading,
    quoteLog,
    historyMaxBytes,
    retention,
    idle,
    holder: heartbeat,
    periodMs,
    wakeOrders: () => orders.wake(),
  });
  const importHistory = createMissingHistoryImporter(pool, market, historyMaxBytes);
  const { keys, sender } = options;
  const notifications = startNotifications({ pool, clock, log, keys, sender, idle });
  const backtests = startBacktests({ pool, market, clock, log, importHistory, historyArchive, idle });
  return {
    wake: () => orders.wake(),
    wakeBacktests: () => backtests.wake(),
    wakeNotifications: () => notifications.wake(),
    stop: async () => {
      await Promise.all([runner.stop(), backtests.stop(), notifications.stop()]);
      await orders.stop();
      await venues?.stop();
      stopLogging();
    },
  };
}
