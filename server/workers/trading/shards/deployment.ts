import type { Mode } from '../../../../db/vocabulary.ts';
import type { Unfired } from '../../../../engine/strategy/deployments/firings.ts';
import type { NodeFacts } from '../../../../engine/strategy/deployments/orders-seen.ts';
import type { Stepper } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import type { Memory, Position } from '../../../../engine/strategy/graph/types.ts';

/** A live deployment as the runner keeps it from tick to tick. */
export type FencedDeployment = {
  readonly accountId: string;
  readonly id: string;
  readonly blueprintId: string;
  readonly releaseNumber: number;
  readonly mode: Mode;
  readonly bodyHash: string;
  plan: Plan;
  /** Of `plan`, shared with other deployments of it. */
  stepper: Stepper;
  /** Why the release does not compile any more; `plan` is then its exits alone. */
  readonly problem: string | null;
  /** Its evaluation threw: all that is left of `plan` are its exits, with a memory that starts anew. */
  isExitsOnly: boolean;
  /** The blueprint is in error: entries halt. */
  isHalted: boolean;
  /** What is stored; replaced once the transaction that stores it has committed. */
  memory: Memory | null;
  /** Of the last evaluation that was stored; null before the first. */
  signature: string | null;
  /** When node states went to the row, process time in ms. */
  statesWrittenMs: number;
  isWatched: boolean;
  positions: ReadonlyMap<string, Position>;
  /** By instrument: units that live buys of the blueprint may still add. */
  buying: ReadonlyMap<string, string>;
  orders: NodeFacts['orders'];
  undecided: NodeFacts['undecided'];
  refusals: NodeFacts['refusals'];
  /** A node raised what this deployment did not fire. Nothing of it is stored until the database says that it is in error. */
  foreign: Unfired | null;
  /** What it stored was refused by the database once: it is stored apart, so that it disturbs no other. */
  isStoredAlone: boolean;
};
