/**
 * Rising edges, for actions that fire once per edge. An edge compares `when` with its last known value, so true, unknown, true
 * is one edge. It stays open while `when` is true, until it is spent by firing or by a refusal. Only an unknown input keeps it
 * open.
 */

import type { ReasonCode } from '../../reason-codes.ts';
import type { Run } from '../../run/run.ts';
import type { NodeStatus, Reason, Unknown, Value } from '../../types.ts';
import type { UpdateClock } from '../../update-clock.ts';
import { isUnknown, reason, waitingStatus } from '../../values.ts';
import type { Wiring } from '../node.ts';

/** `last`: the last known `when`, absent before that. `spent` and `why`: how the last edge ended. */
export type RisingEdgeMemory = {
  last?: boolean;
  spent?: ReasonCode;
  why?: string;
  n?: number;
  at?: number;
  done?: string;
};

export type IfTrueAtDeploy = 'fire' | 'wait';

/** Outcome of an attempt on an open edge: fired, refused for good, or undecided. */
export type AttemptOutcome = 'fired' | { readonly refused: Reason } | Unknown;

const FIRED = reason('triggered', 'The condition turned true.');
const TOO_LATE = reason(
  'too_late',
  'The condition turned true over 60 s before it could be acted on. The signal was skipped.',
);
const TRUE_AT_DEPLOY = reason(
  'true_at_deploy',
  'The condition was true at the deploy already. It must turn false and true again.',
);

export type Trigger = {
  readonly slot: number;
  readonly when: number;
  /** Clock of `when`. */
  readonly clock: UpdateClock;
  readonly ifTrueAtDeploy: IfTrueAtDeploy;
};

export function triggerOf(wiring: Wiring, ifTrueAtDeploy: IfTrueAtDeploy): Trigger {
  const { slot, clock } = wiring;
  return { slot, clock, when: wiring.input('when'), ifTrueAtDeploy };
}

/** Acts on an open edge. Made once for each node: a function for each step would be garbage. */
export type Attempt = (run: Run, stepAt: number) => AttemptOutcome;

const NO_EDGE: RisingEdgeMemory = {};

/** Tracks `when` and, on an open edge, calls the attempt. */
export function onRisingEdge(run: Run, trigger: Trigger, attempt: Attempt): void {
  const { slot } = trigger;
  const memory = run.recall<RisingEdgeMemory>(slot) ?? NO_EDGE;
  const when = run.values[trigger.when] as Value;
  if (run.isLate(trigger.when)) skipSignal(run, slot, memory);
  else if (isUnknown(when)) waitFor(run, slot, when);
  else if (when === false) rearm(run, slot, memory);
  else if (memory.last === true) showSpent(run, slot, memory);
  // In a missed step, an action on the tick clock only tracks its condition; it acts at `now` or not at all.
  else if (run.isLive || trigger.clock >= 0) tryEdge(run, trigger, memory, attempt);
}

/** Whether {@link onRisingEdge} would neither act nor remember. */
export function isEdgeIdle(run: Run, { slot, when }: Trigger): boolean {
  const value = run.values[when] as Value;
  return !run.isLate(when) && (isUnknown(value) || value === run.recall<RisingEdgeMemory>(slot)?.last);
}

function tryEdge(run: Run, trigger: Trigger, memory: RisingEdgeMemory, attempt: Attempt): void {
  const { slot } = trigger;
  const stepAt = run.timeOf(trigger.clock);
  const outcome = evaluateEdge(run, trigger, memory, stepAt) ?? attempt(run, stepAt);
  if (outcome === 'fired') spend(run, slot, { ...memory, n: (memory.n ?? 0) + 1, at: stepAt }, FIRED);
  else if ('unknown' in outcome) waitFor(run, slot, outcome);
  else spend(run, slot, memory, outcome.refused);
}

function evaluateEdge(
  run: Run,
  trigger: Trigger,
  memory: RisingEdgeMemory,
  stepAt: number,
): AttemptOutcome | null {
  if (memory.last === undefined && trigger.ifTrueAtDeploy === 'wait') return { refused: TRUE_AT_DEPLOY };
  return run.isTooLate(stepAt) ? { refused: TOO_LATE } : null;
}

function waitFor(run: Run, slot: number, { unknown }: Unknown): void {
  run.mark(slot, waitingStatus(unknown), unknown);
}

function skipSignal(run: Run, slot: number, memory: RisingEdgeMemory): void {
  if (memory.last === true) showSpent(run, slot, memory);
  else spend(run, slot, memory, TOO_LATE);
}

/** A skipped signal stays visible until the next one; any other state is reset. */
function rearm(run: Run, slot: number, memory: RisingEdgeMemory): void {
  const isMissed = memory.spent === TOO_LATE.code;
  if (memory.last !== false) {
    const { spent, why, ...kept } = memory;
    run.remember(slot, isMissed ? { ...memory, last: false } : { ...kept, last: false });
  }
  if (isMissed) run.mark(slot, 'missed', TOO_LATE);
  else run.mark(slot, 'idle');
}

function spend(run: Run, slot: number, memory: RisingEdgeMemory, { code, message }: Reason): void {
  const spent: RisingEdgeMemory = { ...memory, last: true, spent: code, why: message };
  run.remember(slot, spent);
  showSpent(run, slot, spent);
}

function showSpent(
  run: Run,
  slot: number,
  { spent = FIRED.code, why = FIRED.message }: RisingEdgeMemory,
): void {
  run.mark(slot, statusOf(spent), reason(spent, why));
}

function statusOf(spent: ReasonCode): NodeStatus {
  if (spent === FIRED.code) return 'fired';
  if (spent === TOO_LATE.code) return 'missed';
  return spent === TRUE_AT_DEPLOY.code ? 'idle' : 'blocked';
}
