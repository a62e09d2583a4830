/** Trading pauses of a venue: it reports that it accepts no orders from any account for a while. Pure. */
import type { Finding } from './states.ts';

/** Refusal codes of which one is enough to detect a pause. */
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

/** Whether the finding is a venue pause. */
export const isVenuePause = (finding: Finding | null): boolean =>
  finding?.kind === 'impaired' && finding.code === VENUE_PAUSED.code;
