import { exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Route } from './route-file.ts';

/** A reload forks a process, and returns. */
const RELOAD_TIMEOUT_MS = 30_000;
const ANSWER_WITHIN_MS = 2_000;
/** New workers read the file within this time, on most machines. */
const LOOK_AFTER_MS = 1_000;
const TRIES = 10;

/**
 * Runs the command until HAProxy leads the route's digest to its cell. One reload is not enough. While HAProxy starts again for
 * one move, the signal of another is lost, and it keeps the lines of before.
 *
 * @param proxy the address of the frontend `routes` of `ops/haproxy-cells.cfg`
 * @param route undefined, as `proxy`: the command runs once, unproven
 * @throws Error of the command, or with what HAProxy answered at last
 */
export async function reloadProxy(
  command: string,
  proxy: string | undefined,
  route: Route | undefined,
  tries = TRIES,
): Promise<void> {
  let answer = '';
  for (let tried = 0; tried < tries; tried++) {
    await promisify(exec)(command, { timeout: RELOAD_TIMEOUT_MS, killSignal: 'SIGKILL' });
    if (proxy === undefined || route === undefined) return;
    await sleep(LOOK_AFTER_MS);
    answer = await ask(new URL(route.digest, proxy));
    if (answer === route.cell) return;
  }
  throw new Error(`after ${tries} reloads ${proxy} answers "${answer}" for a key of ${route?.cell}.`);
}

const ask = async (url: URL): Promise<string> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return (await response.text()).slice(0, 100);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
