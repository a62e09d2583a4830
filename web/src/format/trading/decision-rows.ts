import { type Message, msg, t } from '../../language/language.ts';
import { nodeValueWords } from '../node-value-words.ts';
import { decisionInputs, type Labelled, nodeNameOf } from './order.ts';

/** The facts of an action about its own holding, beside the values of nodes. */
const FACTS: Readonly<Record<string, Message>> = {
  averageCost: msg('average cost'),
  bid: msg('bid'),
  held: msg('held'),
  openedAt: msg('held since'),
  peak: msg('peak'),
};

/** A value that led to an order. `instantMs` instead of words: the value is itself a time. */
export type DecisionRow = {
  readonly node: string;
  /** The name of a fact; null for the value of a node. */
  readonly fact: string | null;
  readonly value: string | { readonly instantMs: number };
  /** Null for a constant, which has no age. */
  readonly asOfMs: number | null;
};

type Decided = Labelled & { readonly inputs?: unknown };

/** The values that led to an order, nearest first. An input of another form is left out. Pure. */
export const decisionRows = (order: Decided): DecisionRow[] =>
  decisionInputs(order.inputs)
    .filter(isInput)
    .map(({ nodeId, name, value, asOf }) => ({
      node: nodeNameOf(order, nodeId),
      fact: name === 'out' ? null : factWords(name),
      value: name === 'openedAt' && typeof value === 'number' ? { instantMs: value } : valueWords(value),
      asOfMs: typeof asOf === 'number' ? asOf : null,
    }));

/** Why a node raised an order, as the service says it; null of an order without a node. */
export function decisionReason(inputs: unknown): string | null {
  if (typeof inputs !== 'object' || inputs === null || !('reason' in inputs)) return null;
  const { reason } = inputs;
  return typeof reason === 'object' && reason !== null && 'message' in reason ? String(reason.message) : null;
}

const factWords = (name: string): string => {
  const known = Object.hasOwn(FACTS, name) ? FACTS[name] : undefined;
  return known ? t(known) : name;
};

/** Amounts of the books are texts, exact to their last digit. */
const valueWords = (value: Input['value']): string =>
  typeof value === 'string' ? value : nodeValueWords(value);

type Input = {
  readonly nodeId: string;
  readonly name: string;
  readonly value: number | boolean | string | null;
  readonly asOf?: unknown;
};

function isInput(input: unknown): input is Input {
  if (typeof input !== 'object' || input === null) return false;
  const { nodeId, name, value } = input as Readonly<Record<string, unknown>>;
  const isValue = value === null || ['number', 'boolean', 'string'].includes(typeof value);
  return typeof nodeId === 'string' && typeof name === 'string' && isValue;
}
