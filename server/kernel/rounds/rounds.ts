import { pauseRound, type Resting } from './rest.ts';

export type Rounds = {
  /** There is work: starts the next round at once. */
  nudge(): void;
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
  resting: Resting | null = null,
): Rounds {
  let stopped = false;
  /** Aborts when the pause before the next round is to end. */
  let nudged = new AbortController();

  async function run(): Promise<void> {
    while (!stopped) {
      nudged = new AbortController();
      await round();
      if (!stopped) await pauseRound(periodMs, nudged.signal, resting);
    }
  }

  const running = run();
  return {
    nudge() {
      nudged.abort();
    },
    async stop() {
      stopped = true;
      nudged.abort();
      await running;
    },
  };
}
