import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { MODES } from '../vocabulary.ts';

export const BLUEPRINT_STATUSES = ['draft', 'running', 'error', 'stopped'] as const;
export type BlueprintStatus = (typeof BLUEPRINT_STATUSES)[number];

/** An automated strategy as its owner draws it. Releases of it run. */
export const Blueprint = defineEntity({
  name: 'Blueprint',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.string().length(120),
    status: p.enum(BLUEPRINT_STATUSES).default('draft'),
    /** The latest deployment, live or ended. */
    deploymentId: p.uuid().nullable(),
    /** The graph: any JSON value, read by the editor and compiled at deploy. */
    visual: p.json<Json>().nullable(),
    /** Size of `visual` as JSON, bytes: the account's quota sums it. */
    visualBytes: p.integer().default(0),
    error: p.text().nullable(),
    /** The caller's own reference: stored and filterable, never interpreted. */
    thesisId: p.uuid().nullable(),
    /** Words by which a person finds it; no part of a review or a deploy. */
    tags: p.array<string>().default([]),
    /** Raised by every change that matters to a reviewer; the `ETag`. */
    version: p.integer().default(1),
    createdAt: moment(),
    updatedAt: moment(),
    /** Set by delete: the row stays for its orders, and answers 404. */
    deletedAt: moment().nullable(),
  },
});

/** The body of a release; equal graphs of one account share one. */
export const ReleaseBody = defineEntity({
  name: 'ReleaseBody',
  properties: {
    accountId: p.uuid().primary(),
    /** SHA-256 of the canonical JSON. */
    hash: p.string().length(64).primary(),
    visual: p.json<Json>().nullable(),
  },
});

/** A frozen graph: numbered per blueprint, never changed. The runner executes releases only. */
export const Release = defineEntity({
  name: 'Release',
  properties: {
    accountId: p.uuid().primary(),
    blueprintId: p.uuid().primary(),
    number: p.integer().primary(),
    bodyHash: p.string().length(64),
    name: p.string().length(120),
    /** `session:<user id>` or `key:<key id>`. */
    deployedBy: p.string().length(80),
    createdAt: moment(),
  },
});

/** One run of one release. Written once at deploy and ended once: after the end this fence lets nothing be created. */
export const Deployment = defineEntity({
  name: 'Deployment',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    blueprintId: p.uuid(),
    releaseNumber: p.integer(),
    mode: p.enum(MODES),
    /** The shard whose lease ticks it; stored, so that a heavy account can be moved. */
    shard: p.integer(),
    /** Markets of its lists that are series, by parameter; null if it has none. Changes as markets open and close. */
    members: p.json<Json>().nullable(),
    /** Instruments its graph reads or trades: the feed keeps quotes of them while it lives. */
    tokenIds: p.array<string>(),
    startedAt: moment(),
    endedAt: moment().nullable(),
    endReason: p.string().length(200).nullable(),
  },
});

/** The memory of a deployment's graph between ticks. It changes often and is small; the deployment row is neither. */
export const DeploymentState = defineEntity({
  name: 'DeploymentState',
  properties: {
    accountId: p.uuid().primary(),
    deploymentId: p.uuid().primary(),
    memory: p.json<Json>().nullable(),
    /** Entries are halted, exits guard: the deployment's part of the `error` status. */
    halted: p.boolean().default(false),
    /** A person watches it until then: values are written while this is in the future. */
    watchedUntil: moment().nullable(),
    updatedAt: moment(),
  },
});

/**
 * The displayed values of a deployment's nodes, ten times the size of its memory. Written when a status changes, or while a
 * person watches.
 */
export const DeploymentNodes = defineEntity({
  name: 'DeploymentNodes',
  properties: {
    accountId: p.uuid().primary(),
    deploymentId: p.uuid().primary(),
    states: p.json<Json>(),
    updatedAt: moment(),
  },
});

/** A lease on a part of the running deployments. `fence` rises with every new owner. */
export const Shard = defineEntity({
  name: 'Shard',
  properties: {
    id: p.integer().primary(),
    owner: p.uuid().nullable(),
    fence: p.bigint('string').default(0),
    leaseUntil: moment().nullable(),
    lastTickAt: moment().nullable(),
    lagMs: p.integer().default(0),
    skippedTicks: p.bigint('string').default(0),
  },
});

/** An order intent of an action node, written by the tick, turned into an order at the single entry. */
export const IntentRequest = defineEntity({
  name: 'IntentRequest',
  properties: {
    accountId: p.uuid().primary(),
    deploymentId: p.uuid().primary(),
    nodeId: p.string().length(200).primary(),
    /** Key of the step that raised it: replaying the step cannot make a second one. */
    stepAt: moment().primary(),
    /** Order within the step: sells first, then node order. */
    position: p.integer(),
    intent: p.json<Json>(),
    createdAt: moment(),
  },
});
