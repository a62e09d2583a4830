import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NonNullable<typeof global.gc> = runInNewContext('gc');

/** Bytes that each call keeps past a collection of young objects: what only a full collection would free. */
export async function keptByEach(calls: number, call: () => unknown): Promise<number> {
  for (let at = 0; at < calls; at++) await call();
  // Other work of this process keeps bytes, too. A call that keeps some does so in each round.
  const rounds = [await round(), await round(), await round()];
  return Math.min(...rounds);

  async function round(): Promise<number> {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < calls; at++) await call();
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    return (process.memoryUsage().heapUsed - before) / calls;
  }
}
