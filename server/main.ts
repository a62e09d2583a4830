import { prepareDatabase } from '../db/prepare.ts';
import { openMarketData } from '../venues/index.ts';
import { ConfigError, readConfig } from './config.ts';
import { dataDirOf, openConnection, reasonOf } from './connection.ts';
import { openConsole } from './console.ts';
import { openDemo } from './demo.ts';
import { openDemoVenues } from './demo-venues.ts';
import { type Logger, openLogger } from './logger.ts';
import { openRedis } from './redis.ts';
import { credentialKeysOf, ownSecret } from './secrets.ts';
import { startService } from './service.ts';
import { StartError } from './start-error.ts';
import { stopSignal } from './stop-signal.ts';
import { welcome } from './welcome.ts';

const stopping = stopSignal();
await main().catch((error: unknown) => {
  // Asked to stop while it started: what was started is stopped by now, and whatever failed failed of that.
  if (stopping.aborted) process.exit(0);
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exit(1);
});

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { version, role } = config;
  const log = openLogger(config.logLevel, process.stdout.isTTY ? 'terminal' : 'stdout', {
    version,
    role,
    pid: process.pid,
  });
  const dataDir = dataDirOf(config);
  if (config.production && config.rateLimits === 'off') {
    log.warn('RATE_LIMITS=off: nothing counts requests, failed sign-ins or sign-ups');
  }
  await using opened = new AsyncDisposableStack();
  const { places, release } = await openConnection(config, (message) => log.info(message));
  opened.defer(release);
  stopping.throwIfAborted();
  const connection = await prepareDatabase(places, (message) => log.warn(message));
  stopping.throwIfAborted();
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl, log);
  if (redis) opened.defer(redis.close);
  const market = opened.use(
    await openMarketData({
      mode: config.marketData,
      baseUrls: config.venueUrls,
      log,
      turnsAt: redis?.turnsAt,
      ...config.simulator,
    }),
  );
  const authSecret = config.authSecret ?? ownSecret(dataDir);
  const credentialKeys = credentialKeysOf(config, dataDir);
  const site = config.role === 'runner' ? null : openConsole({ log, build: config.buildConsole });
  if (site) opened.defer(site.stop);
  stopping.throwIfAborted();
  const { simulatorUrl } = market;
  const hasDemoVenues = config.demo && config.liveTrading && simulatorUrl !== null;
  const demoVenues = hasDemoVenues ? await openDemoVenues({ simulatorUrl, dataDir }) : null;
  if (demoVenues) opened.defer(demoVenues.stop);
  const demoConnections = demoVenues?.connections ?? [];
  stopping.throwIfAborted();
  const service = await startService({
    config,
    connection,
    market,
    simulatorUrl,
    authSecret,
    credentialKeys,
    demoConnections,
    limiter: redis?.limiter,
    log,
    ...(site && { site: site.handle }),
  });
  opened.defer(service.stop);
  stopping.throwIfAborted();
  if (service.address) {
    const { address, metricsPort, pool, auth } = service;
    const demo = config.demo ? await openDemo({ ...config, pool, auth, market, dataDir }) : null;
    stopping.throwIfAborted();
    log.info({ ...address, metricsPort, marketData: config.marketData }, 'serving');
    const isTerminal = process.stdout.isTTY;
    if (!config.production)
      process.stdout.write(welcome({ config, address, dataDir, demo, demoConnections, isTerminal }));
  } else log.info({ metricsPort: service.metricsPort }, 'running');
  await isAborted(stopping);
  log.info({ signal: stopping.reason }, 'stopping: no new work, what is under way finishes');
  await stopInOrder(opened.move(), log);
}

function isAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function stopInOrder(opened: AsyncDisposableStack, log: Logger): Promise<never> {
  try {
    await opened.disposeAsync();
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'did not stop cleanly');
    process.exit(1);
  }
  process.exit(0);
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  return `The service cannot start: ${reasonOf(error)}`;
}
