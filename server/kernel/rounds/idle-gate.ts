import { setTimeout as sleep } from 'node:timers/promises';

/** Kinds of rounds, by their work. */
export type RoundKind =
  | 'orders'
  | 'books'
  | 'losses'
  | 'market'
  | 'shards'
  | 'ledger'
  | 'connections'
  | 'comparing'
  | 'notifications'
  | 'jobs'
  | 'imports';

/** Whether rounds of a kind have work, and when they have work again. */
export type IdleGate = {
  isAwake(kind: RoundKind): boolean;
  /** Resolves once rounds of this kind are awake, after a long while, or when the signal aborts. */
  over(kind: RoundKind, signal: AbortSignal): Promise<void>;
};

/** Never at rest: rounds continue at their own pace, with or without work. */
export const ALWAYS_AWAKE: IdleGate = { isAwake: () => true, over: async () => {} };

/** A kind of rounds, and the source of its rest. */
export type IdleOptions = {
  readonly idle: IdleGate;
  readonly kind: RoundKind;
  /** Called when a rest begins. */
  readonly onRest?: () => Promise<void>;
};

/** Waits for the next round: for its period, and at rest for work. Ends when the signal aborts. */
export async function pauseRound(
  periodMs: number,
  signal: AbortSignal,
  resting: IdleOptions | null = null,
): Promise<void> {
  await sleep(Math.max(0, periodMs), undefined, { signal }).catch(() => {});
  if (resting === null || signal.aborted || resting.idle.isAwake(resting.kind)) return;
  await resting.onRest?.();
  await resting.idle.over(resting.kind, signal);
}
