import { z } from 'zod';
import { listSignals } from '../../engine/usecases/signals/signals.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { SIGNAL_EXAMPLE, SignalView, viewSignal } from './schemas.ts';

export const list = route({
  method: 'GET',
  path: '/api/signals',
  access: { kind: 'scope', scope: 'signals:read' },
  tag: 'Signals',
  summary: 'List signals',
  description: 'The account’s signals of both modes with their newest values, by name; at most 20.',
  example: { response: [SIGNAL_EXAMPLE] },
  input: z.strictObject({}),
  output: listOf(SignalView),
  resolve: async ({ ctx }) => (await listSignals(ctx.work)).map(viewSignal),
});
