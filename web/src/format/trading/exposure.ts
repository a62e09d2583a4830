import { t } from '../../language/language.ts';
import { share, usd } from '../number.ts';

/** A holding in USD and its share of the equity. An account without equity has no shares. */
export const exposureWords = (worth: number, equity: number): string =>
  equity > 0
    ? t('{worth} · {worth2} of equity', { worth: usd(worth), worth2: share(worth / equity) })
    : usd(worth);
