import { expect, test } from 'vitest';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { actionWords } from '../../web/src/editor/canvas/action-words.ts';
import type { Node } from '../../web/src/editor/drawing/model.ts';

const node = (id: string, type: string, config = {}): Node => ({
  id,
  type,
  position: { x: 0, y: 0 },
  data: { config },
});
const wire = (source: string, targetHandle: string) => ({
  id: source,
  source,
  target: 'act',
  sourceHandle: 'out',
  targetHandle,
});
const at = (value: number) => ({ status: 'ok', value, updatedAt: 0, firedCount: 0 }) as const;

const BTC = { instrument: 'BTCUSDT' };
const says = (type: string, config: object, amount?: Node, states = {}) =>
  actionWords(
    node('act', type, config),
    {
      nodes: [node('act', type, config), ...(amount ? [amount] : [])],
      edges: amount ? [wire(amount.id, 'amount')] : [],
    },
    states,
  );

test('an action says what it does in the words of a trader: side, amount, instrument and how', () => {
  const market = { ...BTC, side: 'buy', type: 'market' };
  expect(says('order', market)).toBe('Buy BTC/USDT at market');
  expect(says('order', market, node('a', 'constant', { value: 0.001 }))).toBe('Buy 0.001 BTC/USDT at market');
  expect(says('order', market, node('a', 'size', { mode: 'amount', amount: 2 }))).toBe(
    'Buy 2 BTC/USDT at market',
  );
  expect(says('order', { ...BTC, side: 'sell', type: 'limit' })).toBe('Sell BTC/USDT at a limit');
  expect(says('close', BTC)).toBe('Sell all BTC/USDT');
  expect(says('close', { ...BTC, fraction: 0.5 })).toBe('Sell 50% of BTC/USDT');
  expect(says('exit', { ...BTC, takeProfit: 0.004, stopLoss: 0.01 })).toBe(
    'Sell all BTC/USDT: profit 0.4%, loss 1%',
  );
  expect(says('target', { ...BTC, takeProfit: 0.2 })).toBe('Sell all BTC/USDT: profit 20%');
  expect(says('quote', { ...BTC, side: 'sell' })).toBe('Quote to sell BTC/USDT');
  expect(says('leg', { ...BTC, basket: 'pair' })).toBe('Leg of “pair”: buy BTC/USDT');
  expect(says('leg', { ...BTC, basket: 'pair', side: 'sell' })).toBe('Leg of “pair”: sell BTC/USDT');
  expect(says('notify', { text: 'RSI is down' })).toBe('“RSI is down”');
});

test('an amount is that of this moment; before the first, money stays money', () => {
  const market = { ...BTC, side: 'buy', type: 'market' };
  const size = node('a', 'size', { mode: 'notional', notional: 20 });
  expect(says('order', market, size)).toBe('Buy 20 USD of BTC/USDT at market');
  expect(says('order', market, size, { a: at(0.00024617) })).toBe('Buy 0.00024617 BTC/USDT at market');
});

test('a parameter is said by its name, and a node that lacks its settings, or does not act, says nothing', () => {
  expect(says('close', { instrument: { parameter: 'coins' } })).toBe('Sell all coins');
  expect(says('order', { ...BTC, side: 'buy' })).toBeNull();
  expect(says('order', { side: 'buy', type: 'market' })).toBeNull();
  expect(says('compare', BTC)).toBeNull();
  expect(says('constructor', BTC)).toBeNull();
});

test('every action of the catalogue has words', () => {
  const actions = describeCatalogue().filter(({ group }) => group === 'action');
  const config = { ...BTC, type: 'market', side: 'buy', takeProfit: 0.1, text: 'hello' };
  expect(actions.filter(({ type }) => !says(type, config))).toEqual([]);
});
