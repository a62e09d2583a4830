import { type SentKind, type Switches, switchOf, TEST_KIND } from './kinds.ts';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

/** Rules that decide whether a channel is notified, and when. */
export type ChannelRules = {
  readonly switches: Switches;
  readonly quietHours: QuietHours | null;
};

/** Returns the earliest time to notify a channel of a kind; null: never. Pure. */
export function earliestNotifyAt(
  { switches, quietHours }: ChannelRules,
  kind: SentKind,
  now: Date,
): Date | null {
  if (kind === TEST_KIND) return now;
  const setting = switchOf(switches, kind);
  if (setting === 'off') return null;
  return (setting === 'always' ? null : quietUntil(quietHours, now)) ?? now;
}
