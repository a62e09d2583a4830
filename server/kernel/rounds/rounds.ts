import { pauseRound, type Resting } from './rest.ts';

export type Rounds = {
  /** There is something to do: do not wait for the next round. */
  nudge(): void;
  /** No further round; resolves once the one under way is done. */
  stop(): Promise<void>;
};

/**
 * Runs `round`, which does not throw, again and again: `periodMs` after the last one ended or as soon as it is nudged,
 * one at a time. At rest the next one waits for something to do.
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
