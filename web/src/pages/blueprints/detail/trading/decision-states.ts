import { decisionInputs } from '../../../../format/trading/order.ts';
import type { NodeState, NodeStates } from '../../../../live/events.ts';

type Decision = { readonly nodeId: string | null; readonly inputs?: unknown; readonly createdAt: string };

/** The states of the nodes that an order's inputs name, and of the node that raised it. Pure. */
export function decisionStates({ nodeId, inputs, createdAt }: Decision): NodeStates {
  const atMs = Date.parse(createdAt);
  const values = decisionInputs(inputs).filter(isNodeValue);
  const states = values.map(({ nodeId: id, value, asOf }): [string, NodeState] => [
    id,
    { status: value === null ? 'waiting' : 'ok', value, updatedAt: asOf ?? atMs, firedCount: 0 },
  ]);
  return {
    ...Object.fromEntries(states),
    ...(nodeId !== null && {
      [nodeId]: { status: 'fired', value: null, updatedAt: atMs, lastFiredAt: atMs, firedCount: 1 },
    }),
  };
}

type NodeValue = { nodeId: string; name: 'out'; value: NodeState['value']; asOf: number | null };

const isNodeValue = (input: unknown): input is NodeValue =>
  typeof input === 'object' && input !== null && 'name' in input && input.name === 'out';
