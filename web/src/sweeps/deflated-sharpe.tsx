import type { SweepOutline } from '../api/row-types.ts';
import { share } from '../format/number.ts';
import { t } from '../language/language.ts';

type Best = NonNullable<SweepOutline['best']>;
type Ratio = Best['deflatedSharpe'];

const DEFLATED_MIN = 0.95;
const OVERFITTING_MAX = 0.2;

const ratioWords = ({ value }: Ratio): string => (value === null ? t('unknown') : share(value));

/** How likely the best of many is more than luck; marked if it is not likely enough. */
export const DeflatedSharpe = ({ of: ratio }: { of: Ratio }) => (
  <span className={ratio.value !== null && ratio.value >= DEFLATED_MIN ? undefined : 'warn'}>
    {ratioWords(ratio)}
  </span>
);

/** How likely the best of the known data is poor on later data. */
export const Overfitting = ({ of: ratio }: { of: Ratio }) => (
  <span className={ratio.value !== null && ratio.value <= OVERFITTING_MAX ? undefined : 'warn'}>
    {ratioWords(ratio)}
  </span>
);
