/** Backtests of a change: the graph that is stored and the one in the file, over the same recent history. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Outputs } from '../client.ts';
import { problemOf } from '../refusal.ts';
import { UsageError } from './io.ts';

type Backtest = Outputs['backtests']['read'];
type Figures = {
  netProfit: number;
  maxDrawdown: number | null;
  exposure: number | null;
  closedTrades: number;
  fees: number;
  /** Verdicts that invalidate the result, or may. */
  warnings: number;
};
/** One run: its figures (USD, drawdown and exposure as shares), or the reason why it has none. */
type Trial = {
  id: string | null;
  figures: Figures | null;
  /** Messages of these verdicts, to be read before the figures. */
  warnings: readonly string[];
  failure: string | null;
};
/** `before` is null for a strategy that does not exist yet. */
export type TrialComparison = { days: number; before: Trial | null; after: Trial };

const DAYS_MAX = 365;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const POLL_MS = 1_000;
const POLLS_MAX = 600;

type Range = { from: string; to: string };
type Waiting = { signal: AbortSignal; pollMs?: number };

/** Parses the value of an option that takes days. */
export function daysOf(option: string, value: string | boolean): number {
  const days = Number(value);
  if (Number.isInteger(days) && days >= 1 && days <= DAYS_MAX) return days;
  throw new UsageError(`${option} takes 1 to ${DAYS_MAX} days, not ${String(value)}.`);
}

/** Whole hours, so that the same plan within the hour uses the results of the first. */
export function recentRange(nowMs: number, days: number): Range {
  const toMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return { from: new Date(toMs - days * DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
}

/** Runs a graph over a range and waits for its end. What the service refuses is the reason, not an error. */
export async function tryGraph(
  client: Client,
  visual: unknown,
  range: Range,
  { signal, pollMs = POLL_MS }: Waiting,
): Promise<Trial> {
  try {
    const { id } = await client.backtests.start.mutate({ visual, ...range });
    for (let polls = 0; polls < POLLS_MAX; polls++) {
      const backtest = await client.backtests.read.query({ id });
      if (!['queued', 'running'].includes(backtest.status)) return trialOf(backtest);
      await sleep(pollMs, undefined, { signal });
    }
    return failed(id, `It takes longer than ${(POLLS_MAX * pollMs) / 1_000} s.`);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    return failed(null, `${problem.message} (${problem.code})`);
  }
}

function trialOf({ id, status, result, failure }: Backtest): Trial {
  if (result === null) return failed(id, failure?.message ?? `It is ${status}.`);
  const { statistics, verdicts } = result;
  const warnings = verdicts.filter(({ severity }) => severity !== 'info').map(({ message }) => message);
  const figures = {
    netProfit: statistics.netProfit,
    maxDrawdown: statistics.maxDrawdown?.share ?? null,
    exposure: statistics.exposure.value,
    closedTrades: statistics.trades.closed,
    fees: statistics.trades.fees,
    warnings: warnings.length,
  };
  return { id, figures, warnings, failure: null };
}

const failed = (id: string | null, failure: string): Trial => ({ id, figures: null, warnings: [], failure });

/** Lines that set both runs side by side. */
export function trialTable({ days, before, after }: TrialComparison): string[] {
  const failures = [before, after].flatMap((each) =>
    each?.failure ? [`backtest over ${days} days: ${each.failure}`] : [],
  );
  const { figures } = after;
  if (figures === null) return failures;
  const names = Object.keys(figures) as (keyof Figures)[];
  const lines = names.map((name) => {
    const old = before?.figures?.[name];
    return `${name}: ${old === undefined ? '' : `${old ?? '–'} -> `}${figures[name] ?? '–'}`;
  });
  return [...failures, `backtest over ${days} days:`, ...lines];
}
