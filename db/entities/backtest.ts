import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';

export const BACKTEST_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

export const BACKTEST_PHASES = ['history', 'running', 'checks', 'writing'] as const;
export type BacktestPhase = (typeof BACKTEST_PHASES)[number];

/** A drawing run over what markets did before. Of no mode: it has money of its own, and no order, fill or position. */
export const Backtest = defineEntity({
  name: 'Backtest',
  tableName: 'backtest',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Null for a drawing alone. */
    blueprintId: p.uuid().nullable(),
    /** What it was called at the start: the blueprint's name. */
    name: p.string().length(120),
    request: p.json<Json>(),
    /** SHA-256 of all that decides the result: request, drawing, rules, settings, facts, data, version of the engine. */
    requestHash: p.string().length(64),
    visual: p.json<Json>(),
    /** Rules and settings as they were at the start. */
    terms: p.json<Json>(),
    status: p.enum(BACKTEST_STATUSES).default('queued'),
    phase: p.enum(BACKTEST_PHASES).nullable(),
    progress: p.json<Json>().nullable(),
    /** `{code, message}` of one that failed. */
    failure: p.json<Json>().nullable(),
    /** How often a process has begun with it: the fence that keeps out whoever lost it. */
    attempts: p.integer().default(0),
    leaseOwner: p.uuid().nullable(),
    leasedUntil: moment().nullable(),
    cancelRequestedAt: moment().nullable(),
    /** What it came to: of one that was canceled, as far as it went. */
    summary: p.json<Json>().nullable(),
    /** Which history it was run over. */
    coverage: p.json<Json>().nullable(),
    resultHash: p.string().length(64).nullable(),
    storedBytes: p.integer().default(0),
    notes: p.string().length(2000).default(''),
    /** Kept, however many there are. */
    isPinned: p.boolean().default(false),
    createdAt: moment(),
    startedAt: moment().nullable(),
    finishedAt: moment().nullable(),
  },
});

export const BACKTEST_PART_KINDS = ['order', 'fill', 'trade', 'equity', 'log'] as const;

/** Rows of a result, so many at a time, as compressed columns. */
export const BacktestPart = defineEntity({
  name: 'BacktestPart',
  tableName: 'backtest_part',
  properties: {
    accountId: p.uuid().primary(),
    backtestId: p.uuid().primary(),
    kind: p.enum(BACKTEST_PART_KINDS).primary(),
    seq: p.integer().primary(),
    /** Rows of its kind before it, and in it. */
    firstRow: p.integer(),
    rows: p.integer(),
    body: p.blob(),
  },
});
