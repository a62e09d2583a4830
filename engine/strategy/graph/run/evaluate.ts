/** Evaluates a plan once: a pure function of plan, world, memory and `now`, byte for byte. */

import type { Evaluation, Memory, NodeStates, World } from '../types.ts';
import { TICK } from '../update-clock.ts';
import { unknown } from '../values.ts';
import { buildNodeStates, MESSAGE_MAX, nodeStatesSignature } from './node-states.ts';
import { type Computation, type Effect, type Plan, Run } from './run.ts';

const FAILED = unknown('failed', 'This node failed on its inputs. The blueprint shows the error.');

/**
 * Steps the plan through every candle that closed since the last evaluation, one by one, and then to `now`. Quotes, books,
 * positions and results are unknown in all steps but the last. Never throws: a node that throws is listed in `failures`, its
 * value is unknown, and the others continue.
 *
 * @param memory result of the deployment's last evaluation; `null` right after a deploy
 * @param now the feed's clock, Unix ms
 */
export function evaluate(plan: Plan, world: World, memory: Memory | null, now: number): Evaluation {
  return new PlanEvaluator(plan).step(world, memory, now);
}

/**
 * Evaluates one plan repeatedly in the same slots. Every result equals that of {@link evaluate}: only values whose inputs did
 * not change are reused.
 */
export class PlanEvaluator {
  readonly plan: Plan;
  readonly #run: Run;
  /** Computations that depend only on candles or on constants. They read only each other, so they come first. */
  readonly #still: readonly Computation[];
  readonly #moving: readonly Computation[];
  #newest: Evaluated | null = null;

  constructor(plan: Plan) {
    this.plan = plan;
    this.#run = new Run(plan);
    this.#still = plan.computations.filter(({ clock }) => clock !== TICK);
    this.#moving = plan.computations.filter(({ clock }) => clock === TICK);
  }

  /** Does {@link evaluate}. Read `signature` and `nodeStates` before the next step: later they throw. */
  step(world: World, memory: Memory | null, now: number): Evaluation {
    this.#newest?.close();
    try {
      this.#newest = this.#evaluated(world, memory, now);
      return this.#newest;
    } catch (error) {
      // Slots may be half filled: the next evaluation, perhaps of another account, computes them all.
      this.#run.forgetValues();
      throw error;
    }
  }

  /**
   * Steps the plan through a candle on which nothing happens, with the orders and holdings of its last step. The step raises
   * nothing; {@link idleStates} returns its node states.
   *
   * @returns the memory after it; null if {@link step} has to be called
   */
  idle(world: World, memory: Memory | null, now: number): Memory | null {
    const { idling } = this.plan;
    if (idling === null || memory === null) return null;
    this.#newest?.close();
    const run = this.#run;
    run.begin(world, memory, now);
    if (run.cursors.missed.length > 0) return null;
    run.enterLive();
    for (const step of idling.computations) if (!run.isCurrent(step)) compute(run, step);
    carryOut(this.plan.settles, run);
    return !run.hasRaised && idling.isIdle.every((isIdle) => isIdle(run)) ? run.takeMemory() : null;
  }

  /** Returns the node states of the last step, which {@link idle} passed. Call it before the next step. */
  idleStates(): NodeStates {
    for (const step of this.plan.idling?.outputs ?? []) compute(this.#run, step);
    carryOut(this.plan.actions, this.#run);
    return buildNodeStates(this.#run);
  }

  #evaluated(world: World, memory: Memory | null, now: number): Evaluated {
    const run = this.#run;
    run.begin(world, memory, now);
    for (const at of run.cursors.missed) {
      run.enterMissed(at);
      this.#computeStep();
    }
    run.enterLive();
    this.#computeStep();
    return new Evaluated(run);
  }

  #computeStep(): void {
    const run = this.#run;
    for (const step of this.#still) if (!run.isCurrent(step)) compute(run, step);
    for (const step of this.#moving) compute(run, step);
    carryOut(this.plan.settles, run);
    carryOut(this.plan.actions, run);
  }
}

function compute(run: Run, { slot, compute }: Computation): void {
  try {
    run.values[slot] = compute(run);
  } catch (error) {
    run.values[slot] = FAILED;
    fail(run, slot, error);
  }
}

function carryOut(effects: readonly Effect[], run: Run): void {
  for (const { slot, apply } of effects) {
    try {
      apply(run);
    } catch (error) {
      fail(run, slot, error);
    }
  }
}

function fail(run: Run, slot: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const nodeId = run.plan.nodeIds[slot];
  // Bridges, the only other slots, do not throw.
  if (nodeId === undefined) return;
  run.forgetValues();
  run.mark(slot, 'error', FAILED.unknown);
  run.fail({ nodeId, message: message.slice(0, MESSAGE_MAX) });
}

class Evaluated implements Evaluation {
  readonly memory: Memory;
  readonly intents: Evaluation['intents'];
  readonly cancellations: Evaluation['cancellations'];
  readonly notifications: Evaluation['notifications'];
  readonly failures: Evaluation['failures'];
  readonly behind: number;
  #run: Run | null;
  #signature: string | null = null;
  #states: NodeStates | null = null;

  constructor(run: Run) {
    this.#run = run;
    this.memory = run.takeMemory();
    const { intents, cancellations, notifications, failures } = run.takeRaised();
    this.intents = intents;
    this.cancellations = cancellations;
    this.notifications = notifications;
    this.failures = failures;
    this.behind = run.cursors.behind;
    Object.freeze(this);
  }

  get signature(): string {
    this.#signature ??= nodeStatesSignature(this.#open());
    return this.#signature;
  }

  get nodeStates(): NodeStates {
    this.#states ??= buildNodeStates(this.#open());
    return this.#states;
  }

  /** The slots are reused: parts of this evaluation that were not read by now are lost. */
  close(): void {
    this.#run = null;
  }

  #open(): Run {
    if (this.#run === null) throw new Error('An evaluation was read after the next step of its stepper.');
    return this.#run;
  }
}
