import { z } from 'zod';
import { MESSAGE_ID_MAX, messageOf, SIGNAL_VALUE_MAX } from '../../engine/usecases/signals/message.ts';
import { receiveSignal } from '../../engine/usecases/signals/receive.ts';
import { route } from '../route.ts';
import { singleLineText, timestamp } from '../schemas.ts';
import { SignalName } from './schemas.ts';

export const send = route({
  method: 'POST',
  path: '/api/signals/{name}',
  access: { kind: 'scope', scope: 'signals:write' },
  tag: 'Signals',
  summary: 'Send a value to a signal',
  description:
    'Deployments read it at their next tick, within two seconds. A repetition changes nothing: an equal `id`, or without one the same value as the one before it within 30 seconds. At most 60 values a minute. A value that the signal does not take is refused (`validation_failed`). The key or person is stored with the value. Senders without headers use the token: `POST /hooks/signal?token=<token>` with any text or JSON.',
  idempotent: true,
  example: {
    path: { name: 'tradingview-btc' },
    request: { value: true, id: 'alert-17' },
    response: { received: true, duplicate: false, value: 1, at: '2026-11-20T09:05:00.000Z' },
  },
  input: z.strictObject({
    name: SignalName,
    value: z
      .union([z.number().min(-SIGNAL_VALUE_MAX).max(SIGNAL_VALUE_MAX), z.boolean()])
      .meta({ description: 'A number, or a condition, which is stored as 1 or 0.' }),
    id: singleLineText(1, MESSAGE_ID_MAX)
      .optional()
      .meta({ description: 'The sender’s name of this message: it counts once.' }),
  }),
  output: z.object({
    received: z.boolean(),
    duplicate: z.boolean().meta({ description: 'It had arrived before, and changed nothing.' }),
    value: z.number(),
    at: timestamp.meta({ description: 'When it first arrived.' }),
  }),
  resolve: async ({ ctx, input: { name, value, id = null } }) => {
    const message = messageOf(Number(value), id, String(Number(value)));
    const { at, isDuplicate, ...stored } = await receiveSignal(ctx.work, name, message);
    return { received: true, duplicate: isDuplicate, value: stored.value, at: at.toISOString() };
  },
});
