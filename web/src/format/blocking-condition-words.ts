import { serviceMs, serviceNow } from '../api/clock.ts';
import { t } from '../language/language.ts';
import { fineShare } from './number.ts';
import { relativeTime } from './time.ts';

type Next = { action: string; condition: string; away: number | null; isMet: boolean; dueAt?: number };

/** `Buy if EMA 9 > EMA 21, 0.04% away`, or `Buy in 33 s`. */
export function blockingConditionWords({ action, condition, away, isMet, dueAt }: Next): string {
  if (!isMet && dueAt !== undefined && dueAt > serviceMs())
    return t('{action} {when}', { action, when: relativeTime(new Date(dueAt), serviceNow()) });
  if (isMet) return t('{action}: {condition} holds', { action, condition });
  return away === null
    ? t('{action} if {condition}', { action, condition })
    : t('{action} if {condition}, {away} away', { action, condition, away: fineShare(away) });
}
