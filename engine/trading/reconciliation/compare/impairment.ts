import type { DifferenceKind } from '../../../../db/vocabulary.ts';
import { Decimal, type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import type { Finding } from '../../connections/states.ts';

/** A difference that is open, and since when it is what it is. */
export type OpenDifference = {
  readonly kind: DifferenceKind;
  readonly worth: Exact | null;
  readonly since: Date;
};

/** The state code of a connection that differs too much. */
export const UNEXPLAINED = 'unexplained_difference';
/** How long it may last. */
const LASTS_MS = 60_000;
/** Up to the greater of both the books are near enough: USD, and of the equity. */
const WORTH_MIN = exact('1');
const OF_EQUITY = exact('0.005');
/** What moved the account by other hands, or by nobody's. */
const GRAVE: ReadonlySet<DifferenceKind> = new Set(['unexplained', 'external_fill', 'netting']);

/** Whether a connection has to stop entering, for what nobody could explain of it for a minute. Pure. */
export function impairment(
  open: readonly OpenDifference[],
  equity: Exact,
  now: Date,
): Extract<Finding, { kind: 'impaired' }> | null {
  const grave = open.filter(
    ({ kind, since }) => GRAVE.has(kind) && now.getTime() - since.getTime() >= LASTS_MS,
  );
  const tolerance = Decimal.max(WORTH_MIN, equity.times(OF_EQUITY));
  const worth = grave.reduce((sum, each) => sum.plus(each.worth ?? ZERO), ZERO);
  const isUntold = grave.some((each) => each.worth === null);
  if (!isUntold && worth.lte(tolerance)) return null;
  const amount = isUntold ? 'an amount nobody can tell' : `${worth.toDecimalPlaces(2).toFixed()} USD`;
  return {
    kind: 'impaired',
    code: UNEXPLAINED,
    reason: `The venue and the books differ by ${amount}. Look at the differences of the connection.`,
  };
}
