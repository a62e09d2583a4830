import { describe, expect, test } from 'vitest';
import type { PositionRow } from '../../../../engine/books/accounting/booking.ts';
import { exact } from '../../../../engine/platform/decimal.ts';
import type { InstrumentRow } from '../../../../engine/trading/orders/row.ts';
import type { FreeHolding } from '../../../../engine/trading/orders/terms/allocate.ts';
import {
  holdingsToWriteOff,
  maxUnitValue,
  planWriteOff,
  unsellableReason,
  type WriteOffFacts,
  type WriteOffRequest,
} from '../../../../engine/trading/positions/plan-write-off.ts';
import { position } from '../orders/answer.ts';
import { INSTRUMENT, market, NOW, refusalOf } from '../orders/market.ts';

const GONE = { delisted_at: '2026-11-19 12:00:00+00' };
const UNPAID: Partial<InstrumentRow> = { status: 'settled' };
const PAID: Partial<InstrumentRow> = { status: 'settled', settlement_value: '1' };
const SPOT = { kind: 'spot' } as const;
const DELISTED = `Its venue does not know ${INSTRUMENT.token_id} any more.`;

const holding = (row: PositionRow, free = row.amount): FreeHolding => ({
  positionId: row.id,
  blueprintId: row.blueprint_id,
  held: exact(row.amount),
  free: exact(free),
});
const FIRST = position('p-1', '10', { fill_count: 2 });
const SECOND = position('p-2', '0.5', { blueprint_id: 'b-2' });
const FACTS: WriteOffFacts = {
  market: market({ instrument: GONE, quote: null }),
  mark: exact('0.3'),
  holdings: [holding(FIRST), holding(SECOND)],
  positions: [FIRST, SECOND],
};
const writeOff = (request: Partial<WriteOffRequest> = {}, facts: Partial<WriteOffFacts> = {}) =>
  planWriteOff({ tokenId: INSTRUMENT.token_id, value: '0', ...request }, { ...FACTS, ...facts }, NOW);
const refused = (...input: Parameters<typeof writeOff>) => refusalOf(() => writeOff(...input));

describe('a write-off', () => {
  test('books all of a blueprint at the value, with an event and an audit row of reason, cost and result', () => {
    const { fills, ...left } = writeOff({ value: '0.250', blueprintId: 'b-1' });
    expect(fills).toMatchObject([
      {
        fill: {
          kind: 'write_off',
          orderId: null,
          venue: 'venue-a',
          venueTradeId: 'write_off:p-1:2',
          side: 'sell',
          connectionId: null,
          at: NOW,
        },
        realizedPnl: exact('-1.5'),
      },
    ]);
    expect(left).toEqual({
      audits: [
        {
          action: 'position.written_off',
          subjectId: 'p-1',
          before: { tokenId: 'KXTEST:yes', amount: '10', cost: '4' },
          after: { value: '0.25', realizedPnl: '-1.5', reason: DELISTED, tradeId: 'write_off:p-1:2' },
          at: NOW,
        },
      ],
      events: [
        {
          type: 'position.changed',
          payload: { tokenId: 'KXTEST:yes', blueprintId: 'b-1', writtenOff: '0.25' },
        },
      ],
      written: { tokenId: 'KXTEST:yes', amount: '10', value: '0.25', realizedPnl: '-1.5' },
    });
  });

  test('without a blueprint covers the whole holding, and sums its result', () => {
    const { fills, events, written } = writeOff();
    expect(fills.map(({ draws: [draw] }) => draw.positionId)).toEqual(['p-1', 'p-2']);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { blueprintId: 'b-1' },
      { blueprintId: 'b-2' },
    ]);
    expect(written).toEqual({ tokenId: 'KXTEST:yes', amount: '10.5', value: '0', realizedPnl: '-4.2' });
  });

  test('names the venue account that holds it', () => {
    expect(writeOff({}, { connectionId: 'c-1' }).fills.map(({ fill }) => fill.connectionId)).toEqual([
      'c-1',
      'c-1',
    ]);
  });

  test('of nothing is not found', () => {
    const refusal = refused({ blueprintId: 'b-3' });
    expect(refusal).toMatchObject({ code: 'not_found', message: 'Nothing of KXTEST:yes is held.' });
    expect(refused({}, { holdings: [] }).code).toBe('not_found');
  });

  test("is refused while an order holds some of it, but not for an order's holding of another blueprint", () => {
    const holdings = [holding(FIRST, '9'), holding(SECOND)];
    expect(refused({}, { holdings })).toMatchObject({
      code: 'invalid_state',
      message: 'An order still holds some of KXTEST:yes: cancel it first.',
    });
    expect(writeOff({ blueprintId: 'b-2' }, { holdings }).written.amount).toBe('0.5');
  });

  test.each<[string, Partial<InstrumentRow>, string]>([
    ['can be sold', {}, 'It can be sold: close it.'],
    ['is closed for now', { status: 'closed' }, 'It will be paid once its venue states the value.'],
    ['will be paid', PAID, 'It will be paid once its venue states the value.'],
  ])('is refused for what %s', (_what, instrument, way) => {
    expect(refused({}, { market: market({ instrument }) })).toMatchObject({
      code: 'invalid_state',
      message: `KXTEST:yes cannot be written off. ${way}`,
    });
  });

  test.each(['-0.01', '1.01'])('at %s a unit is refused: an outcome is worth from 0 to 1', (value) => {
    const message = `The value must be from 0 to 1 USD, got ${value}.`;
    expect(refused({ value })).toMatchObject({
      code: 'validation_failed',
      message,
      issues: [{ path: '/value', code: 'invalid_value', message }],
    });
  });

  test.each(['0', '1'])('at %s a unit is booked: both ends are values', (value) => {
    expect(writeOff({ value }).written.value).toBe(value);
  });
});

describe('the holdings to write off', () => {
  test('are the whole holding, or that of a blueprint', () => {
    const all = [holding(FIRST), holding(SECOND)];
    expect(holdingsToWriteOff(all, null)).toEqual({ all, chosen: all });
    expect(holdingsToWriteOff(all, 'b-2')).toEqual({ all, chosen: [holding(SECOND)] });
  });
});

describe('a holding is unsellable', () => {
  const reason = (instrument: Partial<InstrumentRow>, held: string, all?: string) =>
    unsellableReason(market({ instrument }), exact(held), all === undefined ? undefined : exact(all));

  test('if its venue no longer knows the instrument, or never stated the payout', () => {
    expect(reason(GONE, '10')).toBe(DELISTED);
    expect(reason(UNPAID, '10')).toBe(
      'The market of KXTEST:yes is settled, and its venue has not said what it pays.',
    );
  });

  test("if it is below its venue's minimum; the reason states if all of the account could be sold together", () => {
    const dust = reason({}, '0.5');
    expect(dust).toMatch(/0\.5/);
    expect(reason({}, '0.5', '0.9')).toBe(reason({}, '0.5'));
    expect(reason({}, '0.5', '1.5')).toBe(`${dust} All 1.5 of the account can be sold together.`);
  });

  test.each<[string, Partial<InstrumentRow>, string]>([
    ['it can be sold', {}, '10'],
    ['its market is closed and may open again', { status: 'closed' }, '0.5'],
    ['it will be paid', PAID, '0.5'],
    ['it will be paid, though its market still says that it is open', { settlement_value: '1' }, '0.5'],
  ])('but not once %s', (_what, instrument, held) => {
    expect(reason(instrument, held)).toBeNull();
  });
});

describe('a unit is booked at most at', () => {
  const most = (instrument: Partial<InstrumentRow>, mark: string, bid: string | null | undefined = '0.48') =>
    maxUnitValue(market({ instrument, quote: bid === undefined ? null : { bid } }), exact(mark)).toFixed();

  test('the best bid, while it is traded, or its mark without a bid', () => {
    expect(most({}, '0.3')).toBe('0.48');
    expect(most({}, '0.3', null)).toBe('0.3');
    expect(maxUnitValue(market({ quote: null }), exact('0.3')).toFixed()).toBe('0.3');
  });

  test('the highest payout of an outcome, or the last mark of a coin, once it is no longer traded', () => {
    expect(most(GONE, '0.3')).toBe('1');
    expect(most({ ...GONE, ...SPOT }, '250')).toBe('250');
    expect(most({ ...GONE, ...SPOT }, '-1')).toBe('0');
  });
});
