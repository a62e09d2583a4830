import { t } from '../../language/language.ts';
import { share, sharesOf, usd } from '../number.ts';
import { outcomeTitleOf } from './order.ts';

/** A holding in USD and its share of the equity. An account without equity has no shares. */
export const exposureWords = (worth: number, equity: number): string =>
  equity > 0
    ? t('{worth} · {worth2} of equity', { worth: usd(worth), worth2: share(worth / equity) })
    : usd(worth);

type Held = { tokenId: string; title: string; amount: number; markPrice: number | null };
type Part = { id: string; name: string | undefined; share: number };

export const CASH = 'cash';
/** More are one part. */
const NAMED_MAX = 5;
/** Less is what rounding leaves, USD. */
const PART_MIN = 0.005;

/** The value at the mark, USD; null while there is no mark: equity counts it as 0. */
export const marketValueOf = ({ amount, markPrice }: Pick<Held, 'amount' | 'markPrice'>): number | null =>
  markPrice === null ? null : amount * markPrice;

/** Returns the parts of the equity: the largest instruments, the others with settlements not yet paid out, and cash. */
export function allocationOf(
  positions: readonly Held[],
  { cash, equity }: { cash: number; equity: number },
): Part[] {
  const named = [...Map.groupBy(positions, ({ tokenId }) => tokenId)]
    .map(([id, held]) => ({
      id,
      name: held.map(outcomeTitleOf)[0],
      worth: held.reduce((sum, row) => sum + (marketValueOf(row) ?? 0), 0),
    }))
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, NAMED_MAX);
  const others = named.reduce((rest, { worth }) => rest - worth, equity - cash);
  const parts = [
    ...named,
    { id: 'others', name: t('Others'), worth: others },
    { id: CASH, name: t('Cash'), worth: cash },
  ].filter(({ worth }) => worth >= PART_MIN);
  const shares = sharesOf(parts.map(({ worth }) => worth));
  return parts.map(({ id, name }, index) => ({ id, name, share: shares[index] ?? 0 }));
}
