import { execFile } from 'node:child_process';

/** Signs of life in the time after which the service manager ends a process that gave none. */
const SIGNS_PER_WATCH = 3;

/**
 * Takes the variables of systemd (`Type=notify`) out of the environment, so that no child speaks for us. Answers what to call
 * once the service is ready: from then on it gives the signs of life that `WatchdogSec` asks for. Node.js cannot write to
 * such a socket, so `systemd-notify` does. Without systemd nothing happens.
 */
export function takeServiceManager(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): { ready: () => void } {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchedMicros } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  if (!socket) return { ready: () => {} };
  const notify = (word: string) => {
    execFile(
      'systemd-notify',
      [word],
      { env: { ...env, NOTIFY_SOCKET: socket }, timeout: 5_000 },
      (error) => {
        if (error) warn(`systemd did not hear ${word}: ${error.message}`);
      },
    );
  };
  return {
    ready: () => {
      notify('--ready');
      const watchedMs = Number(watchedMicros ?? 0) / 1_000;
      if (watchedMs > 0) setInterval(() => notify('WATCHDOG=1'), watchedMs / SIGNS_PER_WATCH).unref();
    },
  };
}
