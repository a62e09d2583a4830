import fc from 'fast-check';
import type { ManualOrder } from '../../engine/trading/orders/entry/plan-manual-order.ts';

/** One action of a client. Numbers pick from the items that exist then, so that every sequence can be played. */
export type Move =
  | { do: 'rules'; rules: { [rule: string]: number | null } }
  | {
      do: 'buy' | 'sell';
      token: number;
      amount: number;
      price: number;
      market: boolean;
      expireAfterSec: number | null;
      blueprint: number;
      node: boolean;
    }
  | { do: 'close'; token: number; amount: number; blueprint: number | null }
  | { do: 'by_hand'; side: 'buy' | 'sell'; token: number; amount: number; price: number; market: boolean }
  | { do: 'approve' | 'decline' | 'cancel' | 'expire' | 'sync' | 'reconcile' | 'repeat'; order: number }
  | { do: 'send'; order: number; venue: 'answer' | 'lose_answer' | 'never_arrive' | 'reject' }
  | { do: 'fill'; order: number; amount: number; price: number; fee: number; ends: boolean }
  | { do: 'stop' | 'tidy' }
  | { do: 'quote'; token: number; bid: number | null; ask: number | null; ageMs: number }
  | { do: 'wait'; ms: number }
  | { do: 'settle'; token: number; value: number };

/** The order of a move by hand. */
export const manualOrderOf = (
  { side, amount, price, market }: Extract<Move, { do: 'by_hand' }>,
  tokenId: string,
): ManualOrder => ({
  tokenId,
  side,
  amount: String(amount),
  ...(market
    ? { type: 'market', timeInForce: 'ioc' }
    : { type: 'limit', timeInForce: 'gtc', limitPrice: String(price / 100) }),
});

const pick = fc.nat(30);
const cents = fc.integer({ min: 2, max: 98 });
const exposure = fc.option(fc.integer({ min: 10, max: 80 }), { freq: 3 });
const orderMove = fc.record({
  do: fc.constantFrom('approve', 'decline', 'cancel', 'expire', 'sync', 'reconcile', 'repeat'),
  order: pick,
});

export const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('buy', 'buy', 'sell'),
      token: fc.nat(2),
      amount: fc.integer({ min: 1, max: 40 }),
      price: cents,
      market: fc.boolean(),
      expireAfterSec: fc.option(fc.constantFrom(10, 20, 45, 600)),
      blueprint: fc.nat(1),
      node: fc.boolean(),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('send'),
      order: pick,
      venue: fc.constantFrom('answer', 'answer', 'answer', 'answer', 'lose_answer', 'never_arrive', 'reject'),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('fill'),
      order: pick,
      amount: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 1_000 })),
      price: fc.nat(100),
      fee: fc.nat(50),
      ends: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: orderMove },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('close'),
      token: fc.nat(2),
      amount: fc.integer({ min: 1, max: 40 }),
      blueprint: fc.option(fc.nat(1)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('by_hand'),
      side: fc.constantFrom('buy', 'sell'),
      token: fc.nat(2),
      amount: fc.integer({ min: 1, max: 40 }),
      price: cents,
      market: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rules'),
      rules: fc.record(
        {
          maxOrderSize: fc.integer({ min: 10, max: 60 }),
          maxDailyLoss: fc.nat(40),
          maxOpenPositions: fc.integer({ min: 1, max: 4 }),
          maxOrdersPerMinute: fc.integer({ min: 1, max: 12 }),
          cooldownAfterLossSec: fc.nat(90),
          requireApprovalAbove: fc.integer({ min: 5, max: 40 }),
          maxDrawdown: fc.option(fc.nat(25), { freq: 3 }),
          maxPositionSize: exposure,
          maxVenueExposure: exposure,
          maxGrossExposure: exposure,
          maxBlueprintBudget: exposure,
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'stop' }) },
  { weight: 3, arbitrary: fc.constant({ do: 'tidy' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('quote'),
      token: fc.nat(2),
      bid: fc.option(cents, { freq: 8 }),
      ask: fc.option(cents, { freq: 8 }),
      ageMs: fc.constantFrom(0, 0, 0, 15_000, 60_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait'),
      ms: fc.constantFrom(1, 500, 500, 5_000, 5_000, 16_000, 16_000, 31_000, 61_000, 901_000, 43_200_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('settle'), token: fc.nat(2), value: fc.constantFrom(0, 50, 100) }),
  },
) as fc.Arbitrary<Move>;

/** Waves of moves: those of one wave are made at the same time, by as many clients. */
export const waves = (options: { waves: number; clients: number }): fc.Arbitrary<Move[][]> =>
  fc.array(
    fc.array(move, { minLength: Math.ceil(options.clients / 2), maxLength: options.clients, size: 'max' }),
    { minLength: Math.ceil(options.waves / 3), maxLength: options.waves, size: 'max' },
  );
