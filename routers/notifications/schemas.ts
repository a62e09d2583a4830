import { z } from 'zod';
import { CHANNEL_KINDS, CHANNEL_STATES, DELIVERY_STATUSES } from '../../db/entities/notification.ts';
import type { ChannelRow } from '../../engine/notifications/channel-row.ts';
import type { DeliveryRow } from '../../engine/notifications/deliveries.ts';
import { KINDS, NOTIFICATION_KINDS, SWITCHES, switchOf } from '../../engine/notifications/kinds.ts';
import { TIME_OF_DAY } from '../../engine/notifications/quiet-hours.ts';
import { isTimeZone } from '../../engine/platform/clock/time-zone.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import { EXAMPLE } from '../examples.ts';
import { singleLineText, timestamp, uuid } from '../schemas.ts';

export const ChannelId = z.strictObject({ id: uuid.meta({ description: 'The channel.' }) });

const kindsOf = <Value extends z.ZodType>(value: (kind: (typeof NOTIFICATION_KINDS)[number]) => Value) =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, value(kind)])) as Record<
    (typeof NOTIFICATION_KINDS)[number],
    Value
  >;

const SwitchesView = z
  .object(kindsOf((kind) => z.enum(SWITCHES).meta({ description: `${KINDS[kind].title}.` })))
  .meta({ id: 'NotificationSwitches', description: '`always`: in quiet hours too.' });

export const SwitchesInput = z.strictObject(kindsOf(() => z.enum(SWITCHES).optional())).meta({
  description: '`off`, `on` or `always` (in quiet hours too) by kind; a kind that is not named stays.',
});

const timeOfDay = z.string().regex(TIME_OF_DAY, { error: 'is not a time of day such as 22:00' });

export const QuietHoursInput = z
  .strictObject({
    from: timeOfDay,
    to: timeOfDay,
    zone: z
      .string()
      .max(60)
      .refine(isTimeZone, { error: 'is not a time zone such as Europe/Zurich' })
      .meta({ description: 'By its name in the IANA database.' }),
  })
  .meta({
    description: 'Kinds that are `on` wait for their end. They span midnight if `from` is after `to`.',
  });

const QuietHoursView = z.object({ from: z.string(), to: z.string(), zone: z.string() });

export const ChannelView = z
  .object({
    id: z.uuid(),
    kind: z.enum(CHANNEL_KINDS),
    label: z.string(),
    target: z
      .string()
      .meta({ description: 'The destination, without the parts that would let another person write there.' }),
    state: z.enum(CHANNEL_STATES).meta({
      description:
        '`disabled`: by the service, because nothing arrived for three days, or the receiver is gone.',
    }),
    stateReason: z.string().nullable(),
    proven: z.boolean().meta({
      description:
        '`false` for a new webhook: it receives only tests, until it answers one with `data.challenge` of it.',
    }),
    switches: SwitchesView,
    quietHours: QuietHoursView.nullable(),
    failingSince: timestamp.nullable().meta({ description: 'Null: the last attempt succeeded.' }),
    nextTryAt: timestamp.nullable().meta({ description: 'Null: none is queued.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'NotificationChannel',
    description: "A destination of an account's notifications. Its secrets are in no answer.",
  });

export const viewChannel = (row: ChannelRow): z.input<typeof ChannelView> => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  target: row.target,
  state: row.state,
  stateReason: row.state_reason,
  proven: row.is_proven,
  switches: Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, switchOf(row.switches, kind)]),
  ) as z.input<typeof SwitchesView>,
  quietHours: row.quiet_hours,
  failingSince: toIsoOrNull(row.failing_since),
  nextTryAt: toIsoOrNull(row.due_at),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
});

export const CreatedChannelView = ChannelView.extend({
  secret: z.string().nullable().meta({
    description: 'The secret of a webhook, `whsec_…`, shown only in this answer; null for other kinds.',
  }),
}).meta({ id: 'CreatedNotificationChannel' });

export const DeliveryView = z
  .object({
    id: z.uuid(),
    channelId: z.uuid(),
    channelLabel: z.string(),
    notificationId: z.uuid().meta({ description: 'The `webhook-id`: the same in every delivery of it.' }),
    kind: z.string(),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        '`expired`: no longer useful when its turn came. `refused`: the receiver accepts others, but not this one.',
    }),
    replay: z.boolean(),
    attempts: z.int(),
    notBefore: timestamp,
    lastAttemptAt: timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: 'HTTP or SMTP status.' }),
    lastProblem: z.string().nullable(),
    tookMs: z.int().nullable(),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'NotificationDelivery', description: 'One notification on its way to one channel.' });

export const viewDelivery = (row: DeliveryRow): z.input<typeof DeliveryView> => ({
  id: row.id,
  channelId: row.channel_id,
  channelLabel: row.label,
  notificationId: row.notification_id,
  kind: row.kind,
  status: row.status,
  replay: row.is_replay,
  attempts: row.attempts,
  notBefore: toIso(row.not_before),
  lastAttemptAt: toIsoOrNull(row.last_attempt_at),
  lastStatus: row.last_status,
  lastProblem: row.last_problem,
  tookMs: row.took_ms,
  createdAt: toIso(row.created_at),
  endedAt: toIsoOrNull(row.ended_at),
});

export const Label = singleLineText(1, 120).meta({ description: 'Its display name.' });

export const Queued = z.object({
  deliveryId: z.uuid().meta({ description: 'Its row in the delivery log shows the outcome.' }),
});

export const CHANNEL_EXAMPLE = {
  id: EXAMPLE.channelId,
  kind: 'webhook',
  label: 'Desk',
  target: 'https://desk.example.com/hook',
  state: 'on',
  stateReason: null,
  proven: true,
  switches: {
    'order.pending': 'always',
    'order.filled': 'on',
    'order.denied': 'on',
    'order.rejected': 'on',
    'blueprint.error': 'always',
    'blueprint.said': 'on',
    'blueprint.warning': 'on',
    'blueprint.critical': 'always',
    'rule.near_limit': 'on',
    'rule.reached': 'always',
    'connection.changed': 'always',
    'key.expiring': 'on',
    'summary.daily': 'off',
    'channel.disabled': 'always',
  },
  quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Zurich' },
  failingSince: null,
  nextTryAt: null,
  createdAt: EXAMPLE.createdAt,
  updatedAt: EXAMPLE.createdAt,
} as const;

export const SECRET_EXAMPLE = 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE=';
