import { describe, expect, test } from 'vitest';
import { emptyVenue } from '../../../../engine/trading/connections/emptying.ts';
import type { OpenAtVenue } from '../../../../venues/broker.ts';

const order = (id: number): OpenAtVenue => ({
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
  const asked: string[] = [];
  const told = async () => {
    const look = (looks.length > 1 ? looks.shift() : looks[0]) ?? 0;
    if (look instanceof Error) throw look;
    return Array.from({ length: look }, (_, id) => order(id));
  };
  return {
    asked,
    broker: {
      cancelAll: async () => void asked.push('cancel'),
      listOpen: () => {
        asked.push('list');
        return told();
      },
    },
  };
}

const empty = (
  broker: ReturnType<typeof venue>['broker'],
  arrivingUntil = async (): Promise<Date | null> => null,
) => emptyVenue({ broker, arrivingUntil, pauseMs: 0 });
const SOON = new Date('2026-11-22T12:00:00.000Z');

describe('emptying a venue account', () => {
  test('the account is empty once two polls in a row found nothing, each after a cancel of all orders', async () => {
    const { asked, broker } = venue(3, 0, 1, 0);
    expect(await empty(broker)).toEqual({ kind: 'empty' });
    expect(asked.filter((what) => what === 'list')).toHaveLength(5);
    expect(asked.join()).toMatch(/^(cancel,list,?)+$/);
  });

  test('orders that do not end are reported, after a bounded number of polls', async () => {
    const { asked, broker } = venue(2);
    expect(await empty(broker)).toEqual({ kind: 'left', orders: 2 });
    expect(asked).toHaveLength(24);
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
    const { asked, broker } = venue(0, down);
    expect(await empty(broker)).toEqual({ kind: 'unreachable', reason: down.message });
    expect(asked.filter((what) => what === 'list')).toHaveLength(4);
  });

  test('row 99: a sent order may still arrive: nothing is empty before its last arrival, or before it was found', async () => {
    const { asked, broker } = venue(0);
    expect(await empty(broker, async () => SOON)).toEqual({ kind: 'arriving', until: SOON });
    expect(asked).toHaveLength(24);
    const answers: (Date | null)[] = [SOON, SOON, null];
    expect(await empty(venue(0, 0, 1, 0).broker, async () => answers.shift() ?? null)).toEqual({
      kind: 'empty',
    });
  });
});
