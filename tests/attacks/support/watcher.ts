/** The neighbour of `expect-withstood.ts`, a thread: requests `/health` and stops all blueprints, until a message ends it. */

import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Calls made, the slowest of each kind in ms, and all answers other than 200. Also the factor by which work takes longer
 * in a thread than alone: 1 on a quiet machine.
 */
export type NeighbourReport = {
  health: number;
  healthMs: number;
  brakes: number;
  brakeMs: number;
  refused: string[];
  crowding: number;
};

const NEIGHBOUR = '127.77.0.1';
const HEALTH_EVERY_MS = 100;
const BRAKE_EVERY_MS = 300;
const WORK = Buffer.alloc(4_000_000);

const { base, key } = workerData as { base: string; key: string };
const seen: NeighbourReport = { health: 0, healthMs: 0, brakes: 0, brakeMs: 0, refused: [], crowding: 1 };
let isOver = false;
let [spunMs, workedMs] = [0, 0];

/** Computes for some milliseconds, and records how long that took on this machine. */
function spin(): void {
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  createHash('sha256').update(WORK).digest();
  const { user, system } = process.threadCpuUsage(before);
  spunMs += performance.now() - startedAt;
  workedMs += (user + system) / 1_000;
  seen.crowding = Math.max(1, spunMs / workedMs);
}

/** Status and beginning of an answer, on a connection of its own. */
function ask(method: string, path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(base + path, { method, headers, localAddress: NEIGHBOUR, agent: false });
    request.once('error', reject);
    request.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(`${response.statusCode} ${Buffer.concat(chunks).toString().slice(0, 200)}`);
    });
    request.end();
  });
}

async function timed(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const answer = await ask(method, path, headers).catch((error: Error) => error.message);
  if (!answer.startsWith('200 ')) seen.refused.push(`${method} ${path}: ${answer}`);
  return Math.round(performance.now() - startedAt);
}

async function lookAfter(): Promise<void> {
  do {
    const tookMs = await timed('GET', '/health', {});
    seen.health += 1;
    seen.healthMs = Math.max(seen.healthMs, tookMs);
    spin();
    await sleep(HEALTH_EVERY_MS);
  } while (!isOver);
}

async function brake(): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  do {
    const tookMs = await timed('POST', '/api/blueprints/stop', headers);
    seen.brakes += 1;
    seen.brakeMs = Math.max(seen.brakeMs, tookMs);
    await sleep(BRAKE_EVERY_MS);
  } while (!isOver);
}

parentPort?.once('message', () => {
  isOver = true;
});
// Warms the path: the first request is part of no attack.
await timed('POST', '/api/blueprints/stop', { authorization: `Bearer ${key}` });
parentPort?.postMessage('ready');
spin();
await Promise.all([lookAfter(), brake()]);
parentPort?.postMessage(seen);
