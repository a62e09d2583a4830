import { createSignal } from '../../engine/usecases/signals/signals.ts';
import { secretAnswer } from '../idempotency.ts';
import { route } from '../route.ts';
import { CREATED_SIGNAL_EXAMPLE, CreatedSignalView, SignalRangeInput, viewCreatedSignal } from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/signals',
  access: { kind: 'scope', scope: 'signals:write' },
  tag: 'Signals',
  summary: 'Add a signal',
  description:
    'In the mode of the caller: deployments with real money read only signals that were added in live mode. Values outside `min` and `max`, or of a `boolean` other than 0 and 1, are refused. The token is shown only in this answer.',
  idempotent: { keeping: secretAnswer },
  example: {
    request: { name: 'tradingview-eth', min: 0, max: 100 },
    response: { ...CREATED_SIGNAL_EXAMPLE, name: 'tradingview-eth', min: 0, max: 100 },
  },
  input: SignalRangeInput,
  output: CreatedSignalView,
  resolve: async ({ ctx, input: { name, ...range } }) =>
    viewCreatedSignal(await createSignal(ctx.work, name, range)),
});
