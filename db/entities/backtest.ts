import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { JOB_STATUSES } from '../vocabulary.ts';

export const BACKTEST_PHASES = ['history', 'running', 'checks', 'writing'] as const;
export type BacktestPhase = (typeof BACKTEST_PHASES)[number];

/** A graph run over recorded history. It has no mode: it has its own money, and no order, fill or position. */
export const Backtest = defineEntity({
  name: 'Backtest',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Null for a graph without a blueprint. */
    blueprintId: p.uuid().nullable(),
    /** Its name at the start: the blueprint's name. */
    name: p.string().length(120),
    request: p.json<Json>(),
    /** SHA-256 of every input of the result: request, graph, rules, settings, facts, data, version of the engine. */
    requestHash: p.string().length(64),
    visual: p.json<Json>(),
    /** Rules and settings as they were at the start. */
    terms: p.json<Json>(),
    status: p.enum(JOB_STATUSES).default('queued'),
    phase: p.enum(BACKTEST_PHASES).nullable(),
    progress: p.json<Json>().nullable(),
    /** `{code, message}` if it failed. */
    failure: p.json<Json>().nullable(),
    /** How often a process has begun it: the fence that keeps out a process that lost it. */
    attempts: p.integer().default(0),
    leaseOwner: p.uuid().nullable(),
    leasedUntil: moment().nullable(),
    cancelRequestedAt: moment().nullable(),
    /** The result; if it was canceled, up to that point. */
    summary: p.json<Json>().nullable(),
    /** The history it was run over. */
    coverage: p.json<Json>().nullable(),
    resultHash: p.string().length(64).nullable(),
    storedBytes: p.integer().default(0),
    notes: p.string().length(2000).default(''),
    /** Stored permanently, whatever the number. */
    isPinned: p.boolean().default(false),
    createdAt: moment(),
    startedAt: moment().nullable(),
    finishedAt: moment().nullable(),
  },
});

export const BACKTEST_PART_KINDS = ['order', 'fill', 'trade', 'equity', 'log'] as const;

/** Rows of a result, in parts of limited size, as compressed columns. */
export const BacktestPart = defineEntity({
  name: 'BacktestPart',
  properties: {
    accountId: p.uuid().primary(),
    backtestId: p.uuid().primary(),
    kind: p.enum(BACKTEST_PART_KINDS).primary(),
    seq: p.integer().primary(),
    /** The number of rows of its kind before this part, and within it. */
    firstRow: p.integer(),
    rows: p.integer(),
    body: p.blob(),
  },
});
