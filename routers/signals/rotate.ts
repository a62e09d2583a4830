import { rotateToken } from '../../engine/usecases/signals/signals.ts';
import { route } from '../route.ts';
import { CREATED_SIGNAL_EXAMPLE, CreatedSignalView, SignalNameInput, viewCreatedSignal } from './schemas.ts';

export const rotate = route({
  method: 'POST',
  path: '/api/signals/{name}/rotate-token',
  access: { kind: 'scope', scope: 'signals:write' },
  tag: 'Signals',
  summary: 'Rotate the token of a signal',
  description: 'The former token ends at once. The new one is shown only in this answer.',
  example: { path: { name: 'tradingview-btc' }, response: CREATED_SIGNAL_EXAMPLE },
  input: SignalNameInput,
  output: CreatedSignalView,
  resolve: async ({ ctx, input }) => viewCreatedSignal(await rotateToken(ctx.work, input.name)),
});
