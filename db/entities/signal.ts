import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import { MODES } from '../vocabulary.ts';

/** A named input of an account that senders outside the service write, with its newest value. */
export const Signal = defineEntity({
  name: 'Signal',
  properties: {
    accountId: p.uuid().primary(),
    name: p.string().length(60).primary(),
    /** `live`: deployments with real money read it too. */
    mode: p.enum(MODES),
    /** SHA-256 of the token of senders that send no headers, unique. */
    tokenHash: p.blob(),
    /** The key that was shown the token, or its successor by rotation; null for a session. */
    tokenKeyId: p.uuid().nullable(),
    /** Number of the newest value; 0 before the first. */
    received: p.bigint('string').default('0'),
    lastValue: p.double().nullable(),
    lastAt: moment().nullable(),
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
    /** SHA-256 of the sender's id of the message, or of its content, in hex. */
    messageKey: p.string().length(64),
  },
});
