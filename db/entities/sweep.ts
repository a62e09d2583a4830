import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { JOB_STATUSES } from '../vocabulary.ts';

/** One graph run with many values. It has no mode, as a backtest. */
export const Sweep = defineEntity({
  name: 'Sweep',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Null for a graph without a blueprint. */
    blueprintId: p.uuid().nullable(),
    /** Its name at the start: the blueprint's name. */
    name: p.string().length(120),
    request: p.json<Json>(),
    visual: p.json<Json>(),
    /** Rules and settings as they were at the start. */
    terms: p.json<Json>(),
    /** The range of the runs, `[from_at, to_at)`: trials over ranges that overlap count together. */
    fromAt: moment(),
    toAt: moment(),
    status: p.enum(JOB_STATUSES).default('queued'),
    progress: p.json<Json>().nullable(),
    /** `{code, message}` if it failed. */
    failure: p.json<Json>().nullable(),
    /** Combinations whose graph does not compile: how many, and the first with their issues. */
    refused: p.json<Json>().nullable(),
    /** How often a process has begun it: the fence that keeps out a process that lost it. */
    attempts: p.integer().default(0),
    leaseOwner: p.uuid().nullable(),
    leasedUntil: moment().nullable(),
    cancelRequestedAt: moment().nullable(),
    /** The number of trials made over the whole range. They count permanently, also after they are deleted. */
    trialCount: p.integer().default(0),
    /** Its trials were deleted to make room for those of newer sweeps. */
    isForgotten: p.boolean().default(false),
    /** The outcome; null if it ended early. */
    outcome: p.json<Json>().nullable(),
    createdAt: moment(),
    startedAt: moment().nullable(),
    finishedAt: moment().nullable(),
    /** Deleted for its owner; only the number of its trials and their range are stored. */
    deletedAt: moment().nullable(),
  },
});

/** Over the whole range; over the training of a fold; over its test. */
export const TRIAL_STAGES = ['whole', 'train', 'test'] as const;
export type TrialStage = (typeof TRIAL_STAGES)[number];

/** One run of a sweep in short. */
export const SweepTrial = defineEntity({
  name: 'SweepTrial',
  properties: {
    accountId: p.uuid().primary(),
    sweepId: p.uuid().primary(),
    stage: p.enum(TRIAL_STAGES).primary(),
    /** 0 over the whole range. */
    fold: p.integer().primary(),
    /** The index of its combination among those of the sweep. */
    number: p.integer().primary(),
    /** The index of each dimension's value. */
    combination: p.json<Json>(),
    figures: p.json<Json>(),
    /** The score that ranks it; null if it cannot be computed. */
    score: p.double().nullable(),
    /** Daily returns, doubles, little-endian. */
    returns: p.blob(),
    resultHash: p.string().length(64),
  },
});
