import { shortToken } from './number.ts';

const PAIR = /^([A-Z0-9]{2,10}?)(USDT|USDC|FDUSD|USD|EUR|GBP|TRY|BTC|ETH|BNB)$/;

/** An instrument's name where only its id is known: `BTC/USDT` of a pair, as the service titles it, else the short id. */
export const tokenName = (tokenId: string): string => {
  const [, base, quote] = PAIR.exec(tokenId) ?? [];
  return base && quote ? `${base}/${quote}` : shortToken(tokenId);
};
