import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Exact, exact, sumOf, ZERO } from '../../../../engine/platform/decimal.ts';
import {
  comparePositions,
  netOutcomes,
  type PositionFacts,
  pairPayouts,
} from '../../../../engine/trading/reconciliation/compare/positions.ts';
import { VENUES } from '../../../../venues/catalogue.ts';

const PATIENCE = new Date('2026-11-20T12:01:00.000Z');
const LATER = new Date('2026-11-20T12:05:00.000Z');
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((amount) => exact(amount).div(100));
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
    slack: new Map(),
    graceUntil: PATIENCE,
    isQuiet: true,
    isFirst: false,
    ...more,
  });
  const held = fc
    .dictionary(fc.constantFrom('A:yes', 'B:yes', 'C:yes'), cents)
    .map((of) => new Map(Object.entries(of)));

  test('that are the same on both sides do not differ, whatever else is explained', () => {
    fc.assert(
      fc.property(held, (both) => {
        expect(comparePositions(facts({ ours: both, theirs: both }))).toEqual([]);
      }),
    );
  });

  test("differ by the venue's excess, once for each instrument, quiet or not", () => {
    fc.assert(
      fc.property(held, held, fc.boolean(), (ours, theirs, isQuiet) => {
        const found = comparePositions(facts({ ours, theirs, isQuiet }));
        expect(new Set(found.map(({ subject }) => subject)).size).toBe(found.length);
        for (const { kind } of found) expect(kind).toBe('unexplained');
        const gaps = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
          (tokenId) => !(ours.get(tokenId) ?? ZERO).eq(theirs.get(tokenId) ?? ZERO),
        );
        expect(found).toHaveLength(gaps.length);
      }),
    );
  });

  test('that known orders can explain pass on their own; the excess beyond them never does', () => {
    const all = { low: exact(-5), high: exact(10) };
    const slack = new Map([['A:yes', { late: { low: ZERO, high: exact(4) }, all, lateUntil: LATER }]]);
    const found = (theirs: string) =>
      comparePositions(
        facts({
          ours: amounts({ 'A:yes': '100' }),
          theirs: amounts({ 'A:yes': theirs }),
          slack,
          isQuiet: false,
        }),
      ).map(({ kind, moving, about }) => [kind, moving?.until, about.gap]);
    expect(found('103')).toEqual([['in_flight', LATER, '3']]);
    expect(found('109')).toEqual([['in_flight', PATIENCE, '9']]);
    expect(found('95')).toEqual([['in_flight', PATIENCE, '-5']]);
    expect(found('112')).toEqual([['unexplained', PATIENCE, '2']]);
    expect(found('40')).toEqual([['unexplained', PATIENCE, '-55']]);
  });

  test('that foreign fills or a person explain do not differ', () => {
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

  test('row 90: a foreign sale of a holding of ours is a difference worth its price', () => {
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

  test('row 94: a win that is not redeemed is listed with its payout; lost ones that stay there are ignored', () => {
    const settled = facts({
      clearing: VENUES['venue-b'].clearing,
      theirs: amounts({ won: '10', lost: '10' }),
      paid: amounts({ won: '1', lost: '0' }),
    });
    expect(comparePositions(settled)).toMatchObject([{ subject: 'unredeemed:won', kind: 'unredeemed' }]);
  });

  test('of a market that only one side has settled yet pass on their own', () => {
    const settling = facts({ ours: amounts({ 'A:yes': '10' }), paid: amounts({ 'A:yes': '1' }) });
    expect(comparePositions(settling)).toMatchObject([{ kind: 'lag', graceMs: 86_400_000 }]);
  });

  test('that only foreign fills mention are checked, too, and state their unexplained part', () => {
    expect(comparePositions(facts({ external: amounts({ 'A:yes': '2' }) }))).toEqual([
      {
        subject: 'position:A:yes',
        kind: 'unexplained',
        ours: ZERO,
        theirs: ZERO,
        worth: null,
        about: { tokenId: 'A:yes', gap: '-2' },
      },
    ]);
  });

  test('found at the first comparison were there already, by foreign trades', () => {
    const held = facts({ theirs: amounts({ 'A:yes': '2' }), isFirst: true });
    expect(comparePositions(held)).toMatchObject([{ kind: 'external_fill' }]);
    expect(comparePositions({ ...held, isQuiet: false })).toMatchObject([{ kind: 'in_flight' }]);
  });

  test('row 94: nothing is to be redeemed if a venue pays automatically, nor if the books still hold it', () => {
    const won = { theirs: amounts({ won: '10' }), paid: amounts({ won: '1' }) };
    expect(comparePositions(facts(won))).toMatchObject([{ subject: 'position:won', kind: 'lag' }]);
    const { clearing } = VENUES['venue-b'];
    const stillHeld = facts({ ...won, clearing, ours: amounts({ won: '4' }) });
    expect(comparePositions(stillHeld)).toMatchObject([{ subject: 'position:won', kind: 'lag' }]);
    const lost = facts({ clearing, ours: amounts({ lost: '4' }), paid: amounts({ lost: '0' }) });
    expect(comparePositions(lost)).toMatchObject([{ subject: 'position:lost', kind: 'lag' }]);
  });

  test('row 73: only the end of a name marks it as no', () => {
    const { clearing } = VENUES['venue-a'];
    const booked = netOutcomes([{ tokenId: 'A:nobody:yes', amount: exact(2) }], clearing);
    expect([...booked].map(([tokenId, amount]) => [tokenId, amount.toFixed()])).toEqual([
      ['A:nobody:yes', '2'],
    ]);
  });

  test('row 73: yes and no are one position if a venue nets, and pairs of both are paid out', () => {
    const both = [
      { tokenId: 'A:yes', amount: exact(10) },
      { tokenId: 'A:no', amount: exact(4) },
    ];
    const { clearing } = VENUES['venue-a'];
    expect(netOutcomes(both, clearing).get('A:yes')?.toFixed()).toBe('6');
    const alone = { explained: new Map(), external: new Map() };
    expect(pairPayouts(both, alone, clearing).toFixed()).toBe('4');
    expect(pairPayouts(both, alone, VENUES['venue-b'].clearing).isZero()).toBe(true);
    expect([...netOutcomes(both, VENUES['venue-b'].clearing).keys()]).toEqual(['A:yes', 'A:no']);
  });
});

test('row 73: a foreign purchase of no pays a dollar for each pair, and takes a dollar for each that stays open', () => {
  const { clearing } = VENUES['venue-a'];
  const paid = (ours: string, external: string, explained = '0') =>
    pairPayouts(
      [{ tokenId: 'A:yes', amount: exact(ours) }],
      { explained: amounts({ 'A:yes': explained }), external: amounts({ 'A:yes': external }) },
      clearing,
    ).toFixed();
  // Listed as sales of yes: a sale of our holding brings its price, a short sale a dollar less.
  expect(paid('10', '-4')).toBe('0');
  expect(paid('0', '-4')).toBe('-4');
  expect(paid('3', '-4')).toBe('-1');
  expect(paid('0', '0', '-4')).toBe('0');
  expect(paid('0', '4', '-4')).toBe('4');
});
