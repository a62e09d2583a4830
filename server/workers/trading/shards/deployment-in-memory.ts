import type { Mode } from '../../../../db/vocabulary.ts';
import type { ForeignIntent } from '../../../../engine/strategy/deployments/foreign-intent.ts';
import type { NodeOutcomes } from '../../../../engine/strategy/deployments/node-orders.ts';
import type { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import type { Members } from '../../../../engine/strategy/graph/series-lists.ts';
import type { Memory, Position } from '../../../../engine/strategy/graph/types.ts';

/** A live deployment as the runner holds it from tick to tick. */
export type DeploymentInMemory = {
  readonly accountId: string;
  readonly id: string;
  readonly blueprintId: string;
  readonly releaseNumber: number;
  readonly mode: Mode;
  readonly bodyHash: string;
  /** Members of its lists that are series, as its plan was compiled with. */
  readonly members: Members;
  plan: Plan;
  /** The stepper of `plan`, shared with other deployments of it. */
  stepper: PlanEvaluator;
  /** Why the release no longer compiles; `plan` is then its exits alone. */
  readonly problem: string | null;
  /** Its evaluation threw: only the exits of `plan` are left, with an empty memory. */
  isExitsOnly: boolean;
  /** The blueprint is in error: entries stop. */
  isHalted: boolean;
  /** The stored memory; replaced once the transaction that stores it has committed. */
  memory: Memory | null;
  /** The signature of the last stored evaluation; null before the first. */
  signature: string | null;
  /** When node states were last stored, process time in ms. */
  statesWrittenMs: number;
  isWatched: boolean;
  positions: ReadonlyMap<string, Position>;
  /** By instrument: units that live buys of the blueprint may still add. */
  buying: ReadonlyMap<string, string>;
  orders: NodeOutcomes['orders'];
  undecided: NodeOutcomes['undecided'];
  refusals: NodeOutcomes['refusals'];
  /** A node raised an intent that this deployment did not fire. Its steps are not stored until the database has the error. */
  foreignIntent: ForeignIntent | null;
  /** The database once refused its change: it is stored separately, so that it does not disturb the others. */
  isStoredSeparately: boolean;
};
