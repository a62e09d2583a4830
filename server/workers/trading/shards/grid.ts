/**
 * When a shard ticks. Instants lie on a grid of the period, shifted per shard, so that the work of one process is
 * spread over the period instead of coming all at once. All times in epoch ms of one clock. Pure.
 */

/** By how much a shard's grid is shifted, 0 to below the period. */
export const phaseOf = (shard: number, shardCount: number, periodMs: number): number =>
  Math.floor((periodMs * (shard % shardCount)) / shardCount);

/** The last instant of the grid that is not after `atMs`. */
export const instantAt = (atMs: number, periodMs: number, phaseMs: number): number =>
  Math.floor((atMs - phaseMs) / periodMs) * periodMs + phaseMs;

/** How many instants lie between two, both left out. */
export const instantsBetween = (lastMs: number, nextMs: number, periodMs: number): number =>
  Math.max(0, Math.round((nextMs - lastMs) / periodMs) - 1);
