import { z } from 'zod';
import { canCancel } from '../../../engine/platform/order-states.ts';
import { readOrder } from '../../../engine/trading/orders/read/read.ts';
import { readNodeLabels } from '../../../engine/usecases/blueprints/releases/node-labels.ts';
import { OrderDetailView } from '../../orders/detail.ts';
import { OrderId } from '../../orders/schemas.ts';
import { procedure } from '../../trpc.ts';

const Order = OrderDetailView.extend({
  /** Whether it can be canceled, or a cancel is pending. */
  canCancel: z.boolean(),
  /** Labels in its release: of the node that raised it, and of those whose values led to it. */
  nodeLabels: z.array(z.object({ nodeId: z.string(), label: z.string() })),
});

/** Stored by the service; `inputs` are the values of nodes, within 8 kB. */
const DecisionNodes = z.object({ inputs: z.array(z.object({ nodeId: z.string() })) });

/** One order with the actions that a person may take on it. */
export const order = procedure({ scope: 'orders:read' })
  .input(OrderId)
  .output(Order)
  .query(async ({ ctx, input: { id } }) => {
    const found = await readOrder(ctx.work, id, ctx.archive);
    const { blueprintId, releaseNumber, nodeId } = found;
    const decision = DecisionNodes.safeParse(found.inputs);
    const ids = new Set(decision.data?.inputs.map((input) => input.nodeId));
    if (nodeId !== null) ids.add(nodeId);
    const nodes = [...ids].map((id) => ({ blueprintId, releaseNumber, nodeId: id }));
    const labelOf = await readNodeLabels(ctx.work, nodes);
    return {
      ...found,
      canCancel: canCancel(found.status),
      nodeLabels: nodes.flatMap((node) => {
        const label = labelOf(node);
        return label === null ? [] : [{ nodeId: node.nodeId, label }];
      }),
    };
  });
