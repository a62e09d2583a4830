/** The clock of the service: ages and countdowns are right also on a computer whose own clock is wrong. */

/** Answers take up to this long, and their time is in whole seconds: a smaller difference says nothing. */
const TOLERANCE_MS = 5_000;
let aheadMs = 0;

/** One moment of this browser's two clocks. The steady one may stop while the computer sleeps, the other may be set. */
type Moment = { readonly wallMs: number; readonly steadyMs: number };

export const browserMoment = (): Moment => ({ wallMs: Date.now(), steadyMs: performance.now() });

/**
 * Learns from the `Date` of an answer how far the service is ahead of this browser. Ignores an answer that took longer than the
 * tolerance since `sent`.
 */
export function learnServiceTime(date: string | null, sent: Moment, received = browserMoment()): void {
  const differenceMs = Date.parse(date ?? '') - received.wallMs;
  const tookMs = [received.wallMs - sent.wallMs, received.steadyMs - sent.steadyMs];
  if (Number.isNaN(differenceMs) || tookMs.some((ms) => Math.abs(ms) > TOLERANCE_MS)) return;
  aheadMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0;
}

/** An instant of this browser's clock, or now, by the service's clock, in epoch ms. */
export const serviceMs = (browserMs: number = Date.now()): number => browserMs + aheadMs;

export const serviceNow = (): Date => new Date(serviceMs());
