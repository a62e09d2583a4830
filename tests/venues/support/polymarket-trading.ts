/** An order, an instrument and a wallet of venue B, as inputs of its trading code. */
import type { BrokerOrder, TradedInstrument } from '../../../venues/broker.ts';
import { PolymarketRequest, prepareOrder, type Wallet } from '../../../venues/polymarket/trading/order.ts';
import { OrderSigner } from '../../../venues/polymarket/trading/sign.ts';

export const TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
export const OTHER_TOKEN = '52114319501245915516055106046884209969926127482827954674443846427813813222426';
export const MARKET = `0x${'dd'.repeat(32)}`;
export const NOW = new Date('2026-11-22T10:00:00.000Z');

/** The public key of local Ethereum chains. */
export const SIGNER = new OrderSigner('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

export const WALLET: Wallet = {
  environment: 'demo',
  address: '0x1111111111111111111111111111111111111111',
  signatureType: 3,
  isSession: true,
};

export const buyOf = (changes: Partial<BrokerOrder> = {}): BrokerOrder => ({
  accountId: 'account-1',
  mode: 'live',
  id: '018f3c1e-1111-7000-8000-000000000001',
  tokenId: TOKEN,
  venue: 'venue-b',
  side: 'buy',
  timeInForce: 'gtc',
  amount: '10',
  limitPrice: '0.6',
  validUntil: new Date(NOW.getTime() + 30_000),
  goodTill: null,
  ...changes,
});

export const instrumentOf = (changes: Partial<TradedInstrument> = {}): TradedInstrument => ({
  tokenId: TOKEN,
  venue: 'venue-b',
  kind: 'outcome',
  market: MARKET,
  outcome: 'Yes',
  contract: 'standard',
  tickSize: '0.01',
  priceRanges: [{ start: '0.01', end: '0.99', step: '0.01' }],
  stepSize: '0.01',
  minSize: '5',
  minNotional: '1',
  feeSchedule: { formula: 'probability', takerRate: '0.05', makerRate: '0', exponent: 1, roundUpTo: null },
  status: 'open',
  ...changes,
});

/** The request of an order, and the order's id before it leaves. */
export function prepared(changes: Parameters<typeof buyOf>[0] = {}) {
  const preparation = prepareOrder(buyOf(changes), instrumentOf(), WALLET, SIGNER.address, NOW);
  if (preparation.kind === 'refused') throw new Error(preparation.reason);
  const { request, venueOrderId } = preparation.prepared;
  return { request: PolymarketRequest.parse(request), id: venueOrderId ?? '' };
}
