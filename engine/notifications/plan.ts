import { type SentKind, type Switches, switchOf, TEST_KIND } from './kinds.ts';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

/** What decides whether a channel is told, and when. */
export type ChannelRules = {
  readonly switches: Switches;
  readonly quietHours: QuietHours | null;
};

/** When a channel is told of a kind at the earliest; null: not at all. Pure. */
export function toldFrom({ switches, quietHours }: ChannelRules, kind: SentKind, now: Date): Date | null {
  if (kind === TEST_KIND) return now;
  const setting = switchOf(switches, kind);
  if (setting === 'off') return null;
  return (setting === 'always' ? null : quietUntil(quietHours, now)) ?? now;
}
