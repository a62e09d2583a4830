import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';
import { templateGraph } from '../../engine/strategy/graph/templates/template-graph.ts';
import type { NewBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { pickTemplateInstruments } from '../../engine/usecases/blueprints/template-instruments.ts';
import type { MarketData } from '../../venues/port.ts';

/** Returns the examples as drafts, on instruments this market knows. */
export async function exampleDrafts(market: MarketData): Promise<NewBlueprint[]> {
  const instruments = await pickTemplateInstruments(market);
  return TEMPLATES.map(({ name, visual }) => ({ name, visual: visual(instruments) }));
}

/** Examples of coins, whose history every market has. */
export const BACKTESTED: ReadonlySet<string> = new Set(['Momentum on candles', 'Mean reversion by RSI']);

const CRYPTO = 'BTCUSDT';

/**
 * The blueprint that runs from the first start. It buys small amounts every minute, a larger one every five minutes that needs
 * approval, and exits at small profits. So a new user sees orders within minutes.
 */
export const firstRunningBlueprint: NewBlueprint = {
  name: 'First trades',
  visual: templateGraph(
    'Buys a little every minute; every five minutes a larger buy asks for your approval.',
    {
      minute: {
        type: 'schedule',
        label: 'Every minute',
        at: [0, 0],
        config: { mode: 'every', everySec: 60 },
      },
      often: { type: 'schedule', label: 'Every five', at: [0, 1], config: { mode: 'every', everySec: 300 } },
      small: {
        type: 'guard',
        label: 'Below the limit',
        at: [1, 0],
        config: { instrument: CRYPTO, maxPosition: 0.004 },
        inputs: { in: 'minute' },
      },
      large: {
        type: 'guard',
        label: 'Below the limit',
        at: [1, 1],
        config: { instrument: CRYPTO, maxPosition: 0.004 },
        inputs: { in: 'often' },
      },
      ask: { type: 'crypto.price', label: 'Ask', at: [0, 2], config: { symbol: CRYPTO, field: 'ask' } },
      twenty: {
        type: 'size',
        label: '20 USD',
        at: [1, 2],
        config: { mode: 'notional', notional: 20 },
        inputs: { price: 'ask' },
      },
      sixty: {
        type: 'size',
        label: '60 USD',
        at: [1, 3],
        config: { mode: 'notional', notional: 60 },
        inputs: { price: 'ask' },
      },
      buy: {
        type: 'order',
        label: 'Buy 20 USD',
        at: [2, 0],
        config: { instrument: CRYPTO, side: 'buy', type: 'market' },
        inputs: { when: 'small', amount: 'twenty' },
      },
      buy_more: {
        type: 'order',
        label: 'Buy 60 USD',
        at: [2, 1],
        config: { instrument: CRYPTO, side: 'buy', type: 'market' },
        inputs: { when: 'large', amount: 'sixty' },
      },
      exit: {
        type: 'exit',
        label: 'Take profit, stop loss',
        at: [2, 2],
        config: { instrument: CRYPTO, takeProfit: 0.004, stopLoss: 0.01 },
      },
    },
  ),
};
