import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../db/tables.ts';
import type { HistoryArchive } from '../../../engine/history/archived-bodies.ts';
import type { History, SeriesKey } from '../../../engine/history/series.ts';
import { HistoryLimitReached } from '../../../engine/history/storage-limit.ts';
import { HistoryDamaged, readHistory } from '../../../engine/history/store.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import {
  dataHashesOf,
  readQuoteChunks,
  signalsOf,
} from '../../../engine/research/backtests/backtest-data.ts';
import { backtestDataNeedsOf } from '../../../engine/research/backtests/backtest-data-needs.ts';
import type { StoredQuotes } from '../../../engine/research/backtests/recorded-quotes.ts';
import type { BacktestRow, CoveredSeries } from '../../../engine/research/backtests/row.ts';
import type { BacktestFailure } from '../../../engine/research/playback/result.ts';
import type { RunDataNeeds, SeriesNeed } from '../../../engine/research/playback/run-data-needs.ts';
import { withMembers } from '../../../engine/strategy/graph/series-lists.ts';
import { withoutListing } from '../../../engine/trading/orders/terms/facts-by-time.ts';
import { freshInstrument } from '../../../engine/trading/orders/terms/instruments.ts';
import { readInstrumentFacts } from '../../../engine/trading/orders/terms/read-facts.ts';
import { readRecordedSignals } from '../../../engine/usecases/signals/read.ts';
import { type MarketData, VenueError } from '../../../venues/port.ts';
import type { RunnerLog } from '../../kernel/rounds/options.ts';
import type { BacktestTask } from './backtest-messages.ts';

/** Fetches a range of a series from its venue, as far as the venue has it. */
export type ImportMissingHistory = (
  need: {
    readonly key: SeriesKey;
    readonly fromMs: number;
    readonly toMs: number;
    /** The account whose history quota it uses. */
    readonly accountId: string;
  },
  signal: AbortSignal,
) => Promise<void>;

export type GatherOptions = {
  readonly accountId: string;
  readonly db: Db;
  readonly market: MarketData;
  readonly importHistory: ImportMissingHistory;
  readonly historyArchive: HistoryArchive | null;
  readonly signal: AbortSignal;
  /** Called with the completed share, 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** All input of a run, or why it cannot be built. */
export type Gathered =
  | {
      readonly task: BacktestTask;
      readonly requestHash: string;
      readonly coverage: readonly CoveredSeries[];
    }
  | NotGathered;

/** `cause` is for the log alone. */
type NotGathered = { readonly failure: BacktestFailure; readonly cause?: unknown };

/** Logs which stored data could not be read, if that is why. */
export function logUnread(log: Pick<RunnerLog, 'error'>, { cause }: NotGathered, run: object): void {
  if (cause !== undefined) log.error({ ...run, error: String(cause) }, 'stored data could not be read');
}

/** An archive may be away for a moment, as any upstream: it is read this long after again. */
const ARCHIVE_PAUSES_MS: readonly number[] = [1_000, 4_000];

/** Reads the input of a run; first fetches missing history that its venue still has. */
export async function gatherInput(row: BacktestRow, options: GatherOptions): Promise<Gathered> {
  const { request, visual, terms, name } = row;
  const needs = backtestDataNeedsOf(request, visual);
  const task = await gatherRun({ request, visual, ...terms }, needs, options);
  if ('failure' in task) return task;
  return {
    task,
    requestHash: await dataHashesOf(options.db, options.accountId, { request, visual, name, terms }, needs),
    coverage: task.input.histories.map(coveredBy),
  };
}

/** {@link gatherInput} for a run that is not a backtest of its own. */
export async function gatherRun(
  run: Pick<BacktestTask['input'], 'request' | 'visual' | 'rules' | 'settings'>,
  needs: RunDataNeeds,
  options: GatherOptions,
  pausesMs: readonly number[] = ARCHIVE_PAUSES_MS,
): Promise<BacktestTask | NotGathered> {
  const { signal } = options;
  try {
    return await gatherWhole(run, needs, options);
  } catch (error) {
    signal.throwIfAborted();
    // A run without a part of its data would be another run.
    if (error instanceof HistoryDamaged) return noHistory(error.message, error);
    if (!(error instanceof DomainError) || error.code !== 'archived_unavailable') throw error;
    const [pauseMs, ...later] = pausesMs;
    // A damaged file stays so, and so does a missing setting, which has no cause.
    if (pauseMs === undefined || error.cause === undefined)
      return noHistory(error.message, error.cause ?? error);
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    return gatherRun(run, needs, options, later);
  }
}

async function gatherWhole(
  run: Pick<BacktestTask['input'], 'request' | 'visual' | 'rules' | 'settings'>,
  needs: RunDataNeeds,
  options: GatherOptions,
): Promise<BacktestTask | NotGathered> {
  const { db, historyArchive, signal } = options;
  const unknown = await learnInstruments(needs, options);
  if (unknown.length > 0) return noHistory(`No venue knows ${unknown.join(', ')}.`);
  const quotes: StoredQuotes[] = [];
  for (const need of needs.quotes) {
    const stored = await readQuoteChunks(db, historyArchive, need, signal);
    if (stored.bodies.length > 0) quotes.push(stored);
  }
  const isRecorded = ({ key }: SeriesNeed) => quotes.some(({ tokenId }) => tokenId === key.tokenId);
  const series = [...needs.series, ...needs.minutes.filter(isRecorded)];
  const histories: History[] = [];
  for (const [index, need] of series.entries()) {
    signal.throwIfAborted();
    const found = await historyOf(need, run, options);
    if (typeof found === 'string') return noHistory(found);
    if (found !== null) histories.push(found);
    options.onProgress((index + 1) / series.length);
  }
  const facts = await readInstrumentFacts(db, needs.instruments, Date.parse(run.request.to));
  const unlisted = withoutListing(needs.listings, facts, Date.parse(run.request.from));
  if (unlisted.length > 0)
    return noHistory(
      `Whether ${unlisted.slice(0, 5).join(', ')}${unlisted.length > 5 ? ` and ${unlisted.length - 5} more` : ''} was listed on ${run.request.from.slice(0, 10)} is not known: the venue states no opening time, and this service first read it later. Begin later, or remove the condition.`,
    );
  const signals = await readRecordedSignals(db, options.accountId, signalsOf(run.request, needs));
  const visual = withMembers(run.visual, run.request.members ?? null);
  return { input: { ...run, visual, facts, histories, signals }, quotes };
}

const noHistory = (message: string, cause?: unknown): NotGathered => ({
  failure: { code: 'no_history', message },
  cause,
});

/** Fetches instruments that are new here, once; returns those that no venue knows. */
async function learnInstruments(
  { instruments }: RunDataNeeds,
  { db, market, signal }: GatherOptions,
): Promise<string[]> {
  const known = new Set(
    (await readInstrumentFacts(db, instruments, 0)).map(({ instrument }) => instrument.token_id),
  );
  const instrument = (tokenId: string) => market.instrument(tokenId, { priority: 'background' });
  const missing: string[] = [];
  for (const tokenId of instruments) {
    signal.throwIfAborted();
    if (known.has(tokenId)) continue;
    if ((await freshInstrument(db, { instrument }, tokenId)) === null) missing.push(tokenId);
  }
  return missing;
}

/** Returns a history; null if it is missing and optional; a sentence about the missing part if it is required. */
async function historyOf(
  need: SeriesNeed,
  { request }: Pick<BacktestTask['input'], 'request'>,
  { accountId, db, importHistory, historyArchive, signal }: GatherOptions,
): Promise<History | string | null> {
  const read = () => readHistory(db, need.key, need, { isShared: true, archive: historyArchive, signal });
  let found = await read();
  if (found === null || found.missing.length > 0) {
    await fetched({ ...need, accountId }, importHistory, signal);
    found = await read();
  }
  const lacking = lackingOf(need, found, Date.parse(request.from));
  return lacking === null || need.isOptional ? found : lacking;
}

/** Fetches history from its venue; missing optional history is no error. */
async function fetched(
  need: SeriesNeed & { accountId: string },
  importHistory: ImportMissingHistory,
  signal: AbortSignal,
): Promise<void> {
  try {
    await importHistory(need, signal);
  } catch (error) {
    const isRefused = error instanceof VenueError || error instanceof HistoryLimitReached;
    if (!need.isOptional || !isRefused) throw error;
  }
}

/** The venue may not have published its last rows yet. */
const LATE_ROWS = 2;

/** Names the missing part within the run's own range; missing warm-up history is no error. */
function lackingOf({ key, toMs }: SeriesNeed, found: History | null, fromMs: number): string | null {
  const what = `${key.kind} history of ${key.tokenId} every ${key.resolutionMs / 1_000} s`;
  if (found === null) return `There is no ${what}, and its venue has none any more.`;
  const [first] = found.missing
    .map((range) => ({ fromMs: Math.max(range.fromMs, fromMs), toMs: Math.min(range.toMs, toMs) }))
    .filter((range) => range.toMs - range.fromMs > LATE_ROWS * key.resolutionMs);
  if (first === undefined) return null;
  const iso = (ms: number) => new Date(ms).toISOString();
  return `There is no ${what} from ${iso(first.fromMs)} to ${iso(first.toMs)}, and its venue has none any more.`;
}

function coveredBy({ key, rows, gaps, hash, source }: History): CoveredSeries {
  const { openTimeMs, closeTimeMs } = rows.columns;
  const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  const last = closeTimeMs.at(-1);
  return {
    ...key,
    from: iso(openTimeMs[0]),
    to: iso(last === undefined ? undefined : last + 1),
    rows: rows.count,
    gaps: gaps.length,
    hash,
    source,
  };
}
