/**
 * The instants at which a shard ticks. They lie on a grid of the period, shifted per shard. So the work of a process is spread
 * over the period. All times in epoch ms of one clock. Pure.
 */

/** The offset of a shard's grid, from 0 to below the period. */
export const tickPhaseOf = (shard: number, shardCount: number, periodMs: number): number =>
  Math.floor((periodMs * (shard % shardCount)) / shardCount);

/** The last instant of the grid that is not after `atMs`. */
export const tickInstantAt = (atMs: number, periodMs: number, phaseMs: number): number =>
  Math.floor((atMs - phaseMs) / periodMs) * periodMs + phaseMs;

/** The number of instants between two, both excluded. */
export const ticksBetween = (lastMs: number, nextMs: number, periodMs: number): number =>
  Math.max(0, Math.round((nextMs - lastMs) / periodMs) - 1);
