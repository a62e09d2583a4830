import { t } from '../language/language.ts';
import { fineShare } from './number.ts';

type Next = { action: string; condition: string; away: number | null; isMet: boolean };

/** `Buy if EMA 9 > EMA 21, 0.04% away`. */
export function blockingConditionWords({ action, condition, away, isMet }: Next): string {
  if (isMet) return t('{action}: {condition} holds', { action, condition });
  return away === null
    ? t('{action} if {condition}', { action, condition })
    : t('{action} if {condition}, {away} away', { action, condition, away: fineShare(away) });
}
