/** A venue that takes no orders from anybody for a while, and says so. Pure. */
import type { Finding } from './states.ts';

/** Codes of refusals of which one is enough to know it. */
export const PAUSE_REFUSALS: ReadonlySet<string> = new Set([
  'trading_is_paused',
  'exchange_is_paused',
  'venue_restarting',
  'post_only_mode',
  'cancel_only',
  'trading_disabled',
]);

export const VENUE_PAUSED = {
  kind: 'impaired',
  code: 'venue_paused',
  reason: 'The venue takes no orders at the moment.',
} as const satisfies Finding;

/** Whether that is what was found of a connection. */
export const isPause = (finding: Finding | null): boolean =>
  finding?.kind === 'impaired' && finding.code === VENUE_PAUSED.code;
