import { t } from '../../language/language.ts';
import { amount } from '../number.ts';
import { shortName } from '../short-name.ts';
import { priceAt, type VenueName } from './venue.ts';

type Described = {
  side: 'buy' | 'sell';
  amount: number;
  title: string;
  venue: VenueName;
  limitPrice: number;
  tokenId: string;
};

/** The outcome of a venue A token, which its title leaves out. */
export const outcomeOf = (tokenId: string): string => /:(yes|no)$/.exec(tokenId)?.[1]?.toUpperCase() ?? '';

/** An instrument's title, with the outcome it is of. */
export const outcomeTitleOf = ({ tokenId, title }: { tokenId: string; title: string }): string =>
  `${outcomeOf(tokenId)} ${title}`.trim();

/** `0.00103 BTC/USDT`, `250 YES Fed cut in December`: amount and instrument, short enough for a button. */
export const quantityOf = (quantity: number, instrument: Pick<Described, 'tokenId' | 'title'>): string =>
  `${amount(quantity)} ${shortName(outcomeTitleOf(instrument))}`;

/** `buy 250 YES Fed cut in December at up to 42.5¢`. */
export function describeOrder({
  side,
  amount: quantity,
  title,
  venue,
  limitPrice,
  tokenId,
}: Described): string {
  const values = {
    amount: amount(quantity),
    what: outcomeTitleOf({ tokenId, title }),
    price: priceAt(venue, limitPrice),
  };
  return side === 'buy'
    ? t('buy {amount} {what} at up to {price}', values)
    : t('sell {amount} {what} at no less than {price}', values);
}

/** `bought 250 YES Fed cut in December at 41.8¢`: what a filled order did. */
export function describeFilled(order: Described & { averagePrice: number | null }): string {
  const { side, amount: quantity, averagePrice, venue } = order;
  if (averagePrice === null) return describeOrder(order);
  const values = {
    amount: amount(quantity),
    what: outcomeTitleOf(order),
    price: priceAt(venue, averagePrice),
  };
  return side === 'buy'
    ? t('bought {amount} {what} at {price}', values)
    : t('sold {amount} {what} at {price}', values);
}

/** The blueprint of buys by hand, as the service names it. */
export const BY_HAND_ID = '00000000-0000-0000-0000-000000000000';

type Origin = {
  blueprintId: string;
  blueprintName: string;
  nodeId: string | null;
  nodeLabel: string | null;
};

/** `Dip buyer · Buy 60 USD`: the strategy and the node that raised an order, or that a person or key did. */
export const originWords = ({ blueprintId, blueprintName, nodeId, nodeLabel }: Origin): string =>
  blueprintId === BY_HAND_ID
    ? t('By hand')
    : nodeId === null
      ? t('{name}, by hand', { name: blueprintName })
      : `${blueprintName} · ${nodeLabel ?? nodeId}`;

/** An order's side, as a sentence; an unknown one of a newer server stays as received. */
export const sideWords = (side: string): string =>
  side === 'buy' ? t('buy') : side === 'sell' ? t('sell') : side;

/** The node values and facts that led to an order; none of an order that no node raised. */
export const decisionInputs = (inputs: unknown): readonly unknown[] =>
  typeof inputs === 'object' && inputs !== null && 'inputs' in inputs && Array.isArray(inputs.inputs)
    ? inputs.inputs
    : [];

type Traded = { size: number; filledAmount: number; averagePrice: number | null };

/** The notional of an order: what it was filled for once it has ended, and until then what it was checked with. */
export const notionalOf = ({ size, filledAmount, averagePrice }: Traded, isEnded: boolean): number =>
  isEnded && averagePrice !== null ? filledAmount * averagePrice : size;

type Limited = { type: 'market' | 'limit'; side: 'buy' | 'sell' };

/** The name of the worst acceptable price: a market order has no limit of its own, but the end of its price band. */
export const limitWords = ({ type, side }: Limited): string =>
  type === 'limit' ? t('Limit') : side === 'buy' ? t('Price cap') : t('Price floor');

/** `nodeLabels` is absent in the answer of an older process while the service is upgraded. */
export type Labelled = { nodeLabels?: readonly { nodeId: string; label: string }[] | undefined };

/** The label of a node in the release of an order, else its id. */
export const nodeNameOf = ({ nodeLabels }: Labelled, id: string): string =>
  nodeLabels?.find(({ nodeId }) => nodeId === id)?.label ?? id;
