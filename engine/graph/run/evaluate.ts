/** One evaluation of a plan: a pure function of plan, world, memory and `now`, byte for byte. */

import type { Evaluation, Memory, NodeStates, World } from '../types.ts';
import { unknown } from '../values.ts';
import { type Effect, type Plan, Run } from './run.ts';
import { MESSAGE_MAX, signatureOf, statesOf } from './states.ts';

const FAILED = unknown('failed', 'This node failed on what it was given. The error is on the blueprint.');

/**
 * Steps the plan through every candle that closed since the last evaluation, one by one, and then to
 * `now`. Quotes, books, positions and results are unknown in all steps but the last. Never throws: a node
 * that does is listed in `failures`, its value is unknown, the others go on.
 *
 * @param memory what the last evaluation of this deployment returned; `null` right after a deploy
 * @param now the feed's clock, Unix ms
 */
export function evaluate(plan: Plan, world: World, memory: Memory | null, now: number): Evaluation {
  const run = new Run(plan, world, memory, now);
  for (const at of run.missed) {
    run.enterMissed(at);
    step(plan, run);
  }
  run.enterLive();
  step(plan, run);
  return new Evaluated(run);
}

function step(plan: Plan, run: Run): void {
  for (const { slot, compute } of plan.steps) {
    try {
      run.values[slot] = compute(run);
    } catch (error) {
      run.values[slot] = FAILED;
      fail(run, slot, error);
    }
  }
  carryOut(plan.settles, run);
  carryOut(plan.actions, run);
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
  run.mark(slot, 'error', FAILED.unknown);
  // Once is enough, though it may have failed in every missed step.
  if (run.failures.every((failure) => failure.nodeId !== nodeId))
    run.failures.push({ nodeId, message: message.slice(0, MESSAGE_MAX) });
}

class Evaluated implements Evaluation {
  readonly memory: Memory;
  readonly intents: Evaluation['intents'];
  readonly notifications: Evaluation['notifications'];
  readonly failures: Evaluation['failures'];
  readonly signature: string;
  readonly behind: number;
  readonly #run: Run;
  #states: NodeStates | null = null;

  constructor(run: Run) {
    this.#run = run;
    this.memory = run.memory();
    this.intents = run.intents;
    this.notifications = run.notifications;
    this.failures = run.failures;
    this.signature = signatureOf(run);
    this.behind = run.behind;
  }

  get nodeStates(): NodeStates {
    this.#states ??= statesOf(this.#run, this.memory);
    return this.#states;
  }
}
