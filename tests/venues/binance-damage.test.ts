/** Documented bodies of Binance with one field damaged: refused, or the answer they had. Never a wrong step of an order. */
import { describe, expect, test } from 'vitest';
import { canceledOf, openOf, parseBody, placedOf, stateOf } from '../../venues/binance/trading/answer.ts';
import { parseUserMessage } from '../../venues/binance/trading/events.ts';
import {
  MyTrades,
  OpenOrders,
  ServerTime,
  WireAccount,
  WireOrder,
} from '../../venues/binance/trading/wire.ts';
import { BODIES, bodyOf, eventOf, type Fields, requestFor } from './support/binance-trading.ts';
import { DAMAGES, damaged, type Path } from './support/damage.ts';

const ok = (body: unknown) => ({ status: 200, body });
const FULL = bodyOf('newOrderFull');
const REQUEST = requestFor(FULL);
/** A value after its way through JSON: numbers beyond all doubles included. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replaceAll('"@@1e400@@"', '1e400'));

const NAMES: readonly unknown[] = ['symbol', 'clientOrderId', 'commissionAsset', 'asset', 's', 'c', 'C', 'N'];
const FLAGS: readonly unknown[] = ['isMaker', 'isBuyer', 'm'];
/** Another text where any name is allowed, another flag where both are possible: these are valid, not damaged. */
const isAnother = (path: Path, value: unknown): boolean =>
  (NAMES.includes(path.at(-1)) && typeof value === 'string') ||
  (FLAGS.includes(path.at(-1)) && typeof value === 'boolean');

/** The same order without a client order id: the report if its id is lost. */
const nameless = <T extends { readonly clientOrderId: string | null }>(order: T): T => ({
  ...order,
  clientOrderId: null,
});

const sameOrRefused = <T>(before: T, now: () => T, what: string): void => {
  let answer: T;
  try {
    answer = now();
  } catch (error) {
    expect((error as Error).name, what).toBe('VenueError');
    return;
  }
  expect(answer, what).toEqual(before);
};

describe('a damaged field of a documented body is refused or changes nothing', () => {
  const pathsOf = (body: Fields): Path[] => Object.keys(body).map((name) => [name]);
  const orders = parseBody(ok(BODIES['openOrders']), OpenOrders, 'orders');

  test.each<[string, Fields, Path[], (body: unknown) => unknown]>([
    [
      'a new order',
      FULL,
      [
        ...pathsOf(FULL),
        ...['price', 'qty', 'commission', 'commissionAsset', 'tradeId'].map(
          (name): Path => ['fills', 2, name],
        ),
      ],
      (body) => placedOf(ok(body), REQUEST),
    ],
    [
      'an order',
      bodyOf('order'),
      pathsOf(bodyOf('order')),
      (body) => stateOf(parseBody(ok(body), WireOrder, 'x'), '1.0'),
    ],
    [
      'an expired order',
      bodyOf('expiredInMatch'),
      pathsOf(bodyOf('expiredInMatch')),
      (body) => stateOf(parseBody(ok(body), WireOrder, 'x'), '3'),
    ],
    [
      'a cancel',
      bodyOf('cancel'),
      pathsOf(bodyOf('cancel')),
      (body) => canceledOf(ok(body), { symbol: 'LTCBTC' }),
    ],
    ['the time', bodyOf('time'), pathsOf(bodyOf('time')), (body) => parseBody(ok(body), ServerTime, 'x')],
    [
      'an account',
      bodyOf('account'),
      [
        ...pathsOf(bodyOf('account')),
        ['balances', 0, 'asset'],
        ['balances', 0, 'free'],
        ['balances', 1, 'locked'],
      ],
      (body) => {
        const { balances, canTrade, uid } = parseBody(ok(body), WireAccount, 'x');
        return { balances, canTrade, uid };
      },
    ],
  ])('of %s', (_, body, paths, outcomeOf) => {
    const before = outcomeOf(body);
    for (const path of paths) {
      for (const [name, value] of DAMAGES) {
        if (isAnother(path, value)) continue;
        // An empty list of balances is valid: an empty account has one.
        if (path[0] === 'balances' && path.length === 1 && name === 'an empty list') continue;
        const now = () => outcomeOf(sent(damaged(body, path, value)));
        sameOrRefused(before, now, `${path.join('.')}: ${name}`);
      }
    }
  });

  test('of a listed order or trade', () => {
    const [order = {}] = BODIES['openOrders'] as unknown as Fields[];
    const [trade = {}] = BODIES['myTrades'] as unknown as Fields[];
    for (const [name, value] of DAMAGES) {
      for (const path of pathsOf(order).filter((path) => !isAnother(path, value))) {
        const now = () =>
          parseBody(ok(sent([damaged(order, path, value)])), OpenOrders, 'orders').map(openOf);
        const isNameLost = path[0] === 'clientOrderId' && ['missing', 'null'].includes(name);
        const before = orders.map(openOf).map((each) => (isNameLost ? nameless(each) : each));
        sameOrRefused(before, now, `${path[0]}: ${name}`);
      }
      for (const path of pathsOf(trade).filter((path) => !isAnother(path, value))) {
        const now = () => parseBody(ok(sent([damaged(trade, path, value)])), MyTrades, 'trades');
        sameOrRefused(MyTrades.parse(BODIES['myTrades']), now, `${path[0]}: ${name}`);
      }
    }
  });

  test('of an event', () => {
    const event = {
      ...eventOf('executionReport'),
      x: 'TRADE',
      X: 'FILLED',
      l: '1.00000000',
      z: '1.00000000',
      L: '0.1',
      n: '0.001',
      N: 'BNB',
      t: 9,
    };
    const tell = (changed: unknown) =>
      parseUserMessage(JSON.stringify(sent({ subscriptionId: 0, event: changed })));
    const before = tell(event);
    expect(before).toMatchObject({ kind: 'report', state: { status: 'filled' } });
    for (const path of pathsOf(event)) {
      for (const [name, value] of DAMAGES) {
        if (isAnother(path, value)) continue;
        const now = tell(damaged(event, path, value));
        if (now.kind !== 'unreadable') expect(now, `${path[0]}: ${name}`).toEqual(before);
      }
    }
  });
});
