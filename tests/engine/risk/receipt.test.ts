import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import { decide } from '../../../engine/risk/decide.ts';
import { startDrawdownState } from '../../../engine/risk/drawdown-state.ts';
import { staleMarkOf } from '../../../engine/risk/mark-age.ts';
import { buildReceipt } from '../../../engine/risk/receipt.ts';
import { aggregatesOf, dayOf, dayPnl, unrealizedPnl } from '../../../engine/risk/risk-snapshot.ts';
import { held, NOW, SNAPSHOT } from './risk-snapshot.ts';

describe('the values that rules measure', () => {
  test('unrealized is the value at the bid less cost', () => {
    expect(unrealizedPnl(SNAPSHOT.held).toFixed()).toBe('-1.2');
    expect(unrealizedPnl([]).toFixed()).toBe('0');
    expect(unrealizedPnl([held('C', '0.000000000001', '0', '0.5')]).toFixed()).toBe('0');
  });

  test('the day is realized plus unrealized now less unrealized at 00:00 UTC', () => {
    expect(dayPnl(SNAPSHOT).toFixed()).toBe('-2.5');
    expect(dayPnl({ ...SNAPSHOT, day: null }).toFixed()).toBe('0');
  });

  test('a holding without a quote does not affect the day; one that fell to 0 a moment ago opens it at its earlier mark', () => {
    expect(unrealizedPnl([held('C', '3', '1', null)]).toFixed()).toBe('0');
    const fallen = held('C', '10', '5', '0', 0, '0.6');
    expect(dayOf({ day: null, held: [fallen] }).openingUnrealizedPnl.toFixed()).toBe('1');
    expect(dayPnl({ day: null, held: [fallen] }).toFixed()).toBe('-6');
  });

  test('the mark that stops buys is the oldest that is too old, or one that is missing or of the future', () => {
    const at = (tokenId: string, ageMs: number) => held(tokenId, '1', '1', '0.5', ageMs);
    const stale = (...marks: ReturnType<typeof at>[]) => staleMarkOf(marks, NOW);
    expect(stale(at('A', 30_000), at('B', -2_000))).toBeNull();
    expect(stale(at('A', 30_001), at('B', 40_500), at('C', 35_000))).toEqual({ tokenId: 'B', ageSec: 40.5 });
    expect(stale(at('A', 40_500), at('B', 40_500))).toEqual({ tokenId: 'A', ageSec: 40.5 });
    expect(stale(at('A', -2_001))).toEqual({ tokenId: 'A', ageSec: -2.001 });
    expect(stale(at('A', 50_000), held('D', '1', '1', null))).toEqual({ tokenId: 'D', ageSec: null });
  });

  test('free cash is cash less the reserve of live buys', () => {
    expect(aggregatesOf(SNAPSHOT, exact(7), NOW)).toEqual({
      exposures: new Map([
        ['A', exact(5)],
        ['B', exact('11.5')],
        ['C', exact(2)],
      ]),
      blueprintStakes: new Map([
        ['one', exact('15.5')],
        ['two', exact(3)],
      ]),
      queuedLastMinute: 4,
      freeCash: exact('987.5'),
      dayPnl: exact('-2.5'),
      trippedAt: null,
      drawdown: null,
      dust: new Set(),
      staleMark: null,
      lastLossAt: null,
      heldAndFree: exact(7),
    });
  });

  test("the distance from the high-water mark is measured at the account's marks", () => {
    const watch = { ...startDrawdownState(exact(10), NOW), trippedAt: NOW };
    const { drawdown } = aggregatesOf({ ...SNAPSHOT, watch }, exact(7), NOW);
    expect(drawdown?.below.toFixed()).toBe('13.2');
    expect(drawdown?.trippedAt).toEqual(NOW);
  });
});

describe('the receipt', () => {
  const facts = {
    tokenId: 'A',
    side: 'buy' as const,
    amount: exact(10),
    size: exact(5),
    maxFee: exact('0.1'),
    approval: { by: 'nobody' as const },
  };
  const decision = decide(SNAPSHOT.rules, aggregatesOf(SNAPSHOT, exact(0), NOW), facts, NOW);

  test('carries rules and version, lines, cash, the day and the marks with their age', () => {
    expect(buildReceipt(SNAPSHOT, decision, NOW)).toEqual({
      decidedAt: '2026-11-20T12:00:00.000Z',
      rulesVersion: 3,
      rules: SNAPSHOT.rules,
      verdict: 'queued',
      lines: decision.receipt,
      cash: '1000',
      reserved: '12.5',
      day: { realizedPnl: '-2', unrealizedPnl: '-1.2', openingUnrealizedPnl: '-0.7', trippedAt: null },
      marks: [
        { tokenId: 'A', amount: '10', price: '0.48', asOf: '2026-11-20T11:59:58.501Z', ageSec: 1 },
        { tokenId: 'B', amount: '3', price: '0', asOf: '2026-11-20T11:59:58.000Z', ageSec: 2 },
      ],
    });
  });

  test('of the first decision of a day opens it at the present unrealized result', () => {
    expect(buildReceipt({ ...SNAPSHOT, day: null }, decision, NOW).day).toEqual({
      realizedPnl: '0',
      unrealizedPnl: '-1.2',
      openingUnrealizedPnl: '-1.2',
      trippedAt: null,
    });
  });

  test('states for a holding without a quote that it has neither price nor age', () => {
    const { marks } = buildReceipt({ ...SNAPSHOT, held: [held('C', '3', '1', null)] }, decision, NOW);
    expect(marks).toEqual([{ tokenId: 'C', amount: '3', price: null, asOf: null, ageSec: null }]);
  });

  test('has the spending limits of a key, the route to the venue and the bounds of a live order', () => {
    const extras = {
      envelope: { keyId: 'k', spentToday: '0', isOutside: false, hasEnded: false },
      live: { service: {}, spentToday: '0' },
    };
    const route = { connectionId: 'c', state: 'ready' as const, isLiveOn: true };
    expect(buildReceipt(SNAPSHOT, decision, NOW, { ...extras, route })).toEqual({
      ...buildReceipt(SNAPSHOT, decision, NOW),
      ...extras,
      passage: route,
    });
    const none = { envelope: null, route: null, live: null };
    expect(Object.keys(buildReceipt(SNAPSHOT, decision, NOW, none))).toEqual(
      Object.keys(buildReceipt(SNAPSHOT, decision, NOW)),
    );
  });

  test('states the values of the drawdown stop while that is on, and whether it had stopped the account', () => {
    const watch = startDrawdownState(exact('20.5'), new Date(NOW.getTime() - 60_000));
    const drawdown = {
      since: '2026-11-20T11:59:00.000Z',
      highWaterMark: '20.5',
      realizedPnl: '-2',
      trippedAt: null,
    };
    expect(buildReceipt({ ...SNAPSHOT, watch }, decision, NOW).drawdown).toEqual(drawdown);
    const stopped = { ...watch, trippedAt: NOW };
    expect(buildReceipt({ ...SNAPSHOT, watch: stopped }, decision, NOW).drawdown).toEqual({
      ...drawdown,
      trippedAt: '2026-11-20T12:00:00.000Z',
    });
    expect(buildReceipt(SNAPSHOT, decision, NOW)).not.toHaveProperty('drawdown');
  });

  test('states when the daily loss tripped the account', () => {
    expect(buildReceipt({ ...SNAPSHOT, trippedAt: NOW }, decision, NOW).day.trippedAt).toBe(
      '2026-11-20T12:00:00.000Z',
    );
  });

  test('is plain JSON', () => {
    const receipt = buildReceipt(SNAPSHOT, decision, NOW);
    expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt);
  });
});
