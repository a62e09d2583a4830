import type { Memory, NodeMemory } from '../types.ts';

export type MemoriesBySlot = readonly (NodeMemory | undefined)[];

/**
 * A memory that also holds its nodes' memories by slot: the next evaluation of the same plan needs no lookup by id. For all
 * other code, and in JSON, it is a plain memory.
 */
export class IndexedMemory implements Memory {
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

  /** Returns the memories of a plan's nodes, by slot. */
  static bySlot(memory: Memory | null, nodeIds: readonly string[]): MemoriesBySlot {
    if (memory !== null && #bySlot in memory && memory.#nodeIds === nodeIds) return memory.#bySlot;
    return nodeIds.map((id) => memory?.nodes[id]);
  }
}
