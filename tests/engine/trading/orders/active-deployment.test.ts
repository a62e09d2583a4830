import { describe, expect, test } from 'vitest';
import {
  type RaisingDeployment,
  refuseSecondSell,
  requireActiveDeployment,
} from '../../../../engine/trading/orders/entry/active-deployment.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { NOW, refusalOf } from './market.ts';
import { at, order } from './order.ts';

describe('the deployment behind an intent', () => {
  const running: RaisingDeployment = { release_number: 3, ended_at: null, halted: false };
  const raise = (of: RaisingDeployment | undefined, side: 'buy' | 'sell' = 'buy') =>
    requireActiveDeployment(of, { deploymentId: 'd-1', side });

  test('is none if a person or key raised it', () => {
    expect(requireActiveDeployment(undefined, { side: 'buy' })).toBeNull();
    expect(
      requireActiveDeployment({ ...running, ended_at: at(0), halted: true }, { side: 'buy' }),
    ).toBeNull();
  });

  test('is known by its release, and is not halted unless it says so', () => {
    expect(raise(running)).toEqual({ releaseNumber: 3, halted: false });
    expect(raise({ ...running, halted: null })).toEqual({ releaseNumber: 3, halted: false });
  });

  test('raises nothing once it has ended, nor if it is missing under the blueprint', () => {
    for (const side of ['buy', 'sell'] as const) {
      for (const gone of [undefined, { ...running, ended_at: at(0) }]) {
        expect(refusalOf(() => raise(gone, side))).toMatchObject({
          code: 'invalid_state',
          message: 'Deployment d-1 has ended: no orders are created for it.',
        });
      }
    }
  });

  test('with an error raises sells, and neither buys nor what a node keeps at a price', () => {
    const halted = { ...running, halted: true };
    expect(raise(halted, 'sell')).toEqual({ releaseNumber: 3, halted: true });
    const kept = { deploymentId: 'd-1', side: 'sell', isKept: true } as const;
    expect(requireActiveDeployment(running, kept)).toEqual({ releaseNumber: 3, halted: false });
    expect(refusalOf(() => requireActiveDeployment(halted, kept))).toMatchObject({ code: 'invalid_state' });
    expect(refusalOf(() => raise(halted)).message).toBe(
      'Deployment d-1 has an error: its entries are halted until it is deployed again.',
    );
  });
});

describe('a node has one live sell of its position', () => {
  const sell = (terms: Partial<OrderRow> = {}) => order({ side: 'sell', ...terms });
  const node = { deploymentId: 'd-1', nodeId: 'n-1', tokenId: 'KXTEST:yes' };
  const raise =
    (orders: OrderRow[], by: { deploymentId?: string; nodeId: string; tokenId: string } = node) =>
    () =>
      refuseSecondSell(orders, by, NOW);

  test('a second one is refused, and the first is named', () => {
    expect(refusalOf(raise([order({ id: 'o-0' }), sell()]))).toMatchObject({
      code: 'invalid_state',
      message: 'Node n-1 sells this position already, by order o-1.',
    });
  });

  test.each(['pending', 'queued'] as const)('one that is %s counts until its time is over', (status) => {
    expect(raise([sell({ status, expires_at: at(1) })])).toThrow('by order o-1');
    expect(raise([sell({ status, expires_at: at(0) })])).not.toThrow();
  });

  test.each(['filled', 'canceled', 'expired', 'declined', 'rejected', 'denied'] as const)(
    'one that is %s does not count',
    (status) => expect(raise([sell({ status })])).not.toThrow(),
  );

  test.each([
    ['a buy', { side: 'buy' }],
    ['of another deployment', { deployment_id: 'd-2' }],
    ['of another node', { node_id: 'n-2' }],
    ['of another instrument', { token_id: 'KXTEST:no' }],
  ] as const)('one that is %s does not count', (_, terms) => {
    expect(raise([sell(terms)])).not.toThrow();
  });

  test('without any order it may sell', () => expect(raise([])).not.toThrow());

  test('a person or key may sell as often as there is something to sell', () => {
    const { nodeId, tokenId } = node;
    expect(raise([sell(), sell({ deployment_id: null })], { nodeId, tokenId })).not.toThrow();
  });
});
