import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openAccountDay } from '../../engine/books/accounting/day.ts';
import { equityHistory, storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { readRiskSnapshot } from '../../engine/risk/read-risk-snapshot.ts';
import { dayPnl } from '../../engine/risk/risk-snapshot.ts';
import { openedForFile } from '../support/opened.ts';
import {
  addInstrument,
  openTradingFixture,
  type QuoteFields,
  type Trader,
} from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);

let markets = 0;
/** A trader who holds 100 of a market of its own, bought at the bid of 0.5: its value depends on the mark only. */
async function holder(): Promise<{ trader: Trader; token: string }> {
  const token = `MARK-${++markets}:yes`;
  await addInstrument(fixture.db, token);
  const trader = await fixture.trader();
  await fixture.quote(token, { bid: '0.5', ask: '0.51' });
  await fixture.trade(trader, { tokenId: token, amount: '100', limitPrice: '0.51' }, { price: '0.5' });
  return { trader, token };
}

const markOf = async (token: string) => {
  const row = await fixture.db
    .selectFrom('quote')
    .select(['mark_price', 'mark_at'])
    .where('token_id', '=', token)
    .executeTakeFirstOrThrow();
  return {
    price: row.mark_price === null ? null : Number(row.mark_price),
    ageMs: row.mark_at === null ? null : fixture.now().getTime() - Date.parse(row.mark_at),
  };
};
const EMPTY: QuoteFields = { bid: null, ask: '0.51' };
/** Ticks of the feed: the same quote, confirmed every two seconds. */
async function confirm(token: string, quote: QuoteFields, seconds: number): Promise<void> {
  for (let sec = 0; sec < seconds; sec += 2) {
    await fixture.quote(token, quote);
    fixture.wait(2_000);
  }
}
const lossOf = async ({ trader }: { trader: Trader }) =>
  dayPnl(await readRiskSnapshot(trader.work(), { now: fixture.now() }))
    .negated()
    .toNumber();
const openDay = (trader: Trader) => underAccountLock(trader.work(), (tx, now) => openAccountDay(tx, now));
const openingOf = async (trader: Trader): Promise<number | undefined> => {
  const row = await fixture.db
    .selectFrom('account_day')
    .select('opening_unrealized_pnl')
    .where('account_id', '=', trader.accountId)
    .where('day', '=', fixture.now().toISOString().slice(0, 10))
    .executeTakeFirst();
  return row && Number(row.opening_unrealized_pnl);
};

describe('the mark of a quote, which a trigger stores', () => {
  test('in a row: a bid, an unknown top of book or ten seconds without a quote restart the time', async () => {
    for (const between of [{ bid: '0.5', ask: '0.51' }, { unknown: true }, null]) {
      const { token } = await holder();
      await confirm(token, EMPTY, 8);
      if (between === null) fixture.wait(10_001);
      else await confirm(token, between, 2);
      await confirm(token, EMPTY, 8);
      expect((await markOf(token)).price).toBe(0.5);
    }
  });

  test('a market that is not open keeps its last bid, however long, if the venue still states it', async () => {
    for (const status of ['paused', 'closed'] as const) {
      const { token } = await holder();
      await confirm(token, { ...EMPTY, ask: null, status }, 60);
      expect(await markOf(token)).toEqual({ price: 0.5, ageMs: 2_000 });
    }
  });

  test('a late quote moves no mark; a clock that was set back by more than 30 s does', async () => {
    const { token } = await holder();
    fixture.wait(5_000);
    await fixture.quote(token, { bid: '0.45' });
    await fixture.quote(token, { bid: '0.1', ageMs: 4_000 });
    expect(await markOf(token)).toEqual({ price: 0.45, ageMs: 0 });
    await fixture.quote(token, { bid: '0.3', ageMs: 3_600_000 });
    expect(await markOf(token)).toEqual({ price: 0.3, ageMs: 3_600_000 });
    await fixture.quote(token, { bid: '0.35', ageMs: 3_599_000 });
    expect((await markOf(token)).price).toBe(0.35);
  });
});

describe('"no day is opened and no equity point kept on a mark that fell to 0 less than 10 s ago"', () => {
  test('but on the mark before; ten seconds later the 0 counts for both', async () => {
    const { trader, token } = await holder();
    await fixture.addDeployment(trader);
    await confirm(token, EMPTY, 12);
    expect((await markOf(token)).price).toBe(0);
    fixture.wait(Date.parse('2027-01-01T00:00:00.000Z') - fixture.now().getTime() - 7_000);
    await fixture.quote(token, { bid: '0.5', ask: '0.51' });
    const start = fixture.now().getTime();
    await confirm(token, EMPTY, 12);
    expect([(await markOf(token)).price, fixture.now().getTime() - start]).toEqual([0, 12_000]);
    // Before its day is opened, an account loses against the mark that would open it.
    expect(await lossOf({ trader })).toBeCloseTo(50, 9);
    await openDay(trader);
    await storeEquityPoints(fixture.db, fixture.now());
    expect(await openingOf(trader)).toBeCloseTo(0, 9);
    expect((await equityHistory(trader.work(), '1d')).at(-1)).toMatchObject({ unrealizedPnl: '0' });

    const { trader: later, token: other } = await holder();
    await fixture.addDeployment(later);
    await confirm(other, EMPTY, 22);
    fixture.wait(86_400_000);
    await openDay(later);
    await storeEquityPoints(fixture.db, fixture.now());
    expect(await openingOf(later)).toBe(-50);
    expect((await equityHistory(later.work(), '1d')).at(-1)).toMatchObject({ unrealizedPnl: '-50' });
  });

  test('a holding without a quote opens its day at its cost, without a note', async () => {
    const { trader, token } = await holder();
    await fixture.db.deleteFrom('quote').where('token_id', '=', token).execute();
    fixture.wait(86_400_000);
    expect(await lossOf({ trader })).toBeCloseTo(0, 9);
    await openDay(trader);
    expect(await openingOf(trader)).toBeCloseTo(0, 9);
  });
});

describe('no glitch of a quote', () => {
  /** Values that a venue may show for an instant apart from its market: none that lasts ten seconds. */
  type Glitch = 'crossed' | 'locked' | 'empty' | 'late' | 'back';
  const glitch = fc.constantFrom<Glitch>('crossed', 'locked', 'empty', 'late', 'back');
  const step = fc.record({
    cents: fc.integer({ min: 30, max: 70 }),
    glitches: fc.array(glitch, { maxLength: 4 }),
  });

  const show = (token: string, glitch: Glitch) => {
    switch (glitch) {
      case 'crossed':
        return fixture.quote(token, { unknown: true });
      case 'locked':
        return fixture.quote(token, { bid: '0.99', ask: '0.99' });
      case 'empty':
        return fixture.quote(token, { bid: null, ask: '0.99' });
      case 'late':
        return fixture.quote(token, { bid: '0.01', ageMs: 5_500 });
      case 'back':
        return fixture.quote(token, { bid: '0.01', ageMs: 29_000 });
    }
  };

  test('changes the daily loss by more than the true price did, in any sequence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { trader, token } = await holder();
        fixture.wait(2_000);
        for (const { cents, glitches } of steps) {
          await fixture.quote(token, { bid: (cents / 100).toFixed(2), ask: '0.99' });
          for (const each of glitches) {
            fixture.wait(1_000);
            await show(token, each);
            expect(await lossOf({ trader })).toBeCloseTo(50 - cents, 9);
          }
          fixture.wait(2_000);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('at the roll of a day switches the rule off or trips it', async () => {
    await fc.assert(
      fc.asyncProperty(glitch, fc.integer({ min: 10, max: 90 }), async (each, cents) => {
        const { trader, token } = await holder();
        const midnight = new Date(`${fixture.now().toISOString().slice(0, 10)}T23:59:59.000Z`).getTime();
        fixture.wait(midnight - fixture.now().getTime());
        await fixture.quote(token, { bid: '0.5', ask: '0.99' });
        fixture.wait(2_000);
        await show(token, each);
        await openDay(trader);
        expect(await openingOf(trader)).toBeCloseTo(0, 9);
        expect(await lossOf({ trader })).toBeCloseTo(0, 9);
        fixture.wait(2_000);
        await fixture.quote(token, { bid: (cents / 100).toFixed(2), ask: '0.99' });
        expect(await lossOf({ trader })).toBeCloseTo(50 - cents, 9);
      }),
      { numRuns: 10 },
    );
  });
});
