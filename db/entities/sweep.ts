import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';

export const SWEEP_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type SweepStatus = (typeof SWEEP_STATUSES)[number];

/** One drawing run with many values. Of no mode, as a backtest. */
export const Sweep = defineEntity({
  name: 'Sweep',
  tableName: 'sweep',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Null for a drawing alone. */
    blueprintId: p.uuid().nullable(),
    /** What it was called at the start: the blueprint's name. */
    name: p.string().length(120),
    request: p.json<Json>(),
    visual: p.json<Json>(),
    /** Rules and settings as they were at the start. */
    terms: p.json<Json>(),
    /** What is run over, `[from_at, to_at)`: trials over ranges that overlap count together. */
    fromAt: moment(),
    toAt: moment(),
    status: p.enum(SWEEP_STATUSES).default('queued'),
    progress: p.json<Json>().nullable(),
    /** `{code, message}` of one that failed. */
    failure: p.json<Json>().nullable(),
    /** Combinations whose drawing does not compile: how many, and the first with their issues. */
    refused: p.json<Json>().nullable(),
    /** How often a process has begun with it: the fence that keeps out whoever lost it. */
    attempts: p.integer().default(0),
    leaseOwner: p.uuid().nullable(),
    leasedUntil: moment().nullable(),
    cancelRequestedAt: moment().nullable(),
    /** Trials over the whole range that were made: they count for good, also once they are forgotten. */
    trialCount: p.integer().default(0),
    /** Its trials made room for those of newer sweeps. */
    isForgotten: p.boolean().default(false),
    /** What it found; of one that ended early there is none. */
    outcome: p.json<Json>().nullable(),
    createdAt: moment(),
    startedAt: moment().nullable(),
    finishedAt: moment().nullable(),
    /** Gone for who asked for it; only how many trials it made, over what, is kept. */
    deletedAt: moment().nullable(),
  },
});

/** Over the whole range; over the training of a fold; over its test. */
export const TRIAL_STAGES = ['whole', 'train', 'test'] as const;
export type TrialStage = (typeof TRIAL_STAGES)[number];

/** One run of a sweep in short. */
export const SweepTrial = defineEntity({
  name: 'SweepTrial',
  tableName: 'sweep_trial',
  properties: {
    accountId: p.uuid().primary(),
    sweepId: p.uuid().primary(),
    stage: p.enum(TRIAL_STAGES).primary(),
    /** 0 over the whole range. */
    fold: p.integer().primary(),
    /** The place of its combination among those of the sweep. */
    number: p.integer().primary(),
    /** The place of each dimension's value. */
    combination: p.json<Json>(),
    figures: p.json<Json>(),
    /** What it is ranked by; null where it cannot be. */
    score: p.double().nullable(),
    /** Daily returns, doubles, little-endian. */
    returns: p.blob(),
    resultHash: p.string().length(64),
  },
});
