import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReconciled } from '../../../engine/connections/reconciled.ts';
import { type Exact, exact, sumOf, ZERO } from '../../../engine/decimal.ts';
import { believed, RE_READS } from '../../../engine/reconciliation/believe.ts';
import { type CashFacts, compareCash } from '../../../engine/reconciliation/cash.ts';
import { impairment, type OpenDifference } from '../../../engine/reconciliation/impairment.ts';
import {
  comparePositions,
  inOneBook,
  type PositionFacts,
  paidForPairs,
} from '../../../engine/reconciliation/positions.ts';
import { dueParts } from '../../../engine/reconciliation/schedule.ts';
import { VENUES } from '../../../venues/catalogue.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((amount) => exact(amount).div(100));
const some = fc.integer({ min: 0, max: 1_000_000 }).map((amount) => exact(amount).div(100));
const amounts = (of: Record<string, string>): ReadonlyMap<string, Exact> =>
  new Map(Object.entries(of).map(([tokenId, amount]) => [tokenId, exact(amount)]));

describe('holdings', () => {
  const facts = (more: Partial<PositionFacts> = {}): PositionFacts => ({
    clearing: VENUES['venue-a'].clearing,
    ours: new Map(),
    theirs: new Map(),
    explained: new Map(),
    external: new Map(),
    marks: new Map(),
    paid: new Map(),
    isQuiet: true,
    isFirst: false,
    ...more,
  });
  const held = fc
    .dictionary(fc.constantFrom('A:yes', 'B:yes', 'C:yes'), cents)
    .map((of) => new Map(Object.entries(of)));

  test('that are the same on both sides differ in nothing, whatever has been explained of nothing', () => {
    fc.assert(
      fc.property(held, (both) => {
        expect(comparePositions(facts({ ours: both, theirs: both }))).toEqual([]);
      }),
    );
  });

  test('differ by what the venue has more, told once for each instrument and never while something is under way', () => {
    fc.assert(
      fc.property(held, held, fc.boolean(), (ours, theirs, isQuiet) => {
        const found = comparePositions(facts({ ours, theirs, isQuiet }));
        expect(new Set(found.map(({ subject }) => subject)).size).toBe(found.length);
        for (const { kind } of found) expect(kind).toBe(isQuiet ? 'unexplained' : 'in_flight');
        const gaps = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
          (tokenId) => !(ours.get(tokenId) ?? ZERO).eq(theirs.get(tokenId) ?? ZERO),
        );
        expect(found).toHaveLength(gaps.length);
      }),
    );
  });

  test('that fills of others or a person explain do not differ', () => {
    fc.assert(
      fc.property(held, held, held, (ours, explained, external) => {
        const tokens = new Set([...ours.keys(), ...explained.keys(), ...external.keys()]);
        const theirs = new Map(
          [...tokens].map((tokenId) => [
            tokenId,
            sumOf([ours, explained, external].map((of) => of.get(tokenId) ?? ZERO)),
          ]),
        );
        expect(comparePositions(facts({ ours, theirs, explained, external }))).toEqual([]);
      }),
    );
  });

  test('row 90: a foreign sale of what we hold is a difference worth its price', () => {
    const [found] = comparePositions(
      facts({
        ours: amounts({ 'A:yes': '10' }),
        theirs: amounts({ 'A:yes': '4' }),
        marks: amounts({ 'A:yes': '0.5' }),
      }),
    );
    expect(found).toMatchObject({ subject: 'position:A:yes', kind: 'unexplained' });
    expect(found?.worth?.toFixed()).toBe('3');
  });

  test('row 94: won and not redeemed is listed with what it pays; lost ones that stay there are nothing', () => {
    const settled = facts({
      clearing: VENUES['venue-b'].clearing,
      theirs: amounts({ won: '10', lost: '10' }),
      paid: amounts({ won: '1', lost: '0' }),
    });
    expect(comparePositions(settled)).toMatchObject([{ subject: 'unredeemed:won', kind: 'unredeemed' }]);
  });

  test('of a market that only one side has settled yet pass by themselves', () => {
    const settling = facts({ ours: amounts({ 'A:yes': '10' }), paid: amounts({ 'A:yes': '1' }) });
    expect(comparePositions(settling)).toMatchObject([{ kind: 'lag', patienceMs: 86_400_000 }]);
  });

  test('row 73: yes and no are one position where a venue nets, and pairs of both are paid out', () => {
    const both = [
      { tokenId: 'A:yes', amount: exact(10) },
      { tokenId: 'A:no', amount: exact(4) },
    ];
    const { clearing } = VENUES['venue-a'];
    expect(inOneBook(both, clearing).get('A:yes')?.toFixed()).toBe('6');
    const alone = { explained: new Map(), external: new Map() };
    expect(paidForPairs(both, alone, clearing).toFixed()).toBe('4');
    expect(paidForPairs(both, alone, VENUES['venue-b'].clearing).isZero()).toBe(true);
    expect([...inOneBook(both, VENUES['venue-b'].clearing).keys()]).toEqual(['A:yes', 'A:no']);
  });
});

test('row 73: a foreign purchase of no pays a dollar for each pair, and takes a dollar for each that stays open', () => {
  const { clearing } = VENUES['venue-a'];
  const paid = (ours: string, external: string, explained = '0') =>
    paidForPairs(
      [{ tokenId: 'A:yes', amount: exact(ours) }],
      { explained: amounts({ 'A:yes': explained }), external: amounts({ 'A:yes': external }) },
      clearing,
    ).toFixed();
  // Told as sales of yes: what is sold of ours brings its price alone, what is sold short a dollar less.
  expect(paid('10', '-4')).toBe('0');
  expect(paid('0', '-4')).toBe('-4');
  expect(paid('3', '-4')).toBe('-1');
  expect(paid('0', '0', '-4')).toBe('0');
  expect(paid('0', '4', '-4')).toBe('4');
});

describe('money', () => {
  const facts = (more: Partial<CashFacts> = {}): CashFacts => ({
    ours: exact(100),
    theirs: exact(100),
    explained: ZERO,
    external: ZERO,
    netted: ZERO,
    claims: [],
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
    traded: fc.record({ notional: some, fees: some }),
    positionsAgree: fc.boolean(),
    isQuiet: fc.boolean(),
    isFirst: fc.boolean(),
  });

  test('what the books take over and what they tell is the whole gap, to the cent; nothing while something is under way', () => {
    fc.assert(
      fc.property(anyFacts, (told) => {
        const { booked, difference } = compareCash(told);
        const gap = told.theirs
          .minus(told.ours)
          .minus(told.explained)
          .minus(told.external)
          .minus(told.netted);
        const taken = sumOf(booked.map(({ amount }) => amount));
        const left = gap.minus(taken).abs();
        if (difference === null) expect(left.lt('0.01')).toBe(true);
        else expect(difference.worth?.eq(left)).toBe(true);
        if (!told.isQuiet) expect(booked).toEqual([]);
        if (!told.isQuiet && difference !== null) expect(difference.kind).toBe('in_flight');
      }),
    );
  });

  test('what was won is paid out for holdings that have left the venue alone, and never more than came', () => {
    fc.assert(
      fc.property(anyFacts, (told) => {
        const { booked } = compareCash({ ...told, isFirst: false });
        const redeemed = booked.filter(({ kind }) => kind === 'redemption');
        for (const each of redeemed)
          expect(told.claims).toContainEqual(
            expect.objectContaining({ isAtVenue: false, worth: each.amount }),
          );
      }),
    );
  });

  test('row 92: a deposit, a withdrawal is a transfer of exactly that', () => {
    for (const amount of ['50', '-40']) {
      const { booked, difference } = compareCash(facts({ theirs: exact(100).plus(amount) }));
      expect(booked).toMatchObject([{ kind: 'transfer' }]);
      expect(booked[0]?.amount.toFixed()).toBe(amount);
      expect(difference).toBeNull();
    }
  });

  test('row 92: a transfer between shards moves no money', () => {
    expect(compareCash(facts())).toEqual({ booked: [], difference: null });
  });

  test('row 69: less than the fees since both agreed is a fee, and books itself up to 0.01 % of what was traded', () => {
    const traded = { notional: exact(1_000), fees: exact(20) };
    const small = compareCash(facts({ theirs: exact('99.91'), traded }));
    expect(small.booked).toMatchObject([{ kind: 'fee_true_up' }]);
    const great = compareCash(facts({ theirs: exact('95'), traded }));
    expect(great).toMatchObject({ booked: [], difference: { kind: 'fee', subject: 'cash:USD' } });
  });

  test('money that differs while holdings differ is explained by nothing', () => {
    const told = compareCash(facts({ theirs: exact(90), positionsAgree: false }));
    expect(told).toMatchObject({ booked: [], difference: { kind: 'unexplained' } });
  });

  test('row 94: what was redeemed is paid out, and the rest is looked at by itself', () => {
    const claims = [
      { tokenId: 'won', worth: exact(10), isAtVenue: false },
      { tokenId: 'waits', worth: exact(7), isAtVenue: true },
    ];
    const { booked } = compareCash(facts({ theirs: exact(115), claims }));
    expect(booked.map(({ kind, amount }) => [kind, amount.toFixed()])).toEqual([
      ['redemption', '10'],
      ['transfer', '5'],
    ]);
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

describe('what is believed', () => {
  const read = async (answers: readonly number[], ours: number) => {
    let reads = 0;
    const answer = await believed(
      async () => {
        const next = answers[Math.min(reads++, answers.length - 1)];
        if (next === undefined) throw new Error('unreadable');
        return next;
      },
      { agrees: (told) => told === ours, isSame: (a, b) => a === b, pause: async () => undefined },
    );
    return { answer, reads };
  };

  test('row 91: an empty page that comes once is nothing; the same answer has to come three times more', async () => {
    expect(await read([0, 10], 10)).toEqual({ answer: 10, reads: 2 });
    expect(await read([0], 10)).toEqual({ answer: 0, reads: 1 + RE_READS });
    expect(await read([1, 2, 1, 2, 1, 2, 1, 2], 10)).toMatchObject({ answer: null });
  });

  test('row 91: a read that fails is no answer', async () => {
    await expect(read([], 10)).rejects.toThrow('unreadable');
  });

  test('reads end, and an answer that is not ours was told three times more in a row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), async (answers) => {
        const { answer, reads } = await read(answers, 0);
        expect(reads).toBeLessThanOrEqual(1 + 2 * RE_READS);
        if (answer === null || answer === 0) return;
        expect(new Set(answers.slice(reads - 1 - RE_READS, reads))).toEqual(new Set([answer]));
      }),
    );
  });
});

describe('what stops entries', () => {
  const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1_000);
  const open = (more: Partial<OpenDifference> = {}): OpenDifference => ({
    kind: 'unexplained',
    worth: exact(60),
    since: at(60),
    ...more,
  });

  test.each([
    ['above 0.5 % of the equity for a minute', open(), true],
    ['for less than a minute', open({ since: at(59) }), false],
    ['of 0.5 % of the equity', open({ worth: exact(50) }), false],
    ['of a worth nobody can tell', open({ worth: null }), true],
    ['by hands of others', open({ kind: 'external_fill' }), true],
    ['that passes by itself', open({ kind: 'lag' }), false],
    ['of an order of others, which has done nothing yet', open({ kind: 'external_order' }), false],
  ])('a difference %s', (_, difference, isImpaired) => {
    const found = impairment([difference], exact(10_000), NOW);
    expect(found === null).toBe(!isImpaired);
    if (found !== null) expect(found).toMatchObject({ kind: 'impaired', code: 'unexplained_difference' });
  });

  test('of a small account a dollar is the limit', () => {
    expect(impairment([open({ worth: exact(1) })], exact(10), NOW)).toBeNull();
    expect(impairment([open({ worth: exact('1.01') })], exact(10), NOW)).not.toBeNull();
  });
});

describe('when', () => {
  const done = (secondsAgo: number) => {
    const at = new Date(NOW.getTime() - secondsAgo * 1_000);
    return { orders: at, fills: at, books: at };
  };

  test('everything at first, then each part in its time, sooner while no stream tells', () => {
    const never = { orders: null, fills: null, books: null };
    expect(dueParts(never, NOW, { isStreaming: true })).toEqual(['orders', 'fills', 'books']);
    expect(dueParts(done(29), NOW, { isStreaming: true })).toEqual([]);
    expect(dueParts(done(30), NOW, { isStreaming: true })).toEqual(['orders']);
    expect(dueParts(done(60), NOW, { isStreaming: true })).toEqual(['orders', 'fills']);
    expect(dueParts(done(60), NOW, { isStreaming: true, hasNewFills: true })).toContain('books');
    expect(dueParts(done(5), NOW, { isStreaming: false })).toEqual(['orders', 'fills']);
    expect(dueParts(done(300), NOW, { isStreaming: true })).toContain('books');
  });

  test('nothing may enter before the account was compared since it was opened', () => {
    expect(isReconciled(null, NOW)).toBe(false);
    expect(isReconciled(NOW, null)).toBe(false);
    expect(isReconciled(new Date(NOW.getTime() - 1), NOW)).toBe(false);
    expect(isReconciled(NOW.toISOString(), NOW)).toBe(true);
  });
});
