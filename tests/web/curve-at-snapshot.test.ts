import { expect, test } from 'vitest';
import { STATISTICS_EXAMPLE } from '../../routers/portfolio/statistics-view.ts';
import { curveAtSnapshot } from '../../web/src/statistics/curve-at-snapshot.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();

/** 10,000, a peak of 10,100, then 10,050 at 09:10, when all was made that the account shows as 80. */
const curve = {
  points: [
    { at: at(0), equity: 10_000, drawdown: 0 },
    { at: at(5), equity: 10_100, drawdown: 0 },
    { at: at(10), equity: 10_050, drawdown: 50 / 10_100 },
  ],
  totalPnl: 80,
  statistics: { ...STATISTICS_EXAMPLE, netProfit: 50, totalReturn: { value: 0.005 } },
};
const endOf = ({ equity, drawdown }: ReturnType<typeof curveAtSnapshot>) => [equity.at(-1), drawdown.at(-1)];

test('a curve ends at the instant and with the result of the snapshot, and its figures with it', () => {
  const { statistics, ...moved } = curveAtSnapshot(curve, { asOf: at(11), totalPnl: 60 });
  expect(endOf({ statistics, ...moved })).toEqual([
    { at: at(11), value: 10_030 },
    { at: at(11), value: -70 / 10_100 },
  ]);
  expect(moved.equity).toHaveLength(4);
  expect(statistics).toMatchObject({ netProfit: 30, to: at(11) });
  expect(statistics.totalReturn.value).toBeCloseTo(0.003, 12);
  const [october, november] = statistics.monthly.map(({ value }) => value);
  expect(october).toBe(0.0009);
  expect(november).toBeCloseTo((1.0003 * 10_030) / 10_050 - 1, 12);
});

test('a snapshot read before the curve ends it too: no point is later than the other numbers of the page', () => {
  const moved = curveAtSnapshot(curve, { asOf: at(9), totalPnl: 150 });
  expect(moved.equity.map((point) => point.at)).toEqual([at(0), at(5), at(9)]);
  expect(endOf(moved)).toEqual([
    { at: at(9), value: 10_120 },
    { at: at(9), value: 0 },
  ]);
});

test('a curve of a process of an earlier version, which states no result, stays as it was read', () => {
  const { totalPnl: _, ...earlier } = curve;
  const { equity, statistics } = curveAtSnapshot(earlier as typeof curve, { asOf: at(11), totalPnl: 60 });
  expect(equity.at(-1)?.value).toBe(curve.points.at(-1)?.equity);
  expect(statistics.netProfit).toBe(curve.statistics.netProfit);
});

test('an unchanged result changes nothing but the end, and an empty curve stays empty', () => {
  const same = curveAtSnapshot(curve, { asOf: at(10), totalPnl: 80 });
  expect(same.equity.map(({ value }) => value)).toEqual([10_000, 10_100, 10_050]);
  expect(same.drawdown.at(-1)?.value).toBeCloseTo(-50 / 10_100, 12);
  expect(same.statistics.netProfit).toBe(50);
  expect(curveAtSnapshot({ ...curve, points: [] }, { asOf: at(10), totalPnl: 80 }).equity).toEqual([]);
});

test('an open drawdown deepens, ends or begins with the snapshot, and the largest is that of the list', () => {
  const open = { share: 50 / 10_100, usd: 50, peakAt: at(5), troughAt: at(10), recoveredAt: null };
  const fallen = {
    ...curve,
    statistics: { ...curve.statistics, drawdowns: [open], maxDrawdown: open, longestDrawdownSec: 300 },
  };
  const deeper = curveAtSnapshot(fallen, { asOf: at(12), totalPnl: 60 }).statistics;
  expect(deeper.drawdowns).toEqual([{ ...open, share: 70 / 10_100, usd: 70, troughAt: at(12) }]);
  expect(deeper).toMatchObject({ maxDrawdown: deeper.drawdowns[0], longestDrawdownSec: 420 });

  const higher = curveAtSnapshot(fallen, { asOf: at(12), totalPnl: 100 }).statistics;
  expect(higher.drawdowns).toEqual([open]);
  const recovered = curveAtSnapshot(fallen, { asOf: at(12), totalPnl: 130 }).statistics;
  expect(recovered.drawdowns).toEqual([{ ...open, recoveredAt: at(12) }]);

  const atPeak = { ...curve, points: curve.points.slice(0, 2) };
  const begun = curveAtSnapshot(atPeak, { asOf: at(6), totalPnl: 70 }).statistics;
  expect(begun.drawdowns).toEqual([
    { share: 10 / 10_100, usd: 10, peakAt: at(5), troughAt: at(6), recoveredAt: null },
  ]);
});
