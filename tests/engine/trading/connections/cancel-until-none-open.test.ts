import { describe, expect, test } from 'vitest';
import { cancelUntilNoneOpen } from '../../../../engine/trading/connections/cancel-until-none-open.ts';
import type { OpenVenueOrder } from '../../../../venues/broker.ts';

const order = (id: number): OpenVenueOrder => ({
  venueOrderId: String(id),
  clientOrderId: null,
  tokenId: 'BTCUSDT',
  side: 'buy',
  amount: '1',
  limitPrice: '1',
  filledAmount: '0',
  placedAt: null,
});

/** A venue whose polls return these numbers of orders, the last one ever after; an error is thrown. */
function venue(...looks: (number | Error)[]) {
  const calls: string[] = [];
  const poll = async () => {
    const look = (looks.length > 1 ? looks.shift() : looks[0]) ?? 0;
    if (look instanceof Error) throw look;
    return Array.from({ length: look }, (_, id) => order(id));
  };
  return {
    calls,
    broker: {
      cancelAll: async () => void calls.push('cancel'),
      listOpen: () => {
        calls.push('list');
        return poll();
      },
    },
  };
}

const empty = (
  broker: ReturnType<typeof venue>['broker'],
  arrivingUntil = async (): Promise<Date | null> => null,
) => cancelUntilNoneOpen({ broker, arrivingUntil, pauseMs: 0 });
const SOON = new Date('2026-11-22T12:00:00.000Z');

describe('emptying a venue account', () => {
  test('the account is empty once two polls in a row found nothing, each after a cancel of all orders', async () => {
    const { calls, broker } = venue(3, 0, 1, 0);
    expect(await empty(broker)).toEqual({ kind: 'empty' });
    expect(calls.filter((what) => what === 'list')).toHaveLength(5);
    expect(calls.join()).toMatch(/^(cancel,list,?)+$/);
  });

  test('orders that do not end are reported, after a bounded number of polls', async () => {
    const { calls, broker } = venue(2);
    expect(await empty(broker)).toEqual({ kind: 'left', orders: 2 });
    expect(calls).toHaveLength(24);
  });

  test('one empty poll proves nothing, even the last one', async () => {
    const { broker } = venue(...Array.from({ length: 11 }, () => 1), 0, 1);
    expect(await empty(broker)).toEqual({ kind: 'left', orders: 1 });
    const quiet = venue(...Array.from({ length: 11 }, () => 1), 0);
    expect(await empty(quiet.broker)).toEqual({ kind: 'empty' });
  });

  test('a failure is retried, and three in a row mean that the venue is unreachable', async () => {
    const down = new Error('venue A did not answer');
    expect(await empty(venue(down, down, 1, down, down, 0).broker)).toEqual({ kind: 'empty' });
    const { calls, broker } = venue(0, down);
    expect(await empty(broker)).toEqual({ kind: 'unreachable', reason: down.message });
    expect(calls.filter((what) => what === 'list')).toHaveLength(4);
  });

  test('row 99: a sent order may still arrive: nothing is empty before its last arrival, or before it was found', async () => {
    const { calls, broker } = venue(0);
    expect(await empty(broker, async () => SOON)).toEqual({ kind: 'arriving', until: SOON });
    expect(calls).toHaveLength(24);
    const answers: (Date | null)[] = [SOON, SOON, null];
    expect(await empty(venue(0, 0, 1, 0).broker, async () => answers.shift() ?? null)).toEqual({
      kind: 'empty',
    });
  });
});
