import { captureConsole } from '../identity/captured-console.ts';
import { ConfigError, readConfig } from '../kernel/config.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { openLogger } from '../kernel/logger.ts';
import { StartError } from '../kernel/start-error.ts';
import { stopOnSignals, stopOnUnhandled } from '../kernel/stop-signal.ts';
import { isSupervisor, superviseProcesses } from './cluster.ts';
import { takeSystemdNotifier } from './systemd-notifier.ts';

const stop = stopOnSignals();
const stopping = stop.signal;
await main().catch((error: unknown) => {
  // A stop during the start: all that was started has stopped by now, and any failure is a consequence.
  if (stopping.aborted) process.exit();
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
  stopOnUnhandled(stop, log);
  captureConsole(log);
  const manager = takeSystemdNotifier(process.env, (message) => log.warn(message));
  if (isSupervisor(config)) process.exit(await superviseProcesses(config, log, stopping, manager.ready));
  // The supervisor of several processes does not load their code.
  const { run } = await import('./run.ts');
  await run(config, log, stopping, manager.ready);
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  return `The service cannot start: ${reasonOf(error)}`;
}
