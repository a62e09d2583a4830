import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import { MODES } from '../vocabulary.ts';

/** Kinds of values that a signal takes. `boolean`: 0 and 1 only. */
export const SIGNAL_KINDS = ['number', 'boolean'] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** The sender of a value, as the audit trail names actors; a sender by the token is `signal:` with the name. */
const sender = () => p.string().length(80).nullable();

/** A named input of an account that senders outside the service write, with its newest value. */
export const Signal = defineEntity({
  name: 'Signal',
  properties: {
    accountId: p.uuid().primary(),
    name: p.string().length(60).primary(),
    /** `live`: deployments with real money read it too. */
    mode: p.enum(MODES),
    kind: p.enum(SIGNAL_KINDS).default('number'),
    /** Bounds of its values; null: those of all signals. */
    minValue: p.double().nullable(),
    maxValue: p.double().nullable(),
    /** SHA-256 of the token of senders that send no headers, unique. */
    tokenHash: p.blob(),
    /** The key that was shown the token, or its successor by rotation; null for a session. */
    tokenKeyId: p.uuid().nullable(),
    /** Number of the newest value; 0 before the first. */
    received: p.bigint('string').default('0'),
    lastValue: p.double().nullable(),
    lastAt: moment().nullable(),
    lastSender: sender(),
    createdAt: moment(),
  },
});

/** One value as it arrived. Numbered from 1 per signal. */
export const SignalValue = defineEntity({
  name: 'SignalValue',
  properties: {
    accountId: p.uuid().primary(),
    name: p.string().length(60).primary(),
    number: p.bigint('string').primary(),
    /** When it arrived, by the database's clock. */
    at: moment(),
    /** A condition is 1 or 0. */
    value: p.double(),
    /** Null for values from before senders were recorded. */
    sender: sender(),
    /** SHA-256 of the sender's id of the message, or of its content, in hex. */
    messageKey: p.string().length(64),
  },
});
