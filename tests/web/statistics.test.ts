import { expect, test } from 'vitest';
import { STATISTICS_EXAMPLE } from '../../routers/portfolio/statistics-view.ts';
import {
  listedDrawdowns,
  monthRows,
  returnFigures,
  riskFigures,
  rollingSharpePoints,
  type Statistics,
  tradeFigures,
} from '../../web/src/format/research/statistics.ts';
import { tailFigures } from '../../web/src/format/research/tails.ts';

const none = (reason: 'no_trades' | 'too_few' | 'too_short') => ({ value: null, reason });
const allOf = (of: Statistics) => [
  ...returnFigures(of),
  ...riskFigures(of),
  ...tailFigures(of),
  ...tradeFigures(of),
];
const named = (of: Statistics, title: string) => allOf(of).find((figure) => figure.title === title);

test('a missing figure is a dash with the reason in words, never a 0 and never NaN', () => {
  const empty: Statistics = {
    ...STATISTICS_EXAMPLE,
    sharpe: none('too_few'),
    cagr: none('too_short'),
    trades: { ...STATISTICS_EXAMPLE.trades, closed: 0, winRate: none('no_trades'), best: null, worst: null },
  };
  expect(named(empty, 'Sharpe')).toMatchObject({ value: '—', note: 'too little to go by' });
  expect(named(empty, 'CAGR')).toMatchObject({ value: '—', note: 'less than 30 days' });
  expect(named(empty, 'Win rate')).toMatchObject({ value: '—', note: 'no closed trades' });
  expect(named(empty, 'Best and worst')).toMatchObject({ value: '—', note: 'no closed trades' });
  expect(JSON.stringify(allOf(empty))).not.toMatch(/NaN|Infinity|null/);
});

test('every figure has a definition and a unique name', () => {
  const figures = allOf(STATISTICS_EXAMPLE);
  expect(figures.filter(({ definition }) => definition.length < 20)).toEqual([]);
  expect(new Set(figures.map(({ title }) => title)).size).toBe(figures.length);
});

test('a small share keeps two digits, one under a hundredth of a per cent none, and a large one is rounded', () => {
  expect(named(STATISTICS_EXAMPLE, 'Total return')?.value).toBe('+0.12%');
  const tiny = { ...STATISTICS_EXAMPLE, totalReturn: { value: -0.0000021 } };
  expect(named(tiny, 'Total return')?.value).toBe('−<0.01%');
});

test('months are grouped by year, the newest first, with the year compounded', () => {
  const month = (name: string, value: number) => ({ month: name, value, isPartial: false });
  const [newest, oldest] = monthRows([month('2025-12', 0.1), month('2026-01', 0.5), month('2026-03', -0.5)]);
  expect(newest).toMatchObject({ year: '2026' });
  expect(newest?.total).toBeCloseTo(-0.25);
  expect(newest?.months.map((each) => each?.value ?? null).slice(0, 4)).toEqual([0.5, null, -0.5, null]);
  expect(oldest).toMatchObject({ year: '2025' });
  expect(oldest?.months[11]?.value).toBe(0.1);
});

test('a drawdown below 0.01% is not listed', () => {
  const drawdown = (share: number) => ({
    share,
    usd: share * 10_000,
    peakAt: '2026-11-20T00:00:00Z',
    troughAt: '2026-11-20T01:00:00Z',
    recoveredAt: null,
  });
  const drawdowns = [0.02, 0.0001, 0.000099, 0.0000013].map(drawdown);
  expect(listedDrawdowns({ drawdowns }).map(({ share }) => share)).toEqual([0.02, 0.0001]);
});

test('a rolling figure has a gap where nothing moved, and no line across it', () => {
  const values = [0.5, null, null, 1.2, 1.3].map((value, day) => ({ day: `2026-11-0${day + 1}`, value }));
  expect(rollingSharpePoints(values)).toEqual([
    { at: '2026-11-01T23:59:59.999Z', value: 0.5, isBeforeGap: true },
    { at: '2026-11-04T23:59:59.999Z', value: 1.2 },
    { at: '2026-11-05T23:59:59.999Z', value: 1.3 },
  ]);
});
