import { execFile } from 'node:child_process';

/** Heartbeats per timeout of the service manager. */
const HEARTBEATS_PER_WATCH = 3;

/**
 * Removes the variables of systemd (`Type=notify`) from the environment, so that no child reports in our name. Returns a
 * function to call once the service is ready; from then on it sends the heartbeats for `WatchdogSec`. Node.js cannot write to
 * such a socket, so `systemd-notify` does. No effect without systemd.
 */
export function takeSystemdNotifier(
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
        if (error) warn(`systemd did not receive ${word}: ${error.message}`);
      },
    );
  };
  return {
    ready: () => {
      notify('--ready');
      const watchedMs = Number(watchedMicros ?? 0) / 1_000;
      if (watchedMs > 0) setInterval(() => notify('WATCHDOG=1'), watchedMs / HEARTBEATS_PER_WATCH).unref();
    },
  };
}
