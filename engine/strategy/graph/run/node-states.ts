/** Node states for the operator, and their compact form by which the runner detects changes. */

import { REASON_CODES, type ReasonCode } from '../reason-codes.ts';
import {
  NODE_STATUSES,
  type NodeState,
  type NodeStates,
  type NodeStatus,
  type Reason,
  type Value,
} from '../types.ts';
import type { BlankStates, Run } from './run.ts';

/** Limit of the node states of one blueprint, as JSON. */
const STATES_BYTES_MAX = 65_536;
/** Limit of a node state without its id and its message. */
const NODE_BYTES_MAX = 300;
/** Largest size of one character in JSON text: \ud800. */
const CHAR_BYTES_MAX = 6;
/** Longer sentences are cut. */
export const MESSAGE_MAX = 200;
/** Levels of detail to fall back to, in this order, when the states are too large. */
const DETAIL: readonly Detail[] = [
  { messageMax: MESSAGE_MAX, distances: true },
  { messageMax: 40, distances: true },
];
const LEAST_DETAIL: Detail = { messageMax: 0, distances: false };

type Detail = {
  readonly messageMax: number;
  readonly distances: boolean;
};

const STATUS_INDEX = new Map<NodeStatus, number>(NODE_STATUSES.map((status, index) => [status, index]));
const REASON_INDEX = new Map<ReasonCode, number>(REASON_CODES.map((code, index) => [code, index + 1]));
/** The first printable character; each combination has one from there on. */
const FIRST_CHAR = 0x21;
/** Character of a node with a value and no message. */
const OK_CHAR = FIRST_CHAR + NODE_STATUSES.indexOf('ok');

/** Statuses of unknown values by reason; all other reasons are `waiting`. */
const STATUS_OF_UNKNOWN: Readonly<Partial<Record<ReasonCode, NodeStatus>>> = {
  stale: 'stale',
  switched_off: 'idle',
};

/** Returns the status of a node. Without a mark of its own it follows from its value. */
function statusOf(run: Run, slot: number): NodeStatus {
  const marked = run.statuses[slot];
  if (marked !== undefined) return marked;
  const value = run.values[slot];
  if (typeof value !== 'object') return value === undefined ? 'idle' : 'ok';
  return STATUS_OF_UNKNOWN[value.unknown.code] ?? 'waiting';
}

function reasonOf(run: Run, slot: number): Reason | undefined {
  const said = run.reasons[slot];
  if (said !== undefined || run.statuses[slot] !== undefined) return said;
  const value = run.values[slot];
  return typeof value === 'object' ? value.unknown : undefined;
}

/** Encodes one character per node for its status and reason code. Often the result is the one read last. */
export function nodeStatesSignature(run: Run): string {
  const { nodeIds } = run.plan;
  let isSame = run.signature.length === nodeIds.length;
  for (let slot = 0; slot < nodeIds.length && isSame; slot++)
    isSame = run.signature.charCodeAt(slot) === charOf(run, slot);
  if (!isSame) run.signature = String.fromCharCode(...nodeIds.map((_, slot) => charOf(run, slot)));
  return run.signature;
}

function charOf(run: Run, slot: number): number {
  const value = run.values[slot];
  if (run.statuses[slot] === undefined && typeof value !== 'object' && value !== undefined) return OK_CHAR;
  const status = STATUS_INDEX.get(statusOf(run, slot)) as number;
  const reason = reasonOf(run, slot);
  const code = reason === undefined ? 0 : (REASON_INDEX.get(reason.code) as number);
  return FIRST_CHAR + status + NODE_STATUSES.length * code;
}

export function buildNodeStates(run: Run): NodeStates {
  for (const detail of DETAIL) {
    const { states, bytesAtMost } = build(run, detail);
    if (bytesAtMost <= STATES_BYTES_MAX || bytesOf(states) <= STATES_BYTES_MAX) return states;
  }
  return build(run, LEAST_DETAIL).states;
}

type Draft = { -readonly [Key in keyof NodeState]: NodeState[Key] };

/** States of all nodes without messages: filling a copy is faster than adding one id after the other. */
function blankOf(nodeIds: readonly string[]): BlankStates {
  const blank: NodeState = { status: 'idle', value: null, updatedAt: 0, firedCount: 0 };
  return {
    states: Object.fromEntries(nodeIds.map((id) => [id, blank])),
    bytesAtMost: nodeIds.reduce((bytes, { length }) => bytes + NODE_BYTES_MAX + CHAR_BYTES_MAX * length, 2),
  };
}

/** Uses an upper bound of the size that needs no text, and is enough in most cases. */
function build(run: Run, { messageMax, distances }: Detail): { states: NodeStates; bytesAtMost: number } {
  const { nodeIds } = run.plan;
  run.blankStates ??= blankOf(nodeIds);
  const states: Record<string, NodeState> = { ...run.blankStates.states };
  let { bytesAtMost } = run.blankStates;
  for (let slot = 0; slot < nodeIds.length; slot++) {
    const stored = run.recall(slot);
    const count = stored?.['n'];
    const state: Draft = {
      status: statusOf(run, slot),
      value: plain(run.values[slot]),
      updatedAt: run.now,
      firedCount: typeof count === 'number' ? count : 0,
    };
    const reason = reasonOf(run, slot);
    if (reason !== undefined) {
      state.reason = shorten(reason, messageMax);
      bytesAtMost += CHAR_BYTES_MAX * state.reason.message.length;
    }
    const distance = run.distances[slot];
    if (distances && distance !== undefined && !Number.isNaN(distance)) state.distance = distance;
    const firedAt = stored?.['at'];
    if (typeof firedAt === 'number') state.lastFiredAt = firedAt;
    states[nodeIds[slot] as string] = Object.freeze(state);
  }
  return { states: Object.freeze(states), bytesAtMost };
}

function plain(value: Value | undefined): number | boolean | null {
  return value === undefined || typeof value === 'object' ? null : value;
}

function shorten({ code, message }: Reason, max: number): Reason {
  if (message.length <= max) return { code, message };
  return { code, message: max === 0 ? '' : `${message.slice(0, max - 1)}…` };
}

function bytesOf(states: NodeStates): number {
  return new TextEncoder().encode(JSON.stringify(states)).length;
}
