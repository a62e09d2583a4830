import { createSignal } from '../../engine/usecases/signals/signals.ts';
import { secretAnswer } from '../idempotency.ts';
import { route } from '../route.ts';
import { CREATED_SIGNAL_EXAMPLE, CreatedSignalView, SignalNameInput, viewCreatedSignal } from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/signals',
  access: { kind: 'scope', scope: 'signals:write' },
  tag: 'Signals',
  summary: 'Add a signal',
  description:
    'In the mode of the caller: deployments with real money read only signals that were added in live mode. The token is shown only in this answer.',
  idempotent: { keeping: secretAnswer },
  example: { request: { name: 'tradingview-btc' }, response: CREATED_SIGNAL_EXAMPLE },
  input: SignalNameInput,
  output: CreatedSignalView,
  resolve: async ({ ctx, input }) => viewCreatedSignal(await createSignal(ctx.work, input.name)),
});
