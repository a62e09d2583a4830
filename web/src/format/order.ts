import { amount, priceAt, type VenueName } from './number.ts';

type Described = {
  side: 'buy' | 'sell';
  amount: number;
  title: string;
  venue: VenueName;
  limitPrice: number;
  tokenId: string;
};

/** The outcome a token of venue A stands for, which its title leaves out. */
export const outcomeOf = (tokenId: string): string => /:(yes|no)$/.exec(tokenId)?.[1]?.toUpperCase() ?? '';

/** `buy 250 YES Fed cut in December at up to 42.5¢`. */
export function describeOrder({
  side,
  amount: quantity,
  title,
  venue,
  limitPrice,
  tokenId,
}: Described): string {
  const outcome = outcomeOf(tokenId);
  const bound = side === 'buy' ? 'at up to' : 'at no less than';
  return `${side} ${amount(quantity)} ${outcome ? `${outcome} ` : ''}${title} ${bound} ${priceAt(venue, limitPrice)}`;
}
