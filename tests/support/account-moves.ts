import fc from 'fast-check';
import { type Move, move } from './trading-moves.ts';

/** Stands for an order's number: the newest resting order. */
export const NEWEST_ORDER = -1;

/** Moves that the service or a person makes in addition. */
type Chore =
  | { do: 'write_off'; token: number; value: number }
  | { do: 'delist'; token: number }
  | { do: 'halt' | 'sweep' | 'open_day' };
export type AccountMove = Move | Chore;

/** Most markets stay open and near their price: then positions arise, and with them decisions. */
const steady = fc.oneof(
  {
    weight: 20,
    arbitrary: move.filter((each) => !['settle', 'quote', 'rules', 'close'].includes(each.do)),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constantFrom('buy', 'buy', 'sell'),
      token: fc.nat(2),
      amount: fc.integer({ min: 1, max: 30 }),
      price: fc.integer({ min: 30, max: 62 }),
      market: fc.boolean(),
      expireAfterSec: fc.option(fc.constantFrom(20, 600)),
      blueprint: fc.nat(1),
      node: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('send'), order: fc.nat(30), venue: fc.constant('answer') }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('approve', 'decline'), order: fc.nat(30) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('expire'), order: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ token: fc.nat(2), bid: fc.integer({ min: 30, max: 60 }) })
      .map(({ token, bid }) => ({ do: 'quote' as const, token, bid, ask: bid + 2, ageMs: 0 })),
  },
) as fc.Arbitrary<AccountMove>;

const chore = fc.oneof(
  fc.record({
    do: fc.constant('write_off' as const),
    token: fc.nat(2),
    value: fc.integer({ min: 0, max: 101 }),
  }),
  fc.record({ do: fc.constantFrom('halt' as const, 'sweep' as const, 'open_day' as const) }),
);

const ending = fc.oneof(
  fc.record({ do: fc.constant('delist' as const), token: fc.nat(2) }),
  fc.record({
    do: fc.constant('settle' as const),
    token: fc.nat(2),
    value: fc.constantFrom(0, 50, 100),
  }),
);

/** The whole life of an order: proposed, approved where it is pending, sent, and filled in full or in part. */
const trade = fc
  .record({
    side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const, 'close' as const),
    token: fc.nat(2),
    amount: fc.integer({ min: 3, max: 24 }),
    blueprint: fc.nat(1),
    node: fc.boolean(),
    filled: fc.constantFrom(1_000, 1_000, 400),
    fee: fc.nat(400),
  })
  .map(({ side, token, amount, blueprint, node, filled, fee }): AccountMove[] => [
    side === 'close'
      ? { do: 'close', token, amount: Math.ceil(amount / 3), blueprint: node ? null : blueprint }
      : {
          do: side,
          token,
          amount: side === 'buy' ? amount : Math.ceil(amount / 3),
          price: 50,
          market: true,
          expireAfterSec: null,
          blueprint,
          node: node && side === 'sell',
        },
    { do: 'approve', order: 0 },
    { do: 'send', order: 0, venue: 'answer' },
    { do: 'fill', order: NEWEST_ORDER, amount: filled, price: 0, fee, ends: false },
  ]);

/**
 * A close of what two blueprints hold is pending, and one of them exits on its own. The close then loses that part of its
 * positions. A key closes an even amount, which needs a person above the limit.
 */
const sharedClose = fc
  .record({ token: fc.nat(2), first: fc.integer({ min: 3, max: 9 }), second: fc.integer({ min: 3, max: 9 }) })
  .map(({ token, first, second }): AccountMove[] => [
    ...[first, second].flatMap((half, blueprint): AccountMove[] => [
      { ...MARKET_ORDER, do: 'buy', token, amount: 2 * half, blueprint, node: false },
      { do: 'approve', order: 0 },
      { do: 'send', order: 0, venue: 'answer' },
      { do: 'fill', order: NEWEST_ORDER, amount: 1_000, price: 0, fee: 10, ends: false },
    ]),
    { do: 'close', token, amount: 2 * (first + second), blueprint: null },
    { ...MARKET_ORDER, do: 'sell', token, amount: 2 * first, blueprint: 0, node: true },
  ]);
const MARKET_ORDER = { price: 50, market: true, expireAfterSec: null };

export const accountMoves = (most: number): fc.Arbitrary<AccountMove[]> =>
  movesAndTrades(most).map((moves) => moves.flat());

const movesAndTrades = (most: number): fc.Arbitrary<(AccountMove | AccountMove[])[]> =>
  fc.array(
    fc.oneof(
      { weight: 16, arbitrary: trade },
      { weight: 2, arbitrary: sharedClose },
      { weight: 50, arbitrary: steady },
      { weight: 3, arbitrary: move },
      { weight: 3, arbitrary: chore },
      { weight: 1, arbitrary: ending },
    ),
    { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' },
  );
