import { describe, expect, test } from 'vitest';
import { ownFillsOfTrade } from '../../venues/polymarket/trading/records.ts';
import { readFrame } from '../../venues/polymarket/trading/user-stream.ts';
import { DAMAGES, damaged } from './support/damage.ts';
import { type Body, makerOf, orderRecord, takerTrade } from './support/polymarket-bodies.ts';
import { prepared, TOKEN, WALLET } from './support/polymarket-trading.ts';

const { id: ID } = prepared();

const orderEvent = (changes: Body = {}): Body => ({
  event_type: 'order',
  ...orderRecord(ID, { created_at: '1795341600000' }),
  order_owner: '00000000-0000-0000-0000-000000000001',
  type: 'PLACEMENT',
  timestamp: '1795341600001',
  ...changes,
});
const frame = (event: unknown) => readFrame(JSON.stringify(event));

describe('the stream of venue B', () => {
  test.each([
    [{}, { status: 'open', filledAmount: '0' }],
    [
      { type: 'UPDATE', size_matched: '2.5' },
      { status: 'open', filledAmount: '2.5' },
    ],
    [
      { type: 'UPDATE', status: 'MATCHED', size_matched: '10' },
      { status: 'open', filledAmount: '10' },
    ],
    [
      { type: 'CANCELLATION', status: 'CANCELED' },
      { status: 'canceled', reasonCode: 'canceled' },
    ],
    [
      { type: 'CANCELLATION', status: 'INVALID' },
      { status: 'canceled', reasonCode: 'invalid' },
    ],
    [
      { type: 'CANCELLATION', status: 'CANCELED_MARKET_RESOLVED' },
      { status: 'canceled', reasonCode: 'market_resolved' },
    ],
  ])('reports an order: %j', (changes, order) => {
    expect(frame(orderEvent(changes))).toMatchObject([
      { kind: 'order', tokenId: TOKEN, order: { venueOrderId: ID, ...order } },
    ]);
  });

  test('reports an end without a filled amount as a gap: the lists must be read', () => {
    expect(frame(orderEvent({ type: 'CANCELLATION', status: 'CANCELED_x', size_matched: '' }))).toEqual([
      { kind: 'gap' },
    ]);
  });

  test('reports a trade, whose makers have no side in the stream', () => {
    const { side: _, ...maker } = makerOf();
    const { match_time: at, ...trade } = takerTrade(ID, { maker_orders: [maker] });
    const event = { ...trade, event_type: 'trade', type: 'TRADE', matchtime: at, timestamp: '1795341602000' };
    expect(frame([event, event])).toHaveLength(2);
    const [message] = frame(event);
    expect(message?.kind === 'trade' && ownFillsOfTrade(message.trade, WALLET.address)).toMatchObject([
      { price: '0.6', side: 'buy' },
    ]);
  });

  test('reports a trade without its makers as a gap', () => {
    expect(frame({ ...takerTrade(ID, { maker_orders: [] }), event_type: 'trade', type: 'TRADE' })).toEqual([
      { kind: 'gap' },
    ]);
  });

  test.each([
    ['what is no JSON', '{', 'a frame'],
    ['an unknown event', '{"event_type":"bonus"}', 'bonus'],
    ['an event without a name', '[3]', 'an event'],
    ['a name that is not fit for a log', '{"event_type":"<b>\\n"}', 'an event'],
  ])('row 83: reports %s once, and nothing else', (_, text, about) => {
    expect(readFrame(text)).toEqual([{ kind: 'unreadable', about }]);
  });

  test('reports nothing for heartbeats', () => {
    expect(readFrame('PONG')).toEqual([]);
  });

  test('never moves an order wrongly by one damaged field', () => {
    for (const event of [
      orderEvent({ type: 'UPDATE', size_matched: '2.5' }),
      orderEvent({ type: 'CANCELLATION', status: 'CANCELED' }),
    ]) {
      const messages = frame(event);
      for (const field of Object.keys(event)) {
        for (const [damage, value] of DAMAGES) {
          const [now] = frame(damaged(event, [field], value));
          if (now?.kind === 'order' && !(field === 'size_matched' && now.order.status === 'open')) {
            expect(now, `${field} ${damage}`).toMatchObject({
              order: messages[0]?.kind === 'order' && messages[0].order,
            });
          }
        }
      }
    }
  });
});
