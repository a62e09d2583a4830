import { exact } from '../../../platform/decimal.ts';
import { BacktestError } from '../backtest-error.ts';
import type { BacktestRequest } from '../request.ts';
import type { BacktestSummary, SensitivityRow } from '../result.ts';

/** How the run was played. `isOfVolumes`: a share of recorded volumes limits every order. */
type Played = { readonly pace: BacktestSummary['pace']; readonly isOfVolumes: boolean };

/** A request with one assumption changed; null if the run already has that value, or does not depend on it. */
type Change = (request: BacktestRequest, played: Played) => BacktestRequest | null;

const withFills = (request: BacktestRequest, fills: Partial<BacktestRequest['fills']>): BacktestRequest => ({
  ...request,
  fills: { ...request.fills, ...fills },
});

/**
 * A part of the volume on offer. Orders larger by this factor would meet the same, at the same prices: the loss shows
 * the limit of a strategy's capacity. Recorded quotes show sizes of their own.
 */
const withVolume = (
  request: BacktestRequest,
  { isOfVolumes }: Played,
  parts: number,
): BacktestRequest | null =>
  request.fills.liquidity === 'unlimited' || !isOfVolumes
    ? null
    : withFills(request, { share: exact(request.fills.share).div(parts).toFixed() });

/** One change for each assumption of which the request has a say. */
const CHANGES: Readonly<Record<SensitivityRow['change'], Change>> = {
  no_fees: (request) => (request.fees === 'none' ? null : { ...request, fees: 'none' }),
  no_spread: (request) =>
    Number(request.fills.halfSpread) === 0 ? null : withFills(request, { halfSpread: '0' }),
  no_latency: (request) => (request.fills.latencyMs === 0 ? null : withFills(request, { latencyMs: 0 })),
  one_more_tick: (request) => withFills(request, { slippageTicks: request.fills.slippageTicks + 1 }),
  any_amount: (request) =>
    request.fills.liquidity === 'unlimited' ? null : withFills(request, { liquidity: 'unlimited' }),
  half_volume: (request, played) => withVolume(request, played, 2),
  tenth_of_volume: (request, played) => withVolume(request, played, 10),
  other_path: (request, { pace }) => (pace === 'path' ? { ...request, seed: request.seed + 1 } : null),
};

type Outcome = { readonly equity: string; readonly trades: number };

/**
 * Runs the strategy once for each assumption with that one changed, and states by how much the result differs. A run that is too
 * large is left out. Null if one was canceled.
 */
export function sensitivityOf(
  request: BacktestRequest,
  played: Played,
  equity: string,
  play: (request: BacktestRequest) => Outcome | null,
): SensitivityRow[] | null {
  const rows: SensitivityRow[] = [];
  for (const [change, changedBy] of Object.entries(CHANGES)) {
    const changed = changedBy(request, played);
    if (changed === null) continue;
    const outcome = unlessTooLarge(() => play(changed));
    if (outcome === null) return null;
    if (outcome === 'too_large') continue;
    rows.push({
      change: change as SensitivityRow['change'],
      difference: exact(outcome.equity).minus(equity).toFixed(),
      trades: outcome.trades,
    });
  }
  return rows;
}

/** A run that passed its limits is not discarded because one of these repetitions does not. */
function unlessTooLarge<Result>(play: () => Result): Result | 'too_large' {
  try {
    return play();
  } catch (error) {
    if (error instanceof BacktestError && error.code === 'too_large') return error.code;
    throw error;
  }
}
