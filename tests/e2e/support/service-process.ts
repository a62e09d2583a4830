import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRunFolder, removeWithServer } from '../../support/test-server.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
/** A busy machine needs a minute and more; a service that fails ends at once. */
const START_MS = 180_000;
const STOP_MS = 30_000;

export type ServiceProcess = {
  base: string;
  dataDir: string;
  output: () => string;
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

/** Starts the service as a user does, on a port of `env` or a free one. Its data folder is new, or one that was kept. */
export async function startServiceProcess(
  env: Record<string, string> = {},
  ownDataDir?: string,
): Promise<ServiceProcess> {
  const port = Number(env['PORT'] ?? (await freePort()));
  const dataDir = ownDataDir ?? makeRunFolder();
  const child = spawn(process.execPath, ['server/start.mjs'], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk;
    });
  }
  const base = `http://localhost:${port}`;
  await untilReady(base, child, () => log);
  return {
    base,
    dataDir,
    output: () => log,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      clearTimeout(late);
      if (ownDataDir === undefined) await removeWithServer(dataDir);
    },
  };
}

/**
 * A port below those the system gives to outgoing connections. No other process takes it before the service listens, which may
 * be minutes later.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function untilReady(base: string, child: ChildProcess, log: () => string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The service ended: ${log()}`);
    const ready = await fetch(`${base}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(200);
  }
  throw new Error(`The service was not ready in ${START_MS} ms: ${log()}`);
}
