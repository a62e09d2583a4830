import type { Inputs } from '../api/trpc.ts';
import { amount, fineShare, signedFineShare, signedUsd } from '../format/number.ts';
import { type Message, msg } from '../language/language.ts';
import type { SweepForm } from './form-values.ts';

const factor = (value: number): string => amount(Number(value.toPrecision(3)));

export type FigureFormat = { readonly title: Message; readonly write: (value: number) => string };

/** The figures that trials are ranked by, and their formats. */
export const OBJECTIVES: Readonly<Record<SweepForm['statistic'], FigureFormat>> = {
  sharpe: { title: msg('Sharpe'), write: factor },
  sortino: { title: msg('Sortino'), write: factor },
  calmar: { title: msg('Calmar'), write: factor },
  totalReturn: { title: msg('Total return'), write: signedFineShare },
  netProfit: { title: msg('Net profit'), write: signedUsd },
  profitFactor: { title: msg('Profit factor'), write: factor },
  expectancy: { title: msg('Average P&L'), write: signedUsd },
  sqn: { title: msg('SQN'), write: factor },
};

export type GridMetric = Inputs['console']['sweepGrid']['metric'];

/** The figures of a map other than the ranking one. */
export const METRICS: Readonly<Record<Exclude<GridMetric, 'score'>, FigureFormat>> = {
  totalReturn: OBJECTIVES.totalReturn,
  sharpe: OBJECTIVES.sharpe,
  sortino: OBJECTIVES.sortino,
  calmar: OBJECTIVES.calmar,
  profitFactor: OBJECTIVES.profitFactor,
  maxDrawdown: { title: msg('Max. drawdown'), write: (value) => fineShare(-value) },
  closed: { title: msg('Trades'), write: amount },
};

/** The maximum tint, so that the text stays readable. */
const TINT_MAX_PCT = 42;

/**
 * The strength and direction of a cell's tint. Figures with a sign are tinted from zero, others from the least to the most. 0
 * to 1.
 */
export function tintOf(
  value: number,
  all: readonly number[],
  metric: GridMetric,
): { strength: number; isBad: boolean } {
  const most = Math.max(...all.map(Math.abs));
  if (metric === 'maxDrawdown') return { strength: most === 0 ? 0 : value / most, isBad: true };
  const least = Math.min(...all);
  if (least < 0) return { strength: most === 0 ? 0 : Math.abs(value) / most, isBad: value < 0 };
  return { strength: most === least ? 0 : (value - least) / (most - least), isBad: false };
}

/** The background of a cell by its tint. */
export function tintStyle(value: number, all: readonly number[], metric: GridMetric): { background: string } {
  const { strength, isBad } = tintOf(value, all, metric);
  const color = isBad ? '--down' : metric === 'closed' ? '--accent' : '--up';
  return {
    background: `color-mix(in srgb, var(${color}) ${Math.round(strength * TINT_MAX_PCT)}%, transparent)`,
  };
}
