import { expect, test } from 'vitest';
import { traceIdOf, traceIdOfOrder } from '../../engine/trading/orders/diagnostics.ts';

const step = { deploymentId: '01990000-0000-7000-8000-000000000001', nodeId: 'buy', stepAt: new Date(1e12) };
const order = {
  id: '01990000-0000-7000-8000-000000000002',
  deployment_id: step.deploymentId,
  node_id: step.nodeId,
  step_at: step.stepAt.toISOString(),
};

test('an order has the trace id of its intent, in the form of W3C Trace Context', () => {
  expect(traceIdOfOrder(order)).toBe(traceIdOf(step));
  expect(traceIdOf(step)).toMatch(/^[0-9a-f]{32}$/);
});

test('another step, another node and a person have ids of their own', () => {
  const ids = [
    traceIdOf(step),
    traceIdOf({ ...step, nodeId: 'sell' }),
    traceIdOf({ ...step, stepAt: new Date(1e12 + 1) }),
    traceIdOfOrder({ ...order, deployment_id: null, node_id: null, step_at: null }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
