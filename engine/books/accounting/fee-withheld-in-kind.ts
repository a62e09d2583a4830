import type { Side } from '../../../db/vocabulary.ts';
import { isDollar } from '../../../venues/trading.ts';
import { type Exact, exact, ZERO } from '../../platform/decimal.ts';

/**
 * The part of the bought coin that the venue withheld as its fee, and that is therefore not held. Zero where the fee was
 * charged in money or in another coin. Crypto instruments are named by coin and money, such as `BTCUSDT`. Pure.
 */
export function feeWithheldInKind(fill: {
  readonly side: Side;
  readonly tokenId: string;
  readonly feeAsset?: string | undefined;
  /** A decimal. */
  readonly feeAmount?: Exact | string | undefined;
}): Exact {
  const { side, tokenId, feeAsset, feeAmount } = fill;
  if (side === 'sell' || feeAsset === undefined || feeAmount === undefined) return ZERO;
  const isInKind = tokenId.startsWith(feeAsset) && isDollar(tokenId.slice(feeAsset.length));
  return isInKind ? exact(feeAmount) : ZERO;
}
