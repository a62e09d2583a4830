import { kindOf } from '../../../../venues/port.ts';
import { isDollar } from '../../../../venues/trading.ts';

/**
 * Whether an instrument is quoted in dollars: by its stated currency, or by its name while that is not known. Outcomes always
 * are. Coins are if quoted in USDT or USDC; an ending of bare `USD` could belong to another coin: `BTCFDUSD`.
 */
export function isQuotedInDollars(tokenId: string, currency: string | undefined): boolean {
  if (currency !== undefined) return isDollar(currency);
  return kindOf(tokenId) !== 'spot' || /US(?:DT|DC)$/.test(tokenId);
}
