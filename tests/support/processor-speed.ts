// How fast this machine is. Apart from the setup file, which vitest loads again for every test file: here it is measured once a process.

/** Milliseconds of processor time that `work` takes on the machine of the reference. */
const REFERENCE_MS = 13;

/** The factor by which this machine is slower than the reference, at least 1. */
export const slowness = Math.max(1, fastest(() => work()) / REFERENCE_MS);

/** Milliseconds of processor time of this process so far, all threads. */
export function processorMs(): number {
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
