// Fails a test that takes twice the processor time of its budget, unless it is tagged `long`. A setup file of every project.
// Twice, because the same work takes up to that on a processor that is shared.

import { afterEach, beforeEach } from 'vitest';

/** Milliseconds of processor time that a test may take on the reference machine; a slower machine gets more. */
const BUDGET_MS = 2_000;

/** Milliseconds of processor time that `work` takes on the machine of the reference. */
const REFERENCE_MS = 13;

/** On a machine that is slower than this now, a figure says more about its neighbors than about the test. */
const SLOWNESS_MAX = 2;

/** Returns the factor by which this machine is slower than the reference now, at least 1. Only a test over the budget asks for it. */
const slowness = (): number => Math.max(1, fastest(() => work()) / REFERENCE_MS);

let startedMs = 0;

beforeEach(() => {
  startedMs = processorMs();
});

afterEach(({ task }) => {
  const takenMs = processorMs() - startedMs;
  if (takenMs <= BUDGET_MS || task.tags?.includes('long')) return;
  const factor = slowness();
  const budgetMs = BUDGET_MS * factor;
  if (factor <= SLOWNESS_MAX && takenMs > 2 * budgetMs)
    throw new Error(
      `This test took ${Math.round(takenMs)} ms of processor time of ${Math.round(budgetMs)} ms. Make it cheaper, or tag it: test(title, { tags: ['long'] }, …)`,
    );
});

/** Milliseconds of processor time of this process so far, all threads. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the least time of three runs: the first also compiles. */
function fastest(run: () => void): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const beganMs = processorMs();
      run();
      return processorMs() - beganMs;
    }),
  );
}

/** Sorts and joins numbers: memory and arithmetic, as tests do. */
function work(): string {
  const numbers = Array.from({ length: 60_000 }, (_, index) => (index * 7_919) % 60_013);
  return numbers.sort((one, other) => one - other).join(',');
}
