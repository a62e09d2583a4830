import { amount } from './number.ts';
import { shortName } from './text.ts';
import { priceAt, type VenueName } from './venue.ts';

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

/** `0.00103 BTC/USDT`, `250 YES Fed cut in December`: how much of what, in the room a button has. */
export const quantityOf = (
  quantity: number,
  { tokenId, title }: Pick<Described, 'tokenId' | 'title'>,
): string => `${amount(quantity)} ${shortName(`${outcomeOf(tokenId)} ${title}`.trim())}`;

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
