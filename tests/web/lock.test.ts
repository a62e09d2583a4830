import { expect, test } from 'vitest';
import { exact } from '../../engine/platform/decimal.ts';
import type { CheckInput } from '../../engine/risk/rule.ts';
import { maxDailyLoss } from '../../engine/risk/rules/max-daily-loss.ts';
import { maxDrawdown } from '../../engine/risk/rules/max-drawdown.ts';
import { locksIn } from '../../web/src/format/trading/lock.ts';

const SINCE = '2026-11-20T12:00:00.000Z';

/** An account that reached both limits then. */
const account = {
  dayPnl: exact('-250'),
  staleMark: null,
  trippedAt: new Date(SINCE),
  drawdown: { below: exact('20'), trippedAt: new Date(SINCE) },
};
const lineOf = (rule: typeof maxDailyLoss | typeof maxDrawdown, of: object) => ({
  rule: rule.name,
  note: rule.usage?.({ account: of } as CheckInput)?.note,
});

test('a lock is known from what the service notes of its rule: of the day until midnight, of a drawdown without an end', () => {
  const lines = [maxDailyLoss, maxDrawdown].map((rule) => lineOf(rule, account));
  expect(locksIn(lines)).toEqual([
    { line: lines[0], since: SINCE, endsAtMidnight: true },
    { line: lines[1], since: SINCE, endsAtMidnight: false },
  ]);
});

test('an account below its limits has no lock, nor one whose marks are too old', () => {
  const open = { ...account, trippedAt: null, drawdown: null };
  const stale = { ...open, staleMark: { tokenId: 'BTCUSDT', ageSec: 700 } };
  expect(locksIn([open, stale].map((of) => lineOf(maxDailyLoss, of)))).toEqual([]);
});
