import type { BacktestPhase } from '../../../db/entities/backtest.ts';
import type { BacktestHeartbeat } from '../../../engine/research/backtests/queue.ts';
import type { BacktestProgress } from '../../../engine/research/playback/input.ts';

/** For each phase: the percentage of the whole run before it, and its own. */
const SHARES: Readonly<Record<BacktestPhase, readonly [before: number, own: number]>> = {
  history: [0, 10],
  running: [10, 60],
  checks: [70, 28],
  writing: [98, 2],
};

/** Follows the progress of a run. */
export class RunProgressTracker {
  readonly #clock: () => number;
  #phase: BacktestPhase = 'history';
  #share = 0;
  #last: BacktestProgress | null = null;
  #beganMs: number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#beganMs = clock();
  }

  enter(phase: BacktestPhase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#share = 0;
    if (phase === 'running') this.#beganMs = this.#clock();
  }

  /** A share of the phase, 0 to 1. */
  setShare(share: number): void {
    this.#share = share;
  }

  record(progress: BacktestProgress): void {
    this.enter(progress.phase);
    this.#share = progress.share;
    this.#last = progress;
  }

  beat(): BacktestHeartbeat {
    const [before, own] = SHARES[this.#phase];
    const percent = before + own * Math.min(1, Math.max(0, this.#share));
    const elapsedSec = (this.#clock() - this.#beganMs) / 1_000;
    const isMeasured = this.#last !== null && elapsedSec > 0 && percent > SHARES.running[0];
    const done = percent - SHARES.running[0];
    const left = 100 - percent;
    return {
      phase: this.#phase,
      progress: {
        percent: Math.round(percent * 10) / 10,
        evaluations: this.#last?.evaluations ?? 0,
        evaluationsPerSec: isMeasured ? Math.round((this.#last?.evaluations ?? 0) / elapsedSec) : 0,
        etaSec: isMeasured ? Math.ceil((elapsedSec * left) / done) : null,
        simulatedAt: this.#last === null ? null : new Date(this.#last.simulatedAtMs).toISOString(),
      },
    };
  }
}
