import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  type FilledOrder,
  isMissed,
  missedFillDifference,
  sortFills,
} from '../../../../engine/trading/reconciliation/compare/fills.ts';
import type { AccountFill } from '../../../../venues/broker.ts';

const SINCE = new Date('2026-11-20T12:00:00.000Z');
const ours = (terms: Partial<FilledOrder> = {}): FilledOrder => ({
  id: 'o-1',
  clientOrderId: 'c-1',
  venueOrderId: 'v-1',
  tradeIds: new Set(['booked']),
  ...terms,
});
const fill = (tradeId: string, terms: Partial<AccountFill> = {}): AccountFill => ({
  tradeId,
  amount: '4',
  price: '0.5',
  fee: '0.07',
  feeAsset: 'USD',
  feeAmount: '0.07',
  liquidity: 'taker',
  state: 'final',
  at: SINCE,
  venueOrderId: 'v-1',
  clientOrderId: 'c-1',
  tokenId: 'A:yes',
  side: 'buy',
  ...terms,
});
const foreign = (tradeId: string, terms: Partial<AccountFill> = {}) =>
  fill(tradeId, { venueOrderId: 'v-x', clientOrderId: 'c-x', ...terms });
const before = new Date(SINCE.getTime() - 1);

describe('fills that a venue account lists', () => {
  test('are ours by either name of the order, and missed if they are not booked', () => {
    const listed = [
      fill('by both'),
      fill('by its own name', { venueOrderId: 'other' }),
      fill('by the name of the venue', { clientOrderId: null }),
      fill('booked'),
      // The age does not matter: the order is ours.
      fill('old', { at: before }),
    ];
    const { missed, external, undone } = sortFills(listed, [ours()], SINCE);
    expect(missed.map(({ orderId, fill: { tradeId } }) => [orderId, tradeId])).toEqual([
      ['o-1', 'by both'],
      ['o-1', 'by its own name'],
      ['o-1', 'by the name of the venue'],
      ['o-1', 'old'],
    ]);
    expect([external, undone]).toEqual([[], []]);
  });

  test('of an order whose venue order id is not known yet are ours by its own id', () => {
    const unnamed = ours({ venueOrderId: null });
    expect(sortFills([fill('t')], [unnamed], SINCE).missed).toHaveLength(1);
    expect(sortFills([fill('t', { clientOrderId: null })], [unnamed], SINCE).external).toHaveLength(1);
  });

  test('of foreign orders are reported once, with their amount and worth', () => {
    const { missed, external } = sortFills([foreign('t'), foreign('t')], [ours()], SINCE);
    expect(missed).toEqual([]);
    expect(external).toEqual([
      {
        subject: 'fill:v-x:t',
        kind: 'external_fill',
        ours: exact(0),
        theirs: exact(4),
        worth: exact(2),
        about: {
          tokenId: 'A:yes',
          side: 'buy',
          price: '0.5',
          fee: '0.07',
          venueOrderId: 'v-x',
          tradeId: 't',
        },
      },
    ]);
  });

  test('of foreign orders from before the account was connected are no difference', () => {
    expect(sortFills([foreign('t', { at: before })], [ours()], SINCE).external).toEqual([]);
    expect(sortFills([foreign('t')], [ours()], SINCE).external).toHaveLength(1);
  });

  test('of foreign orders that the venue reversed no longer count, and no others are dropped with them', () => {
    const listed = [foreign('back'), foreign('stays'), foreign('back', { state: 'failed' })];
    const { external, undone } = sortFills(listed, [ours()], SINCE);
    expect(external.map(({ subject }) => subject)).toEqual(['fill:v-x:stays']);
    expect(undone).toEqual(['fill:v-x:back']);
  });

  test('of ours that the venue reversed no longer differ, unless a booking is still to be reversed', () => {
    const order = ours({ tradeIds: new Set(['booked', 'reversed', 'reversal:reversed']) });
    const back = (tradeId: string) => fill(tradeId, { state: 'failed' });
    const { missed, undone } = sortFills([back('never'), back('booked'), back('reversed')], [order], SINCE);
    expect(missed.map(({ fill: { tradeId } }) => tradeId)).toEqual(['booked']);
    expect(undone).toEqual(['fill:v-1:never', 'fill:v-1:reversed']);
  });
});

describe('fills that the books miss', () => {
  const isMissedWith = (state: AccountFill['state'], ...booked: string[]) =>
    isMissed(fill('t', { state }), new Set(booked));

  test('are trades that are not booked', () => {
    expect([isMissedWith('final'), isMissedWith('provisional'), isMissedWith('final', 't')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('are failures of a booked trade, once, and never of one that is not booked', () => {
    expect([
      isMissedWith('failed', 't'),
      isMissedWith('failed', 't', 'reversal:t'),
      isMissedWith('failed'),
    ]).toEqual([true, false, false]);
  });

  test('lag if not even the order shows them, and their worth is unknown', () => {
    expect(missedFillDifference({ orderId: 'o-1', fill: fill('t') })).toEqual({
      subject: 'fill:v-1:t',
      kind: 'lag',
      ours: exact(0),
      theirs: exact(4),
      worth: null,
      about: {
        tokenId: 'A:yes',
        side: 'buy',
        price: '0.5',
        fee: '0.07',
        venueOrderId: 'v-1',
        tradeId: 't',
        orderId: 'o-1',
      },
    });
  });
});
