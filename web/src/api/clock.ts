/** The clock of the service: ages and countdowns are right also on a computer whose own clock is wrong. */

/** Answers take up to this long, and their time is in whole seconds: a smaller difference says nothing. */
const TOLERANCE_MS = 5_000;
let aheadMs = 0;

/** Learns how far the service is ahead of this browser, from the `Date` of an answer. */
export function learnServiceTime(date: string | null): void {
  const differenceMs = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(differenceMs)) aheadMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0;
}

/** An instant of this browser's clock, or now, by the service's clock, in epoch ms. */
export const serviceMs = (browserMs: number = Date.now()): number => browserMs + aheadMs;

export const serviceNow = (): Date => new Date(serviceMs());
