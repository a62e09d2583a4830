import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { MODES } from '../vocabulary.ts';

export const CHANNEL_KINDS = ['webhook', 'slack', 'discord', 'telegram', 'email', 'push'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** `off`: by a person. `disabled`: by the service, because nothing arrived for three days or its receiver is gone. */
export const CHANNEL_STATES = ['on', 'off', 'disabled'] as const;

/** `expired`: no longer useful when its turn came. `refused`: the receiver accepts others, but not this one. */
export const DELIVERY_STATUSES = ['waiting', 'delivered', 'expired', 'refused'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A destination of an account's notifications: its address, its event kinds and its quiet hours. */
export const NotificationChannel = defineEntity({
  name: 'NotificationChannel',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.enum(CHANNEL_KINDS),
    label: p.string().length(120),
    /**
     * The destination in a displayable form: a webhook's address; for others, nothing that would let another person write
     * there.
     */
    target: p.string().length(500),
    /** By kind of event: `off`, `on` or `always`; a kind that is not named has its default. */
    switches: p.json<Json>(),
    /** `{from, to, zone}`, or null. */
    quietHours: p.json<Json>().nullable(),
    state: p.enum(CHANNEL_STATES).default('on'),
    stateReason: p.string().length(300).nullable(),
    /** False for a webhook until an answer to a test is its challenge: it receives only tests. */
    isProven: p.boolean().default(true),
    /** Sealed address and secrets; null if there are none. */
    keyId: p.string().length(32).nullable(),
    wrappedKey: p.blob().nullable(),
    nonce: p.blob().nullable(),
    ciphertext: p.blob().nullable(),
    tag: p.blob().nullable(),
    /** Position of its newest delivery. */
    position: p.bigint('string').default('0'),
    /** Failed attempts since the last success, and the time of the first of them. */
    attempts: p.integer().default(0),
    failingSince: moment().nullable(),
    /** When the next delivery is due; null if none is queued. */
    dueAt: moment().nullable(),
    leaseOwner: p.uuid().nullable(),
    leasedUntil: moment().nullable(),
    createdAt: moment(),
    updatedAt: moment(),
    version: p.integer().default(1),
  },
});

/** One notification of an account, for all channels; its id is the same in each of its deliveries. */
export const Notification = defineEntity({
  name: 'Notification',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.string().length(60),
    mode: p.enum(MODES).nullable(),
    at: moment(),
    data: p.json<Json>(),
  },
});

/** One notification on its way to one channel. Deliveries of a channel are sent in the order of their positions. */
export const NotificationDelivery = defineEntity({
  name: 'NotificationDelivery',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    channelId: p.uuid(),
    position: p.bigint('string'),
    notificationId: p.uuid(),
    status: p.enum(DELIVERY_STATUSES).default('waiting'),
    /** Quiet hours hold it until then. */
    notBefore: moment(),
    /** Useless after this time; null: always useful. */
    expiresAt: moment().nullable(),
    isReplay: p.boolean().default(false),
    attempts: p.integer().default(0),
    lastAttemptAt: moment().nullable(),
    /** The HTTP or SMTP status of the last response. */
    lastStatus: p.integer().nullable(),
    lastProblem: p.string().length(200).nullable(),
    tookMs: p.integer().nullable(),
    createdAt: moment(),
    endedAt: moment().nullable(),
  },
});

/** The last event of an account that became notifications; no row while it has no channel. */
export const NotificationCursor = defineEntity({
  name: 'NotificationCursor',
  properties: {
    accountId: p.uuid().primary(),
    seq: p.bigint('string'),
  },
});

/** A notification that is sent only once: a daily limit, an expiring key, a summary. */
export const NotificationMark = defineEntity({
  name: 'NotificationMark',
  properties: {
    accountId: p.uuid().primary(),
    name: p.string().length(200).primary(),
    at: moment(),
  },
});

/** The key by which push services know this service (VAPID), made once. One row. */
export const PushKey = defineEntity({
  name: 'PushKey',
  properties: {
    name: p.string().length(20).primary(),
    publicKey: p.string().length(200),
    keyId: p.string().length(32),
    wrappedKey: p.blob(),
    nonce: p.blob(),
    ciphertext: p.blob(),
    tag: p.blob(),
    createdAt: moment(),
  },
});
