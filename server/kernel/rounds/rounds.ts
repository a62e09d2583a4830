import { type IdleOptions, pauseRound } from './idle-gate.ts';

export type Rounds = {
  /** There is work: starts the next round at once. */
  wake(): void;
  /** Stops; resolves once the round in progress is done. */
  stop(): Promise<void>;
};

/**
 * Runs `round`, which must not throw, repeatedly: `periodMs` after the last one ended or when woken, one at a time. At rest the
 * next one waits for work.
 */
export function startRounds(
  round: () => Promise<void>,
  periodMs: number,
  resting: IdleOptions | null = null,
): Rounds {
  let stopped = false;
  /** Aborts when the pause before the next round is to end. */
  let woken = new AbortController();

  async function run(): Promise<void> {
    while (!stopped) {
      woken = new AbortController();
      await round();
      if (!stopped) await pauseRound(periodMs, woken.signal, resting);
    }
  }

  const running = run();
  return {
    wake() {
      woken.abort();
    },
    async stop() {
      stopped = true;
      woken.abort();
      await running;
    },
  };
}
