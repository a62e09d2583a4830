import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/decimal.ts';
import { aggregatesOf, dayPnl, unrealizedPnl } from '../../../engine/risk/basis.ts';
import { decide } from '../../../engine/risk/decide.ts';
import { writeReceipt } from '../../../engine/risk/receipt.ts';
import { BASIS, held, NOW } from './basis.ts';

describe('what the rules measure', () => {
  test('unrealized is worth at the bid less cost; what was never quoted says nothing', () => {
    expect(unrealizedPnl(BASIS.held).toFixed()).toBe('-0.2');
    expect(unrealizedPnl([]).toFixed()).toBe('0');
    expect(unrealizedPnl([held('C', '0.000000000001', '0', '0.5')]).toFixed()).toBe('0');
  });

  test('the day is realized plus unrealized now less unrealized at 00:00 UTC', () => {
    expect(dayPnl(BASIS).toFixed()).toBe('-1.5');
    expect(dayPnl({ ...BASIS, day: null }).toFixed()).toBe('0');
  });

  test('free cash is cash less what live buys reserve', () => {
    expect(aggregatesOf(BASIS, exact(7))).toEqual({
      openInstruments: 2,
      instrumentIsOpen: true,
      queuedLastMinute: 4,
      freeCash: exact('987.5'),
      dayPnl: exact('-1.5'),
      lastLossAt: null,
      heldAndFree: exact(7),
    });
  });
});

describe('the receipt', () => {
  const facts = {
    side: 'buy' as const,
    amount: exact(10),
    size: exact(5),
    worstFee: exact('0.1'),
    approval: { by: 'nobody' as const },
  };
  const decision = decide(BASIS.rules, aggregatesOf(BASIS, exact(0)), facts, NOW);

  test('carries rules and version, lines, cash, the day and the marks with their age', () => {
    expect(writeReceipt(BASIS, decision, NOW)).toEqual({
      decidedAt: '2026-11-20T12:00:00.000Z',
      rulesVersion: 3,
      rules: BASIS.rules,
      verdict: 'queued',
      lines: decision.receipt,
      cash: '1000',
      reserved: '12.5',
      day: { realizedPnl: '-2', unrealizedPnl: '-0.2', openingUnrealizedPnl: '-0.7' },
      marks: [
        { tokenId: 'A', amount: '10', price: '0.48', asOf: '2026-11-20T11:59:58.501Z', ageSec: 1 },
        { tokenId: 'B', amount: '3', price: null, asOf: null, ageSec: null },
      ],
    });
  });

  test('of the first decision of a day opens it at what is unrealized now', () => {
    expect(writeReceipt({ ...BASIS, day: null }, decision, NOW).day).toEqual({
      realizedPnl: '0',
      unrealizedPnl: '-0.2',
      openingUnrealizedPnl: '-0.2',
    });
  });

  test('is plain JSON', () => {
    const receipt = writeReceipt(BASIS, decision, NOW);
    expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt);
  });
});
