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

test('an unchanged result changes nothing but the end, and an empty curve stays empty', () => {
  const same = curveAtSnapshot(curve, { asOf: at(10), totalPnl: 80 });
  expect(same.equity.map(({ value }) => value)).toEqual([10_000, 10_100, 10_050]);
  expect(same.drawdown.at(-1)?.value).toBeCloseTo(-50 / 10_100, 12);
  expect(same.statistics.netProfit).toBe(50);
  expect(curveAtSnapshot({ ...curve, points: [] }, { asOf: at(10), totalPnl: 80 }).equity).toEqual([]);
});
