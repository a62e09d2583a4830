/**
 * Token ids of venue B's simulated markets. They have the venue's form (77 digits) and begin with the market's position. So a
 * token of any time can be found without a list; the rest is a digest that rejects invented ids.
 */
import { createHash } from 'node:crypto';
import type { SimMarket } from './event.ts';
import type { Catalogue } from './event-series.ts';

const LENGTH = 77;
/** Series code, event number, row, outcome. */
const TOKEN_FORM = /^([1-9]\d)(\d{12})(\d{2})([01])/;
/** Keeps the code at two digits without a zero in front. */
const CODE_OFFSET = 10;

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

export type TokenSide = {
  market: SimMarket;
  outcome: 0 | 1;
};

export function tokenOf(catalogue: Catalogue, market: SimMarket, outcome: 0 | 1): string {
  const { code, index, row } = catalogue.positionOf(market);
  const prefix = `${digits(code + CODE_OFFSET, 2)}${digits(index, 12)}${digits(row, 2)}${outcome}`;
  const digest = BigInt(`0x${digestOf(`${market.id}/${outcome}`)}`).toString();
  return (prefix + digest.padStart(LENGTH, '7')).slice(0, LENGTH);
}

/** The market of a token and which side it is, or null where there is no such token. */
export function findToken(catalogue: Catalogue, token: string): TokenSide | null {
  const [, code, index, row, side] = TOKEN_FORM.exec(token) ?? [];
  const market = catalogue.marketAt(Number(code) - CODE_OFFSET, Number(index), Number(row));
  if (market === null) return null;
  const outcome = side === '1' ? 1 : 0;
  return tokenOf(catalogue, market, outcome) === token ? { market, outcome } : null;
}

/** The condition id of a market: 32 bytes in hex. */
export const conditionOf = (market: SimMarket): string => `0x${digestOf(market.id)}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
