import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { MarketData } from '../../../venues/port.ts';
import { pointer } from '../../strategy/graph/compile/issues.ts';
import { PARAMETERS_MAX } from '../../strategy/graph/compile/parameters.ts';
import { type Members, type SeriesRule, seriesIn } from '../../strategy/graph/series-lists.ts';
import type { Issue } from '../../strategy/graph/types.ts';
import { instrumentOf } from '../../trading/orders/row.ts';
import {
  type InstrumentFact,
  instrumentFactsByTime,
  withoutListing,
} from '../../trading/orders/terms/facts-by-time.ts';
import { readInstrumentFacts } from '../../trading/orders/terms/read-facts.ts';
import { type MembersResult, membersOf, type Span } from './members-of.ts';
import { isoOf, isRecorded, recordSeries, recordUntilNow } from './record-series.ts';

/** Facts of at most this many instruments decide about one list. */
const INSTRUMENTS_MAX = 1_000;

export type ResolvedSeries = { readonly members: Members; readonly issues: readonly Issue[] };

/** The markets of a series that a list has: those open now, unless it is the list of a backtest. */
export type SeriesSelection = {
  /** The span of a backtest. */
  readonly span?: Span | undefined;
  /** Instruments that a blueprint holds or has orders of: those of the series are members, closed ones too. */
  readonly needed?: readonly string[] | undefined;
};

export type ResolveOptions = SeriesSelection & {
  readonly market: MarketData;
  /** Asks for permission to call a venue. */
  readonly admit: () => Promise<void>;
};

/**
 * Finds the members of the lists of a graph that are series: those open now, or listed at any time of a span. Venues are asked
 * for markets that are not recorded. A span of which not all is known is an issue `no_history`, never a list of survivors.
 *
 * @throws VenueError while a venue that has to be asked does not respond, and the errors of `admit`.
 */
export async function resolveSeries(
  db: Db,
  visual: unknown,
  { needed = [], ...options }: ResolveOptions,
): Promise<ResolvedSeries> {
  const members: Record<string, string[]> = {};
  const issues: Issue[] = [];
  const rules = seriesIn(visual);
  // The compiler refuses a graph with more parameters: those beyond need no answer.
  for (const [name, rule] of [...rules].slice(0, PARAMETERS_MAX)) {
    const found = await resolveRule(db, rule, options);
    if (found.ok)
      members[name] = [...new Set([...found.tokenIds, ...(await readMembersAmong(db, rule, needed))])];
    else {
      const path = pointer('parameters', name, 'value');
      issues.push({ nodeId: null, path, severity: 'error', code: found.code, message: found.message });
    }
  }
  return { members: rules.size === 0 ? null : members, issues };
}

type Found = MembersResult | { readonly ok: false; readonly code: 'no_history'; readonly message: string };

/**
 * Finds the members of one series; see {@link resolveSeries}.
 *
 * @throws VenueError while the venue does not respond, and the errors of `admit`.
 */
export async function resolveRule(
  db: Db,
  rule: SeriesRule,
  { market, span, admit }: Omit<ResolveOptions, 'needed'>,
): Promise<Found> {
  const fault = await recorded(db, rule, { market, span, admit });
  if (fault !== null) return { ok: false, code: 'no_history', message: fault };
  if (span === undefined) return readOpenMembers(db, rule, market.now());
  const facts = await readFacts(db, rule, span);
  const found = membersOf(instrumentFactsByTime(facts), rule, span);
  const unknown = found.ok ? withoutListing(found.tokenIds, facts, span.firstMs) : [];
  if (unknown.length === 0) return found;
  const message = `Whether ${unknown[0]} of the series “${rule.series}” was listed is not known: its venue states no opening time, and this service first read it later. Begin later.`;
  return { ok: false, code: 'no_history', message };
}

async function recorded(
  db: Db,
  rule: SeriesRule,
  { market, span, admit }: Omit<ResolveOptions, 'needed'>,
): Promise<string | null> {
  if (span === undefined) return recordUntilNow(db, market, rule, admit);
  if (await isRecorded(db, rule, span)) return null;
  await admit();
  return recordSeries(db, market, rule, span);
}

/** Reads the members of a series that are open now, as stored. */
export const readOpenMembers = async (db: Db, rule: SeriesRule, nowMs: number): Promise<MembersResult> =>
  membersOf(await readCurrent(db, rule, nowMs), rule, { firstMs: nowMs, lastMs: nowMs });

/** A row may be older than the last listing: a market past its announced close is not taken for open. */
async function readCurrent(db: Db, rule: SeriesRule, nowMs: number): Promise<InstrumentFact[]> {
  const rows = await ofSeries(db, rule)
    .selectAll()
    .where('status', 'in', ['open', 'paused'])
    .where('delisted_at', 'is', null)
    .where(({ or, eb }) => or([eb('closes_at', 'is', null), eb('closes_at', '>', isoOf(nowMs))]))
    .execute();
  return rows.map((row) => ({ fromMs: Number.NEGATIVE_INFINITY, instrument: instrumentOf(row) }));
}

async function readFacts(db: Db, rule: SeriesRule, { firstMs, lastMs }: Span): Promise<InstrumentFact[]> {
  const rows = await ofSeries(db, rule)
    .select('token_id')
    .where(({ or, eb }) => or([eb('opens_at', 'is', null), eb('opens_at', '<=', isoOf(lastMs))]))
    .where(({ or, eb }) => or([eb('closes_at', 'is', null), eb('closes_at', '>=', isoOf(firstMs))]))
    .execute();
  const tokenIds = rows.map(({ token_id }) => token_id);
  const facts = await readInstrumentFacts(db, tokenIds, lastMs + 1);
  // A market has one series for ever, also in facts that were stored before its venue stated it.
  return facts.map(({ fromMs, instrument }) => ({
    fromMs,
    instrument: { ...instrument, series: rule.series },
  }));
}

/** Returns those of some instruments that belong to a series, by the side of its rule. */
export async function readMembersAmong(
  db: Db,
  rule: SeriesRule,
  tokenIds: readonly string[],
): Promise<string[]> {
  if (tokenIds.length === 0) return [];
  const rows = await ofSeries(db, rule)
    .select('token_id')
    .where('token_id', '=', sql<string>`any(${tokenIds}::text[])`)
    .execute();
  return rows.map(({ token_id }) => token_id);
}

const ofSeries = (db: Db, { venue, series, outcome }: SeriesRule) =>
  db
    .selectFrom('instrument')
    .where('venue', '=', venue)
    .where('series', '=', series)
    .where(sql`lower(outcome)`, '=', outcome.toLowerCase())
    .orderBy('token_id')
    .limit(INSTRUMENTS_MAX);
