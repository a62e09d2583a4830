/** Checks that work grows with its input: hostile input of any size must not cost more than its size. */

import { expect } from 'vitest';

/** Four times the input costs four times in linear work, sixteen in quadratic. Between them is room for a busy machine. */
const FACTOR_MAX = 9;
/** Work below this is cheap however it grows: no larger input exists. */
const CHEAP_MS = 20;
const TRIES = 12;

/**
 * Measures the processor time of this process at twice `size`, best of some tries. Unless that is cheap, half of `size` is
 * measured too. Fails where four times the size costs more than nine times.
 */
export async function expectBoundedGrowth(
  name: string,
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  let factor = Number.POSITIVE_INFINITY;
  let dearest = Number.POSITIVE_INFINITY;
  let single = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES; tried++) {
    dearest = Math.min(dearest, await costMs(() => work(size * 2)));
    if (dearest < CHEAP_MS) return;
    single = Math.min(single, await costMs(() => work(Math.floor(size / 2))));
    factor = dearest / single;
    if (factor < FACTOR_MAX) return;
  }
  expect.fail(
    `${name}: four times the size costs ${factor.toFixed(1)} times as much (${single.toFixed(0)} and ${dearest.toFixed(0)} ms)`,
  );
}

async function costMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Pieces of JSON that make something long: what comes before, what repeats (numbered), and what comes after. */
export type Shape = { head: string; unit: (index: number) => string; joint?: string; tail: string };

/** A text of about this many bytes. */
export function grownText({ head, unit, joint = ',', tail }: Shape, bytes: number): string {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let index = 0; length < bytes; index++) {
    const part = unit(index);
    length += part.length + joint.length;
    parts.push(part);
  }
  return `${head}${parts.join(joint)}${tail}`;
}
