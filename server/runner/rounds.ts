export type Rounds = {
  /** There is something to do: do not wait for the next round. */
  nudge(): void;
  /** No further round; resolves once the one under way is done. */
  stop(): Promise<void>;
};

/**
 * Runs `round`, which does not throw, again and again: `periodMs` after the last one ended or as soon as it is nudged,
 * one at a time.
 */
export function startRounds(round: () => Promise<void>, periodMs: number): Rounds {
  let stopped = false;
  let nudged = false;
  let wake: () => void = () => {};

  async function pause(): Promise<void> {
    if (nudged || stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, periodMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!stopped) {
      nudged = false;
      await round();
      await pause();
    }
  }

  const running = run();
  return {
    nudge() {
      nudged = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
