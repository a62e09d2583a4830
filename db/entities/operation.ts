import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';

/** The last end of an operator's command, and its outcome, for the metrics. One row a command. */
export const OperationRun = defineEntity({
  name: 'OperationRun',
  properties: {
    name: p.string().length(40).primary(),
    endedAt: moment(),
    isOk: p.boolean(),
    /** Its last success; null if there was none. */
    lastOkAt: moment().nullable(),
  },
});

/**
 * A user who may use the operator's page. Written by the command line alone. It holds for the authenticator that the user had
 * then: a user who turns that off, or has it reset, is granted it again by the command line.
 */
export const Operator = defineEntity({
  name: 'Operator',
  properties: {
    /** User of the authentication framework (`auth."user".id`). */
    userId: p.uuid().primary(),
    /** The authenticator (`auth."twoFactor".id`). */
    factorId: p.uuid(),
    grantedAt: moment(),
  },
});

/** A process of the service, which says every few seconds that it is there. Deleted at its end, or when it is long silent. */
export const Process = defineEntity({
  name: 'Process',
  properties: {
    id: p.uuid().primary(),
    /** `all`, `api` or `runner`. */
    role: p.string().length(10),
    version: p.string().length(40),
    host: p.string().length(120),
    startedAt: moment(),
    seenAt: moment(),
    /** When an operator asked it to give its shards and connections away; null if it may have any. */
    drainsSince: moment().nullable(),
  },
});

/** The cell's number, in one row: a database belongs to one cell for good. */
export const Cell = defineEntity({
  name: 'Cell',
  properties: {
    id: p.integer().primary().autoincrement(false),
    number: p.smallint(),
    /** Hashes e-mails of moved accounts, equal in all cells; null before the first move. */
    emailKey: p.blob().nullable(),
  },
});

/** An account that has moved from this cell to another. Deleted when the account returns. */
export const MovedAccount = defineEntity({
  name: 'MovedAccount',
  properties: {
    id: p.uuid().primary(),
    /** The cell it moved to. */
    cell: p.smallint(),
    /** Users (`auth."user".id`) who moved along: a late request of theirs opens no second account here. */
    userIds: p.array<string>(),
    movedAt: moment(),
  },
});

/** A key or token of a moved account: here it is answered by "moved", not as an unknown one. */
export const MovedKey = defineEntity({
  name: 'MovedKey',
  properties: {
    tokenHash: p.blob().primary(),
    movedId: p.uuid(),
  },
});

/** The HMAC of an e-mail, or of an id at a provider, whose account has moved: no second user of it is created here. */
export const MovedEmail = defineEntity({
  name: 'MovedEmail',
  properties: {
    digest: p.blob().primary(),
    movedId: p.uuid(),
  },
});

/** Rows of an account that arrives here, as texts of their columns. They are inserted at once when it has left the other cell. */
export const ArrivingPart = defineEntity({
  name: 'ArrivingPart',
  properties: {
    arrivingId: p.uuid().primary(),
    number: p.integer().primary(),
    tableName: p.text(),
    rows: p.json<string[][]>(),
  },
});
