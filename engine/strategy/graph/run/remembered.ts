import type { Memory, NodeMemory } from '../types.ts';

export type MemoriesBySlot = readonly (NodeMemory | undefined)[];

/**
 * A memory that also knows what its nodes remember by slot, so that the next evaluation of the same plan looks nothing up
 * by id. To everybody else, and in JSON, it is a memory like any other.
 */
export class Remembered implements Memory {
  readonly startedAt: number;
  readonly candles: Memory['candles'];
  readonly nodes: Memory['nodes'];
  readonly #nodeIds: readonly string[];
  readonly #bySlot: MemoriesBySlot;

  constructor({ startedAt, candles, nodes }: Memory, nodeIds: readonly string[], bySlot: MemoriesBySlot) {
    this.startedAt = startedAt;
    this.candles = candles;
    this.nodes = nodes;
    this.#nodeIds = nodeIds;
    this.#bySlot = bySlot;
  }

  /** What the nodes of a plan remember, by slot. */
  static bySlot(memory: Memory | null, nodeIds: readonly string[]): MemoriesBySlot {
    if (memory !== null && #bySlot in memory && memory.#nodeIds === nodeIds) return memory.#bySlot;
    return nodeIds.map((id) => memory?.nodes[id]);
  }
}
