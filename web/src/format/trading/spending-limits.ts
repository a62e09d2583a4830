import type { Outputs } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { usd } from '../number.ts';

export type SpendingLimits = NonNullable<Outputs['agentKeys']['list'][number]['envelope']>;

/** Spending limits as typed: empty texts and lists set no limit. */
export type SpendingLimitsEntry = {
  maxOrder: string;
  maxDay: string;
  blueprintIds: readonly string[];
  alwaysApprove: boolean;
  allowsUntried: boolean;
};

export const NO_SPENDING_LIMITS: SpendingLimitsEntry = {
  maxOrder: '',
  maxDay: '',
  blueprintIds: [],
  alwaysApprove: false,
  allowsUntried: false,
};

/** The fault of typed spending limits, or null. Live keys need a largest order. */
export function spendingLimitsFault(
  { maxOrder, maxDay }: SpendingLimitsEntry,
  isLive: boolean,
): string | null {
  if (isLive && maxOrder.trim() === '') return t('A key for real money needs a largest buy.');
  const isAmount = (typed: string) => typed.trim() === '' || Number(typed) > 0;
  return isAmount(maxOrder) && isAmount(maxDay) ? null : t('Amounts are above 0, or left empty.');
}

/** The typed limits in the form that is sent. */
export const enteredSpendingLimits = ({
  maxOrder,
  maxDay,
  blueprintIds,
  alwaysApprove,
  allowsUntried,
}: SpendingLimitsEntry): SpendingLimits => ({
  ...(maxOrder.trim() !== '' && { maxOrder: Number(maxOrder) }),
  ...(maxDay.trim() !== '' && { maxDay: Number(maxDay) }),
  ...(blueprintIds.length > 0 && { blueprintIds: [...blueprintIds] }),
  ...(alwaysApprove && { alwaysApprove }),
  ...(allowsUntried && { allowsUntried }),
});

/** `buys to $20.00, $100.00 a day, 2 blueprints, always approved`; empty without limits. */
export function spendingLimitsWords(limits: SpendingLimits | null): string {
  if (limits === null) return '';
  const { maxOrder, maxDay, blueprintIds, alwaysApprove, allowsUntried } = limits;
  return [
    maxOrder === undefined ? null : t('buys to {maxOrder}', { maxOrder: usd(maxOrder) }),
    maxDay === undefined ? null : t('{maxDay} a day', { maxDay: usd(maxDay) }),
    blueprintIds === undefined
      ? null
      : t('{blueprintIds, plural, one {# strategy} other {# strategies}}', {
          blueprintIds: blueprintIds.length,
        }),
    alwaysApprove === undefined ? null : t('always approved'),
    allowsUntried === undefined ? null : t('also what was not on paper'),
  ]
    .filter((each) => each !== null)
    .join(', ');
}
