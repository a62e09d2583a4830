import { z } from 'zod';
import { MODES } from '../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import { SIGNAL_NAME } from '../../engine/strategy/graph/nodes/markets/signal.ts';
import type { CreatedSignal, SignalRow } from '../../engine/usecases/signals/signals.ts';
import { EXAMPLE } from '../examples.ts';
import { timestamp } from '../schemas.ts';

export const SignalName = z
  .string()
  .regex(SIGNAL_NAME, {
    error: 'takes 1 to 60 small letters, digits, - and _, and begins with a letter or digit',
  })
  .meta({ description: 'The name of the signal, as the node `signal` names it.' });

export const SignalNameInput = z.strictObject({ name: SignalName });

export const SignalView = z
  .object({
    name: z.string(),
    mode: z.enum(MODES).meta({ description: '`live`: deployments with real money read it too.' }),
    received: z.int().meta({ description: 'Number of values that arrived; repetitions do not count.' }),
    lastValue: z.number().nullable().meta({ description: 'The newest value; a condition is 1 or 0.' }),
    lastAt: timestamp.nullable().meta({ description: 'When it arrived.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Signal', description: 'A named input that senders outside the service write.' });

export const CreatedSignalView = SignalView.extend({
  token: z.string().meta({
    description: 'Shown once. For senders without headers: `POST /hooks/signal?token=<token>`.',
  }),
}).meta({ id: 'CreatedSignal', description: 'A signal and its token.' });

export const SIGNAL_EXAMPLE = {
  name: 'tradingview-btc',
  mode: 'paper',
  received: 0,
  lastValue: null,
  lastAt: null,
  createdAt: EXAMPLE.createdAt,
} as const;

export const CREATED_SIGNAL_EXAMPLE = {
  ...SIGNAL_EXAMPLE,
  token: 'tsig_5n8Qm2x0Kd7vRtYwBz1cLpHgFjEaUsTiOqNkXyWbVrM',
} as const;

export const viewSignal = ({ name, mode, received, last_value, last_at, created_at }: SignalRow) => ({
  name,
  mode,
  received: Number(received),
  lastValue: last_value === null ? null : Number(last_value),
  lastAt: toIsoOrNull(last_at),
  createdAt: toIso(created_at),
});

export const viewCreatedSignal = ({ row, token }: CreatedSignal) => ({ ...viewSignal(row), token });
