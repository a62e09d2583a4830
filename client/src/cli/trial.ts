/** Backtests of a change: the graph that is stored and the one in the file, over the same recent history. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Outputs } from '../client.ts';
import { problemOf } from '../refusal.ts';

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
type Trial = { id: string | null; figures: Figures | null; failure: string | null };
/** `before` is null for a strategy that does not exist yet. */
export type TrialComparison = { days: number; before: Trial | null; after: Trial };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const POLL_MS = 1_000;
const POLLS_MAX = 600;

type Range = { from: string; to: string };
type Waiting = { signal: AbortSignal; pollMs?: number };

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
    return { id, figures: null, failure: `It takes longer than ${(POLLS_MAX * pollMs) / 1_000} s.` };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    return { id: null, figures: null, failure: `${problem.message} (${problem.code})` };
  }
}

function trialOf({ id, status, result, failure }: Backtest): Trial {
  if (result === null) return { id, figures: null, failure: failure?.message ?? `It is ${status}.` };
  const { statistics, verdicts } = result;
  const figures = {
    netProfit: statistics.netProfit,
    maxDrawdown: statistics.maxDrawdown?.share ?? null,
    exposure: statistics.exposure.value,
    closedTrades: statistics.trades.closed,
    fees: statistics.trades.fees,
    warnings: verdicts.filter(({ severity }) => severity !== 'info').length,
  };
  return { id, figures, failure: null };
}

/** Lines that set both runs side by side. */
export function trialTable({ days, before, after }: TrialComparison): string[] {
  const failed = [before, after].flatMap((each) =>
    each?.failure ? [`backtest over ${days} days: ${each.failure}`] : [],
  );
  const { figures } = after;
  if (figures === null) return failed;
  const names = Object.keys(figures) as (keyof Figures)[];
  const lines = names.map((name) => {
    const old = before?.figures?.[name];
    return `${name}: ${old === undefined ? '' : `${old ?? '–'} -> `}${figures[name] ?? '–'}`;
  });
  return [...failed, `backtest over ${days} days:`, ...lines];
}
