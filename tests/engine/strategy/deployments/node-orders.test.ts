/** Orders of a node as its graph reads them. */
import { expect, test } from 'vitest';
import { nodeOrdersOf } from '../../../../engine/strategy/deployments/node-orders.ts';

test.each(['pending', 'queued'] as const)(
  'a %s order past its time stays live until its end is recorded, as it may have been sent just before',
  (status) => {
    const terms = { amount: '1', limitPrice: '9', isCanceling: false, message: null };
    const filled = { filledAmount: '0', filledNotional: '0', fees: '0' };
    const order = { id: 'o', status, ...terms, ...filled, endedAtMs: null, expiresAtMs: 1_000 };
    const outcomes = { orders: new Map([['buy', [order]]]), undecided: new Map(), refusals: new Map() };
    expect(nodeOrdersOf(outcomes, { nowMs: 1_050, toFeed: (ms) => ms }).get('buy')).toMatchObject({
      live: { id: 'o', status },
      last: null,
    });
  },
);
