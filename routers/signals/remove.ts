import { z } from 'zod';
import { deleteSignal } from '../../engine/usecases/signals/signals.ts';
import { route } from '../route.ts';
import { SignalNameInput } from './schemas.ts';

export const remove = route({
  method: 'DELETE',
  path: '/api/signals/{name}',
  access: { kind: 'scope', scope: 'signals:write' },
  tag: 'Signals',
  summary: 'Remove a signal',
  description: 'Also deletes its token and its values. Nodes that read it become unknown.',
  example: { path: { name: 'tradingview-btc' }, response: { deleted: true } },
  input: SignalNameInput,
  output: z.object({ deleted: z.boolean() }),
  resolve: async ({ ctx, input }) => {
    await deleteSignal(ctx.work, input.name);
    return { deleted: true };
  },
});
