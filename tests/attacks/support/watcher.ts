/** The neighbour of `witness.ts`, in a thread: asks for `/health` and presses the brake until it is told to end. */

import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Calls made, the slowest of each kind in ms, and what came back other than 200. */
export type Seen = { health: number; healthMs: number; brakes: number; brakeMs: number; refused: string[] };

const NEIGHBOUR = '127.77.0.1';
const HEALTH_EVERY_MS = 100;
const BRAKE_EVERY_MS = 300;

const { base, key } = workerData as { base: string; key: string };
const seen: Seen = { health: 0, healthMs: 0, brakes: 0, brakeMs: 0, refused: [] };
let isOver = false;

/** Status and beginning of an answer, on a connection of its own. */
function ask(method: string, path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(base + path, { method, headers, localAddress: NEIGHBOUR, agent: false });
    asked.once('error', reject);
    asked.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(`${response.statusCode} ${Buffer.concat(chunks).toString().slice(0, 200)}`);
    });
    asked.end();
  });
}

async function timed(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const told = await ask(method, path, headers).catch((error: Error) => error.message);
  if (!told.startsWith('200 ')) seen.refused.push(`${method} ${path}: ${told}`);
  return Math.round(performance.now() - startedAt);
}

async function lookAfter(): Promise<void> {
  do {
    const tookMs = await timed('GET', '/health', {});
    seen.health += 1;
    seen.healthMs = Math.max(seen.healthMs, tookMs);
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
// The first question is part of no attack: it warms the path.
await timed('POST', '/api/blueprints/stop', { authorization: `Bearer ${key}` });
parentPort?.postMessage('ready');
await Promise.all([lookAfter(), brake()]);
parentPort?.postMessage(seen);
