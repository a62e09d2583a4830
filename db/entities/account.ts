import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { MODES, OPTIONAL_LIMITS } from '../vocabulary.ts';

/** A tenant. Its row is the lock for every decision about its money. */
export const Account = defineEntity({
  name: 'Account',
  properties: {
    id: p.uuid().primary(),
    name: p.string().length(120),
    /** Last number given to an `account_event`; raised under the account's lock, so order is commit order. */
    eventSeq: p.bigint('string').default(0),
    /** Its number of blueprints and the bytes of their graphs, stored here: a quota is then one guarded update. */
    blueprintCount: p.integer().default(0),
    visualBytes: p.integer().default(0),
    /** Its limits, which operators set: blueprints, bytes of their graphs, live keys. */
    blueprintsMax: p.integer().default(200),
    visualBytesMax: p.integer().default(16_777_216),
    keysMax: p.integer().default(100),
    /** The cell it is moving to: nothing is decided here then. */
    movingTo: p.smallint().nullable(),
    /** Since when an operator has suspended it, and why; null while it is active. */
    suspendedAt: moment().nullable(),
    suspensionReason: p.text().nullable(),
    createdAt: moment(),
  },
});

export const MEMBER_ROLES = ['owner'] as const;

/** The users who may act for an account. One owner each for now; the table leaves room for teams. */
export const Membership = defineEntity({
  name: 'Membership',
  properties: {
    accountId: p.uuid().primary(),
    /** User of the authentication framework (`auth."user".id`). */
    userId: p.uuid().primary(),
    role: p.enum(MEMBER_ROLES).default('owner'),
    createdAt: moment(),
  },
});

/** An account's cash and last loss in one mode. Only the ledger moves them. */
export const TradingAccount = defineEntity({
  name: 'TradingAccount',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    /** USD. Sum of this account's `cash_entry` rows in this mode. */
    cash: decimal(),
    /** USD. Realized profit and loss since the account began, after fees. */
    realizedPnl: decimal().default('0'),
    /** When a sell fill or settlement last lost money: start of the cool-down. */
    lastLossAt: moment().nullable(),
    /** The time and the reason of the daily loss's trip. It holds until 00:00 UTC or a change of `maxDailyLoss`. */
    trippedAt: moment().nullable(),
    tripReason: p.text().nullable(),
    createdAt: moment(),
  },
});

/**
 * Kinds of cash entry. These are for live mode only, except the `transfer` that resets a paper account:
 * - `transfer`: money from or to outside.
 * - `adjustment`: to match the venue's balance.
 * - `netting`: both sides of a question.
 * - `fee_true_up`: a fee that differed from the booked one.
 * - `redemption`: won settlements, below zero until the venue pays them.
 */
export const CASH_KINDS = [
  'deposit',
  'trade',
  'fee',
  'settlement',
  'write_off',
  'reversal',
  'transfer',
  'adjustment',
  'netting',
  'fee_true_up',
  'redemption',
] as const;

/** The cash ledger: one row per movement, never changed. */
export const CashEntry = defineEntity({
  name: 'CashEntry',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    mode: p.enum(MODES),
    kind: p.enum(CASH_KINDS),
    /** USD, positive in, negative out. */
    amount: decimal(),
    /** The fill that moved it; null for other movements. */
    fillId: p.uuid().nullable(),
    /** The venue account that holds it; null on paper. */
    connectionId: p.uuid().nullable(),
    /** Without a fill: its sequence number among the steps and fills of the ledger. Null for a deposit. */
    seq: p.bigint('string').nullable(),
    at: moment(),
  },
});

/** One account's day (00:00 UTC): its opening value and its realized result, for `maxDailyLoss`. */
export const AccountDay = defineEntity({
  name: 'AccountDay',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    day: p.date().primary(),
    /** USD. Unrealized profit and loss at stored bid marks when the day opened. */
    openingUnrealizedPnl: decimal(),
    /** USD. Realized since the day opened, after fees. */
    realizedPnl: decimal().default('0'),
  },
});

/** Equity over time, for the curve of the portfolio page. */
export const EquityPoint = defineEntity({
  name: 'EquityPoint',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    at: moment().primary(),
    equity: decimal(),
    cash: decimal(),
    realizedPnl: decimal(),
    unrealizedPnl: decimal(),
  },
});

/** The result and the holdings of one blueprint over time, while it held or traded. */
export const BlueprintEquity = defineEntity({
  name: 'BlueprintEquity',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    blueprintId: p.uuid().primary(),
    at: moment().primary(),
    /** USD, after fees, of all its deployments. */
    realizedPnl: decimal(),
    unrealizedPnl: decimal(),
    /** USD at marks. */
    held: decimal(),
  },
});

/** Null is off. */
const optionalLimit = () => decimal().nullable();

/** The account's limits. One row for each mode it has books in. */
export const RiskRules = defineEntity({
  name: 'RiskRules',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    maxOrderSize: decimal(),
    maxDailyLoss: decimal(),
    maxOpenPositions: p.integer(),
    maxOrdersPerMinute: p.integer(),
    cooldownAfterLossSec: p.integer(),
    requireApprovalAbove: decimal(),
    ...(Object.fromEntries(OPTIONAL_LIMITS.map((name) => [name, optionalLimit()])) as Record<
      (typeof OPTIONAL_LIMITS)[number],
      ReturnType<typeof optionalLimit>
    >),
    /** Raised by every change; a receipt names the version of its rules. */
    version: p.integer().default(1),
    updatedAt: moment(),
  },
});

/** The high-water mark of an account since its drawdown stop was turned on; no row while that is off. */
export const DrawdownWatch = defineEntity({
  name: 'DrawdownWatch',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    since: moment(),
    /** USD. The highest profit, realized and at marks, that lasted. */
    highWaterMark: decimal(),
    /** USD. The lowest profit since it has been above the mark. */
    risingTo: decimal().nullable(),
    risingSince: moment().nullable(),
    /** The time since which the limit is reached; the stop trips once that has lasted. */
    beyondSince: moment().nullable(),
    trippedAt: moment().nullable(),
  },
});

/** When the service last verified books automatically, and how many numbers were wrong. */
export const LedgerCheck = defineEntity({
  name: 'LedgerCheck',
  properties: {
    accountId: p.uuid().primary(),
    mode: p.enum(MODES).primary(),
    checkedAt: moment(),
    differences: p.integer(),
  },
});

/** The audit trail: actor and change. Append-only: the database refuses update and delete. */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    at: moment(),
    /** `session:<user id>`, `key:<key id>`, `operator:<user id>` for an operator who acts on it, or `system`. */
    actor: p.string().length(80),
    /** The action, `subject.verb`: `risk_rules.changed`, `api_key.revoked`. */
    action: p.string().length(60),
    /** The mode of the action; null if it concerns none: a key, a sign-in. */
    mode: p.enum(MODES).nullable(),
    subjectId: p.uuid().nullable(),
    before: p.json<Json>().nullable(),
    after: p.json<Json>().nullable(),
    requestId: p.string().length(64).nullable(),
  },
});

/** Events for frontends: order, fill, position, rule and blueprint events, numbered without gaps per account. */
export const AccountEvent = defineEntity({
  name: 'AccountEvent',
  properties: {
    accountId: p.uuid().primary(),
    seq: p.bigint('string').primary(),
    at: moment(),
    type: p.string().length(60),
    /** The mode of the event: readers of another one skip it. Null if it concerns every mode. */
    mode: p.enum(MODES).nullable(),
    payload: p.json<Json>(),
  },
});

/** A stored answer to a POST that carried `Idempotency-Key`. Kept 24 h. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  properties: {
    accountId: p.uuid().primary(),
    key: p.string().length(255).primary(),
    /** SHA-256 of method, path and canonical body. */
    fingerprint: p.string().length(64),
    status: p.integer(),
    body: p.json<Json>(),
    etag: p.string().length(80).nullable(),
    createdAt: moment(),
  },
});
