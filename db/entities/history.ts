import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { JOB_STATUSES, SERIES_KINDS, VENUE_IDS } from '../vocabulary.ts';
import { PRICE_SOURCES } from './market.ts';

/**
 * A stored history of one instrument and one kind, with a row at a fixed interval. It belongs to no account, as all market
 * data.
 */
export const HistorySeries = defineEntity({
  name: 'HistorySeries',
  properties: {
    id: p.integer().primary().autoincrement(),
    venue: p.enum(VENUE_IDS),
    tokenId: p.string().length(200),
    kind: p.enum(SERIES_KINDS),
    resolutionMs: p.bigint('number'),
    /** The source of the prices: histories of a simulated world and of the real one never mix. */
    prices: p.enum(PRICE_SOURCES),
  },
  uniques: [{ properties: ['venue', 'tokenId', 'kind', 'resolutionMs', 'prices'] }],
});

/** A calendar month of a series in columns; a day where rows are closer than a minute. */
export const HistoryChunk = defineEntity({
  name: 'HistoryChunk',
  properties: {
    series: () => p.manyToOne(HistorySeries).primary(),
    /** The beginning of the month or day, UTC. */
    fromAt: moment().primary(),
    rows: p.integer(),
    /** When its first row opens and its last one ends; null where it has none. */
    firstAt: moment().nullable(),
    lastAt: moment().nullable(),
    /** `[[fromMs, toMs], …]`: spans for which the venue was asked and has responded. */
    held: p.json<Json>(),
    /** `[[fromMs, toMs], …]`, within `held`: spans without data at the venue. */
    gaps: p.json<Json>(),
    /** The span is over, all of it is held and the venue no longer corrects it: it never changes again. */
    isSealed: p.boolean(),
    /** SHA-256 of the columns, hex. */
    hash: p.string().length(64),
    source: p.string().length(60),
    fetchedAt: moment(),
    sizeBytes: p.integer(),
    /** The account whose import wrote it first; null: the service. */
    paidBy: p.uuid().nullable(),
    /** In the archive: SHA-256 of the file that has the body, where it begins there, and its own SHA-256; else null. */
    archivedDigest: p.string().length(64).nullable(),
    archivedOffset: p.integer().nullable(),
    bodyDigest: p.string().length(64).nullable(),
    /** Null where it is in the archive. */
    body: p.blob().nullable(),
  },
});

/** History that an account requested: a queue that runners work off, one import per venue at a time, accounts in turn. */
export const HistoryImport = defineEntity({
  name: 'HistoryImport',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    venue: p.enum(VENUE_IDS),
    tokenId: p.string().length(200),
    kind: p.enum(SERIES_KINDS),
    resolutionMs: p.bigint('number'),
    fromAt: moment(),
    toAt: moment(),
    status: p.enum(JOB_STATUSES),
    /** 0 to 1. */
    progress: p.double(),
    rows: p.integer(),
    gaps: p.integer(),
    differences: p.integer(),
    failure: p.string().length(400).nullable(),
    createdAt: moment(),
    /** When its last turn began. */
    servedAt: moment().nullable(),
    endedAt: moment().nullable(),
  },
});
