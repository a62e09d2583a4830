import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, sumOf, ZERO } from '../../../../engine/platform/decimal.ts';
import { type CashFacts, compareCash } from '../../../../engine/trading/reconciliation/compare/cash.ts';
import {
  gapBeyondRange,
  NOTHING_EXPLAINED,
} from '../../../../engine/trading/reconciliation/compare/explained-gap.ts';

const PATIENCE = new Date('2026-11-20T12:01:00.000Z');
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((amount) => exact(amount).div(100));
const some = fc.integer({ min: 0, max: 1_000_000 }).map((amount) => exact(amount).div(100));

describe('money', () => {
  const facts = (more: Partial<CashFacts> = {}): CashFacts => ({
    ours: exact(100),
    theirs: exact(100),
    explained: ZERO,
    external: ZERO,
    netted: ZERO,
    claims: [],
    transfers: [],
    slack: NOTHING_EXPLAINED,
    graceUntil: PATIENCE,
    traded: { notional: ZERO, fees: ZERO },
    positionsAgree: true,
    isQuiet: true,
    isFirst: false,
    ...more,
  });
  const anyFacts: fc.Arbitrary<CashFacts> = fc.record({
    ours: some,
    theirs: some,
    explained: cents,
    external: cents,
    netted: some,
    claims: fc.array(
      fc.record({ tokenId: fc.string({ minLength: 1 }), worth: some, isAtVenue: fc.boolean() }),
      { maxLength: 4 },
    ),
    transfers: fc.array(fc.record({ id: fc.string({ minLength: 1 }), amount: cents }), { maxLength: 3 }),
    slack: fc.tuple(some, some, some, some).map(([low, lower, high, higher]) => ({
      late: { low: low.negated(), high },
      all: { low: low.plus(lower).negated(), high: high.plus(higher) },
      lateUntil: null,
    })),
    graceUntil: fc.constant(PATIENCE),
    traded: fc.record({ notional: some, fees: some }),
    positionsAgree: fc.boolean(),
    isQuiet: fc.boolean(),
    isFirst: fc.boolean(),
  });

  test('the taken-over, displayed and explained amounts are the whole gap, to the cent', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { booked, difference } = compareCash(given);
        const gap = given.theirs
          .minus(given.ours)
          .minus(given.explained)
          .minus(given.external)
          .minus(given.netted);
        const taken = sumOf(booked.map(({ amount }) => amount));
        const left = gap.minus(taken);
        if (difference === null) expect(left.abs().lt('0.01')).toBe(true);
        else if (given.isQuiet || difference.kind === 'in_flight')
          expect(difference.worth?.eq(left.abs())).toBe(true);
        else expect(difference.worth?.eq(gapBeyondRange(left, given.slack.all).abs())).toBe(true);
        if (!given.isQuiet) for (const { kind } of booked) expect(kind).toBe('transfer');
        if (difference?.kind === 'in_flight' && !given.isFirst)
          expect(gapBeyondRange(left, given.slack.all).abs().lt('0.01')).toBe(true);
      }),
    );
  });

  test('a win is paid out only for holdings that have left the venue, and never more than came', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { booked } = compareCash({ ...given, isFirst: false });
        const redeemed = booked.filter(({ kind }) => kind === 'redemption');
        for (const each of redeemed)
          expect(given.claims).toContainEqual(
            expect.objectContaining({ isAtVenue: false, worth: each.amount }),
          );
      }),
    );
  });

  test("row 92: a deposit or withdrawal in the venue's record is a transfer of exactly that, at once", () => {
    for (const amount of ['50', '-40'])
      for (const isQuiet of [true, false]) {
        const transfers = [{ id: 't', amount: exact(amount) }];
        const { booked, difference } = compareCash(
          facts({ theirs: exact(100).plus(amount), transfers, isQuiet }),
        );
        expect(booked).toEqual([{ kind: 'transfer', id: 't', amount: exact(amount) }]);
        expect(difference).toBeNull();
      }
  });

  test('money without a record of the venue is no transfer, whatever its amount', () => {
    for (const theirs of ['150', '60', '99.98'])
      for (const isQuiet of [true, false])
        expect(compareCash(facts({ theirs: exact(theirs), isQuiet }))).toMatchObject({
          booked: [],
          difference: { kind: 'unexplained', about: { gap: exact(theirs).minus(100).toFixed() } },
        });
  });

  test('a recorded transfer that the balance does not show yet waits, and explains nothing else', () => {
    const transfers = [{ id: 't', amount: exact(50) }];
    expect(compareCash(facts({ transfers }))).toEqual({ booked: [], difference: null });
    expect(compareCash(facts({ theirs: exact(70), transfers }))).toMatchObject({
      booked: [],
      difference: { kind: 'unexplained', about: { gap: '-30' } },
    });
  });

  test('a gap of more than known orders can explain is unexplained by the rest, even while they are under way', () => {
    const lateUntil = new Date(PATIENCE.getTime() + 1_000);
    const slack = { late: { low: exact(-20), high: ZERO }, all: { low: exact(-60), high: ZERO }, lateUntil };
    const at = (theirs: string) =>
      compareCash(facts({ theirs: exact(theirs), slack, isQuiet: false })).difference;
    expect(at('85')).toMatchObject({
      kind: 'in_flight',
      moving: { until: lateUntil },
      about: { gap: '-15' },
    });
    expect(at('50')).toMatchObject({ kind: 'in_flight', moving: { until: PATIENCE }, about: { gap: '-50' } });
    expect(at('10')).toMatchObject({
      kind: 'unexplained',
      moving: { whole: exact(-90) },
      about: { gap: '-30' },
    });
    expect(at('101')).toMatchObject({ kind: 'unexplained', about: { gap: '1' } });
  });

  test('row 92: a transfer between shards moves no money', () => {
    expect(compareCash(facts())).toEqual({ booked: [], difference: null });
  });

  test('row 69: less than the fees since both agreed is a fee, booked automatically up to 0.01 % of the traded notional', () => {
    const traded = { notional: exact(1_000), fees: exact(20) };
    const small = compareCash(facts({ theirs: exact('99.91'), traded }));
    expect(small.booked).toMatchObject([{ kind: 'fee_true_up' }]);
    const great = compareCash(facts({ theirs: exact('95'), traded }));
    expect(great).toMatchObject({ booked: [], difference: { kind: 'fee', subject: 'cash:USD' } });
  });

  test('a gap while holdings differ is explained by nothing', () => {
    const result = compareCash(facts({ theirs: exact(90), positionsAgree: false }));
    expect(result).toMatchObject({ booked: [], difference: { kind: 'unexplained' } });
  });

  test('row 94: a redemption is paid out, and the rest is compared separately', () => {
    const claims = [
      { tokenId: 'won', worth: exact(10), isAtVenue: false },
      { tokenId: 'waits', worth: exact(7), isAtVenue: true },
    ];
    const { booked, difference } = compareCash(facts({ theirs: exact(115), claims }));
    expect(booked.map(({ kind, amount }) => [kind, amount.toFixed()])).toEqual([['redemption', '10']]);
    expect(difference).toMatchObject({ kind: 'unexplained', about: { gap: '5' } });
  });

  test('row 94: the largest claims are paid first, as far as money has come for them', () => {
    const claim = (tokenId: string, worth: number) => ({ tokenId, worth: exact(worth), isAtVenue: false });
    const claims = [claim('small', 3), claim('great', 10), claim('middle', 6)];
    const paidBy = (theirs: string) =>
      compareCash(facts({ theirs: exact(theirs), claims })).booked.map(({ kind, amount }) => [
        kind,
        amount.toFixed(),
      ]);
    expect(paidBy('110')).toEqual([['redemption', '10']]);
    expect(paidBy('113')).toEqual([
      ['redemption', '10'],
      ['redemption', '3'],
    ]);
    // Fractions that venues cut off a balance count as paid.
    expect(paidBy('109.995')).toEqual([['redemption', '10']]);
    expect(paidBy('119')).toEqual([
      ['redemption', '10'],
      ['redemption', '6'],
      ['redemption', '3'],
    ]);
  });

  test('that differs by less than a cent, which venues cut off, does not differ', () => {
    for (const theirs of ['100.009', '99.991'])
      for (const more of [{}, { isQuiet: false }, { positionsAgree: false }])
        expect(compareCash(facts({ theirs: exact(theirs), ...more }))).toEqual({
          booked: [],
          difference: null,
        });
  });

  test('that differs states both balances, and the unexplained part', () => {
    expect(compareCash(facts({ theirs: exact(90), external: exact(-4), positionsAgree: false }))).toEqual({
      booked: [],
      difference: {
        subject: 'cash:USD',
        kind: 'unexplained',
        ours: exact(100),
        theirs: exact(90),
        worth: exact(6),
        about: { gap: '-6' },
      },
    });
  });

  test('the first comparison takes the balance over as one transfer, whatever else there is', () => {
    fc.assert(
      fc.property(some, (theirs) => {
        const { booked } = compareCash(facts({ ours: ZERO, theirs, isFirst: true, positionsAgree: false }));
        expect(sumOf(booked.map(({ amount }) => amount)).eq(theirs)).toBe(true);
        for (const { kind } of booked) expect(kind).toBe('transfer');
      }),
    );
  });
});
