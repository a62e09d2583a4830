import { z } from 'zod';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { SIDES } from '../../db/vocabulary.ts';
import { EXAMPLE } from '../examples.ts';
import { decimalNumber, timestamp, uuid } from '../schemas.ts';

export const OrderId = z.strictObject({ id: uuid.meta({ description: 'The order, or order intent.' }) });

export const OrderView = z
  .object({
    id: z.uuid(),
    blueprintId: z.uuid(),
    status: z.enum(ORDER_STATUSES),
    side: z.enum(SIDES),
    amount: decimalNumber.meta({ description: 'Quantity: contracts, shares or base coin.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Order', description: 'An order or order intent, as lists show it.' });

export const ORDER_EXAMPLE = {
  id: EXAMPLE.orderId,
  blueprintId: EXAMPLE.blueprintId,
  status: 'pending',
  side: 'buy',
  amount: 0.001,
  createdAt: EXAMPLE.updatedAt,
} as const;
