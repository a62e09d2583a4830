/**
 * Watches over runners: `npm run watchdog`, in its own process, ideally on another machine. If no runner has held a connection
 * for half a minute, it cancels every open order at the venue. Any number may run: one of them is active.
 */
import { reasonOf } from '../kernel/connect-database.ts';
import { openLogger } from '../kernel/logger.ts';
import { LogOnce } from '../kernel/rounds/log-once.ts';
import { startRounds } from '../kernel/rounds/rounds.ts';
import { withDeadline } from '../kernel/rounds/with-deadline.ts';
import { stopOnSignals } from '../kernel/stop-signal.ts';
import { adminBrokerOpener } from '../process/admin-broker.ts';
import { UnheldOrdersWatchdog } from '../process/watchdog.ts';
import { readCommandLine } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';

const PERIOD_MS = 2_000;
const POOL_MAX = 4;

async function watch(stopping: AbortSignal): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { pool, keys, config, close } = await openCommandResources(POOL_MAX);
  opened.defer(close);
  const log = openLogger(config.logLevel, process.stdout.isTTY ? 'terminal' : 'stdout');
  const watchdog = new UnheldOrdersWatchdog({
    pool,
    adminBroker: adminBrokerOpener({ pool, keys, config }),
    log,
  });
  opened.defer(() => watchdog.stop());
  const failures = new LogOnce(log);
  const subject = 'watching over connections';
  const rounds = startRounds(
    () => failures.attempt(subject, () => withDeadline(log, subject, () => watchdog.check())),
    PERIOD_MS,
  );
  opened.defer(() => rounds.stop());
  log.info({}, 'watching over the connections of runners');
  await new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener('abort', () => resolve(), { once: true });
  });
}

readCommandLine('Usage: npm run watchdog', {});
try {
  await watch(stopOnSignals().signal);
} catch (error) {
  console.error(`The watchdog stopped: ${reasonOf(error)}`);
  process.exitCode = 1;
}
