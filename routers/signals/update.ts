import { updateSignal } from '../../engine/usecases/signals/signals.ts';
import { route } from '../route.ts';
import { SIGNAL_EXAMPLE, SignalRangeInput, SignalView, viewSignal } from './schemas.ts';

export const update = route({
  method: 'PATCH',
  path: '/api/signals/{name}',
  access: { kind: 'scope', scope: 'signals:write' },
  tag: 'Signals',
  summary: 'Change what a signal takes',
  description:
    'For values sent from then on; the newest one stays. An absent field keeps its value; `null` removes a bound. A change to `boolean` removes both.',
  example: {
    path: { name: 'tradingview-btc' },
    request: { min: 0, max: 100 },
    response: { ...SIGNAL_EXAMPLE, min: 0, max: 100 },
  },
  input: SignalRangeInput,
  output: SignalView,
  resolve: async ({ ctx, input: { name, ...change } }) =>
    viewSignal(await updateSignal(ctx.work, name, change)),
});
