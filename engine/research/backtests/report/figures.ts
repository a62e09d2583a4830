import type { Interval } from '../../../books/statistics/bootstrap.ts';
import type { Ratio } from '../../../books/statistics/ratio.ts';
import type { StoredSummary } from '../row.ts';

const REASON_WORDS: Readonly<Record<string, string>> = {
  no_trades: 'no trade ended',
  no_wins: 'no trade was won',
  no_losses: 'no trade was lost',
  too_few: 'too few days or trades',
  too_short: 'shorter than 30 days',
  zero_variance: 'nothing moved',
  no_downside: 'nothing fell short',
  no_drawdown: 'nothing fell',
  no_gain: 'nothing was gained',
};

/** Formats a figure, or the reason why there is none. */
const ratioText = (ratio: Ratio, of: (value: number) => string): string =>
  ratio.value === null ? `none: ${REASON_WORDS[ratio.reason] ?? ratio.reason}` : of(ratio.value);

const plain = (ratio: Ratio) => ratioText(ratio, (value) => value.toFixed(2));
const share = (ratio: Ratio) => ratioText(ratio, percent);
export const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;
const rangeOf = ({ low, high }: Interval): string => `${percent(low)} to ${percent(high)}`;
export const usd = (decimal: string | number): string =>
  `${Number(decimal).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`;
export const duration = (ms: number): string => {
  const hours = ms / 3_600_000;
  if (hours < 1) return `${(ms / 60_000).toFixed(0)} min`;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} d`;
};

const pairs = (of: Readonly<Record<string, string>>): [string, string][] => Object.entries(of);

/** Returns the figures of a result for people, in order. */
export function figuresOf({
  statistics,
  finalEquity,
  exitEquity,
  fees,
  buyAndHold,
  benchmark,
  costs,
  capacity,
  resampled,
  openCount,
}: StoredSummary): [name: string, value: string][] {
  const { drawdowns, trades, risk } = statistics;
  return [
    ['Net profit', usd(statistics.netProfit)],
    ['Return', share(statistics.totalReturn)],
    ['Buy and hold', buyAndHold === null ? 'none: contracts, or nothing traded' : percent(buyAndHold)],
    ['Final equity', usd(finalEquity)],
    ['If all were sold at the end', usd(exitEquity)],
    ['Fees', usd(fees)],
    ...(costs
      ? pairs({
          'Cost of the spread': usd(costs.spread),
          'Cost of slippage': usd(costs.slippage),
          'Cost of delay': usd(costs.delay),
          'Cost of what was not filled': usd(costs.unfilled),
        })
      : []),
    ...(capacity
      ? pairs({
          'Volume taken, mean of bars': share(capacity.meanShare),
          'Volume taken, most of one bar': share(capacity.maxShare),
        })
      : []),
    ...(benchmark
      ? pairs({
          'Alpha a year': share(benchmark.alpha),
          Beta: plain(benchmark.beta),
          'Tracking error': share(benchmark.trackingError),
        })
      : []),
    ['Growth a year', share(statistics.cagr)],
    ['Volatility a year', share(statistics.volatility)],
    ['Sharpe', plain(statistics.sharpe)],
    ...(risk
      ? pairs({
          'Sharpe, standard error': plain(risk.sharpeError),
          'Sharpe with autocorrelation': plain(risk.sharpeAdjusted),
          'Value at risk of a day, 95 %': share(risk.valueAtRisk),
          'Expected shortfall, 95 %': share(risk.expectedShortfall),
          'Time under water': share(risk.timeUnderWater),
          'Return on exposure': share(risk.returnOnExposure),
        })
      : []),
    ...(resampled
      ? pairs({
          'Return by luck, 90 %': rangeOf(resampled.totalReturn),
          'Largest drawdown by luck, 90 %': rangeOf(resampled.maxDrawdown),
        })
      : []),
    ['Sortino', plain(statistics.sortino)],
    ['Calmar', plain(statistics.calmar)],
    ['Probability that Sharpe is above 0', share(statistics.probabilisticSharpe)],
    ['Largest drawdown', drawdowns.max === null ? 'none' : percent(drawdowns.max.share)],
    ['Longest drawdown', duration(drawdowns.longestMs)],
    ['Time in the market', share(statistics.exposure)],
    ['Turnover', plain(statistics.turnover)],
    ['Trades ended', String(trades.closed)],
    ['Open at the end', String(openCount)],
    ['Won', share(trades.winRate)],
    ['Profit factor', plain(trades.profitFactor)],
    ['Mean result', ratioText(trades.expectancy, usd)],
    ['Mean win', ratioText(trades.meanWin, usd)],
    ['Mean loss', ratioText(trades.meanLoss, usd)],
    ['SQN', `${plain(trades.sqn)}${trades.isSqnUnreliable ? ', unreliable: under 30 trades' : ''}`],
    ['Mean time held', ratioText(trades.meanHeldMs, duration)],
  ];
}
