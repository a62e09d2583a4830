import { z } from 'zod';
import { SIGNAL_KINDS } from '../../db/entities/signal.ts';
import { MODES } from '../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import { SIGNAL_NAME } from '../../engine/strategy/graph/nodes/markets/signal.ts';
import { SIGNAL_VALUE_MAX } from '../../engine/usecases/signals/message.ts';
import { type CreatedSignal, rangeOf, type SignalRow } from '../../engine/usecases/signals/signals.ts';
import { EXAMPLE } from '../examples.ts';
import { timestamp } from '../schemas.ts';

export const SignalName = z
  .string()
  .regex(SIGNAL_NAME, {
    error: 'takes 1 to 60 small letters, digits, - and _, and begins with a letter or digit',
  })
  .meta({ description: 'The name of the signal, as the node `signal` names it.' });

export const SignalNameInput = z.strictObject({ name: SignalName });

const bound = z.number().min(-SIGNAL_VALUE_MAX).max(SIGNAL_VALUE_MAX).nullable();
const KIND = z.enum(SIGNAL_KINDS).meta({ description: '`boolean`: it takes 0 and 1 only.' });
const MIN = bound.meta({ description: 'The lowest value it takes; null: −10^15.' });
const MAX = bound.meta({ description: 'The highest value it takes; null: 10^15.' });

/** The range of a signal, by its name. An absent field keeps its value, or its default. */
export const SignalRangeInput = SignalNameInput.extend({
  kind: KIND.optional(),
  min: MIN.optional(),
  max: MAX.optional(),
});

export const SignalView = z
  .object({
    name: z.string(),
    mode: z.enum(MODES).meta({ description: '`live`: deployments with real money read it too.' }),
    kind: KIND,
    min: MIN,
    max: MAX,
    received: z.int().meta({ description: 'Number of values that arrived; repetitions do not count.' }),
    lastValue: z.number().nullable().meta({ description: 'The newest value; a condition is 1 or 0.' }),
    lastAt: timestamp.nullable().meta({ description: 'When it arrived.' }),
    lastSender: z.string().nullable().meta({
      description:
        'Who sent it: `key:<id>`, `session:<user>`, or `signal:<name>` by the token. Null before the first value, and for one from before senders were recorded.',
    }),
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
  kind: 'number',
  min: null,
  max: null,
  received: 0,
  lastValue: null,
  lastAt: null,
  lastSender: null,
  createdAt: EXAMPLE.createdAt,
} as const;

export const CREATED_SIGNAL_EXAMPLE = {
  ...SIGNAL_EXAMPLE,
  token: 'tsig_5n8Qm2x0Kd7vRtYwBz1cLpHgFjEaUsTiOqNkXyWbVrM',
} as const;

export const viewSignal = (row: SignalRow) => ({
  name: row.name,
  mode: row.mode,
  ...rangeOf(row),
  received: Number(row.received),
  lastValue: row.last_value === null ? null : Number(row.last_value),
  lastAt: toIsoOrNull(row.last_at),
  lastSender: row.last_sender,
  createdAt: toIso(row.created_at),
});

export const viewCreatedSignal = ({ row, token }: CreatedSignal) => ({ ...viewSignal(row), token });
