import type { DifferenceKind } from '../../../../db/vocabulary.ts';
import { Exact, exact, ZERO } from '../../../platform/decimal.ts';
import type { Finding } from '../../connections/states.ts';

/** An open difference, with its kind and the time since when it has that kind. */
export type OpenDifference = {
  readonly kind: DifferenceKind;
  readonly worth: Exact | null;
  readonly since: Date;
};

/** The state code of a connection that differs too much. */
export const UNEXPLAINED = 'unexplained_difference';
/** Maximum duration of a grave difference before entries stop. */
const LASTS_MS = 60_000;
/** Tolerance: the greater of an amount in USD and a fraction of the equity. */
const WORTH_MIN = exact('1');
const OF_EQUITY = exact('0.005');
/** Kinds of differences that orders of this service do not explain. */
const GRAVE: ReadonlySet<DifferenceKind> = new Set(['unexplained', 'external_fill', 'netting']);

/** Returns a finding that stops entries if differences unexplained for a minute exceed the tolerance. Pure. */
export function differenceFindingOf(
  open: readonly OpenDifference[],
  equity: Exact,
  now: Date,
): Extract<Finding, { kind: 'impaired' }> | null {
  const grave = open.filter(
    ({ kind, since }) => GRAVE.has(kind) && now.getTime() - since.getTime() >= LASTS_MS,
  );
  const tolerance = Exact.max(WORTH_MIN, equity.times(OF_EQUITY));
  const worth = grave.reduce((sum, each) => sum.plus(each.worth ?? ZERO), ZERO);
  const isUntold = grave.some((each) => each.worth === null);
  if (!isUntold && worth.lte(tolerance)) return null;
  const amount = isUntold ? 'an unknown amount' : `${worth.toDecimalPlaces(2).toFixed()} USD`;
  return {
    kind: 'impaired',
    code: UNEXPLAINED,
    reason: `The venue and the books differ by ${amount}. Look at the differences of the connection.`,
  };
}
