import { prepareDatabase } from '../../db/prepare.ts';
import { whenAvailable } from '../../db/when-available.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import { openConsole } from '../console/console.ts';
import { openDemoVenues } from '../demo/demo-venues.ts';
import { openRedisLimiters } from '../http-kit/redis-limiters.ts';
import type { Config } from '../kernel/config.ts';
import { connectDatabase, dataDirOf, reasonOf, throughPooler } from '../kernel/connect-database.ts';
import type { Logger } from '../kernel/logger.ts';
import { credentialKeysOf, dataDirSecret } from '../kernel/secrets.ts';
import { STOP_WITHIN_MS } from '../kernel/stop-signal.ts';
import { isFirstWorker, leaveSupervisor, reportServing } from './cluster.ts';
import { startService } from './service.ts';
import { startMessage } from './start-message.ts';

/** Runs one process of the service until it is to stop, then exits. Calls `onServing` once it serves. */
export async function run(
  config: Config,
  log: Logger,
  stopping: AbortSignal,
  onServing: () => void,
): Promise<never> {
  const { role } = config;
  const dataDir = dataDirOf(config);
  if (config.production && config.rateLimits === 'off') {
    log.warn('RATE_LIMITS=off: nothing counts requests, failed sign-ins or sign-ups');
  }
  await using opened = new AsyncDisposableStack();
  const warn = (message: string) => log.warn(message);
  const retryOptions = { warn, signal: stopping };
  const { access, poolerUrl, release } = await connectDatabase(
    config,
    (message) => log.info(message),
    retryOptions,
  );
  opened.defer(release);
  stopping.throwIfAborted();
  const direct = await whenAvailable(() => prepareDatabase(access, warn), retryOptions);
  const connection = await throughPooler(direct, poolerUrl, retryOptions);
  stopping.throwIfAborted();
  const redis = config.redisUrl === null ? null : await openRedisLimiters(config.redisUrl, log);
  if (redis) opened.defer(redis.close);
  const market = opened.use(
    await openMarketData({
      mode: config.marketData,
      baseUrls: config.venueUrls,
      log,
      sharedLimiterFor: redis?.sharedLimiterFor,
      ...config.simulator,
    }),
  );
  const authSecret = config.authSecret ?? dataDirSecret(dataDir);
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
    stopping,
    demoDir: config.demo && role !== 'runner' ? dataDir : undefined,
    ...(site && { site: site.handle }),
  });
  opened.defer(service.stop);
  stopping.throwIfAborted();
  if (service.address) {
    const { address, metricsPort, demo } = service;
    log.info({ ...address, metricsPort, marketData: config.marketData }, 'serving');
    const isTerminal = process.stdout.isTTY;
    if (!config.production && isFirstWorker())
      process.stdout.write(startMessage({ config, address, dataDir, demo, demoConnections, isTerminal }));
  } else log.info({ metricsPort: service.metricsPort }, 'running');
  reportServing();
  onServing();
  await isAborted(stopping);
  log.info({ signal: stopping.reason }, 'stopping: no new work; work in progress finishes');
  return stopInOrder(opened.move(), log);
}

function isAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function stopInOrder(opened: AsyncDisposableStack, log: Logger): Promise<never> {
  const giveUp = () => {
    log.error({ timeoutMs: STOP_WITHIN_MS }, 'the stop has not ended in time: exiting');
    process.exit(1);
  };
  setTimeout(giveUp, STOP_WITHIN_MS).unref();
  try {
    await opened.disposeAsync();
    await leaveSupervisor();
  } catch (error) {
    log.error({ error: reasonOf(error) }, 'did not stop cleanly');
    process.exit(1);
  }
  process.exit();
}
