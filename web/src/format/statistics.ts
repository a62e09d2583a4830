import type { Outputs } from '../api/trpc.ts';
import { type Message, msg, t } from '../language/language.ts';
import { amount, fineShare, share, signedFineShare, signedUsd, usd } from './number.ts';
import { duration } from './time.ts';

/** What a span of trading came to, as the service tells it of live books and of simulated ones. */
export type Statistics = Outputs['portfolio']['statistics'];
export type Ratio = Statistics['sharpe'];
type Reason = Extract<Ratio, { value: null }>['reason'];

const REASONS: Readonly<Record<Reason, Message>> = {
  no_trades: msg('no trade has ended'),
  no_wins: msg('no trade was won'),
  no_losses: msg('no trade was lost'),
  too_few: msg('too little to go by'),
  too_short: msg('less than 30 days'),
  zero_variance: msg('nothing moved'),
  no_downside: msg('nothing fell short'),
  no_drawdown: msg('it never fell'),
};

/** A figure as it is read: its value, or a dash and why there is none. */
export type Figure = {
  readonly title: string;
  /** What it is, for who asks. */
  readonly definition: string;
  readonly value: string;
  /** Why there is no value, or what to know of it. */
  readonly note?: string | undefined;
  /** Of what is good above nothing and bad below. */
  readonly sign?: number | undefined;
};

/** The figure in words, or why there is none. */
const told = (ratio: Ratio, write: (value: number) => string): Pick<Figure, 'value' | 'note'> =>
  ratio.value === null ? { value: '—', note: t(REASONS[ratio.reason]) } : { value: write(ratio.value) };

const signOf = ({ value }: Ratio): number | undefined => value ?? undefined;
const factor = (value: number): string => amount(Number(value.toPrecision(3)));
const heldFor = (sec: number): string => duration(sec * 1_000);

export const returnFigures = (of: Statistics): Figure[] => [
  {
    title: t('Net profit'),
    definition: t(
      'Equity at the end less equity at the start. What is held counts at its mark; money brought in or taken out does not count.',
    ),
    value: signedUsd(of.netProfit),
    sign: of.netProfit,
  },
  {
    title: t('Total return'),
    definition: t('Daily returns one after the other: the end over the start, less one.'),
    ...told(of.totalReturn, signedFineShare),
    sign: signOf(of.totalReturn),
  },
  {
    title: t('Growth a year'),
    definition: t('CAGR: the return as it would be for 365 days. Of less than 30 days it says nothing.'),
    ...told(of.cagr, signedFineShare),
    sign: signOf(of.cagr),
  },
  {
    title: t('Exposure'),
    definition: t('The share of the time in which anything was held.'),
    ...told(of.exposure, share),
  },
  {
    title: t('Equity held'),
    definition: t('The mean share of equity that was held, weighted by time.'),
    ...told(of.exposureOfEquity, fineShare),
  },
  {
    title: t('Turnover'),
    definition: t('Bought and sold, settlements not counted, over the equity at the start.'),
    ...told(of.turnover, factor),
  },
];

export const riskFigures = (of: Statistics): Figure[] => [
  {
    title: t('Largest drawdown'),
    definition: t('The deepest fall from a peak, of all points and not of days, as a share of the peak.'),
    ...(of.maxDrawdown
      ? { value: fineShare(-of.maxDrawdown.share), note: usd(-of.maxDrawdown.usd) }
      : { value: share(0), note: t(REASONS.no_drawdown) }),
  },
  {
    title: t('Longest drawdown'),
    definition: t('The longest time from a peak until it was reached again, or until the end.'),
    value: of.longestDrawdownSec === 0 ? '—' : heldFor(of.longestDrawdownSec),
    note: of.longestDrawdownSec === 0 ? t(REASONS.no_drawdown) : undefined,
  },
  {
    title: t('Volatility'),
    definition: t('The deviation of daily returns, for a year of 365 days.'),
    ...told(of.volatility, fineShare),
  },
  {
    title: t('Sharpe'),
    definition: t('Mean daily return over its deviation, for a year. Riskless return 0 unless asked for.'),
    ...told(of.sharpe, factor),
  },
  {
    title: t('Sortino'),
    definition: t('As Sharpe, but only what falls short counts as risk, over all days.'),
    ...told(of.sortino, factor),
  },
  {
    title: t('Calmar'),
    definition: t('Growth a year over the largest drawdown, of the whole span.'),
    ...told(of.calmar, factor),
  },
  {
    title: t('Sharpe above 0'),
    definition: t(
      'Probabilistic Sharpe (Bailey, López de Prado 2012): how sure it is that the true ratio is above nothing, by length, skew and tails of the daily returns.',
    ),
    ...told(of.probabilisticSharpe, share),
  },
];

export function tradeFigures({ trades: of, calibration }: Statistics): Figure[] {
  return [
    {
      title: t('Trades'),
      definition: t('A trade is a position from flat through held to flat. It counts where it ended.'),
      value: amount(of.closed),
      note: of.isCut
        ? t('older fills are left out')
        : of.open > 0
          ? t('and {open, plural, one {# trade} other {# trades}} open', { open: of.open })
          : undefined,
    },
    {
      title: t('Won'),
      definition: t('Won over all that ended. A flat one is neither won nor lost, and counts.'),
      ...told(of.winRate, share),
      ...(of.closed > 0 && {
        note: t('{wins} won, {losses} lost{flat}', {
          wins: amount(of.wins),
          losses: amount(of.losses),
          flat: of.flat > 0 ? t(', {flat} flat', { flat: amount(of.flat) }) : '',
        }),
      }),
    },
    {
      title: t('Profit factor'),
      definition: t('All that was won over all that was lost, after fees.'),
      ...told(of.profitFactor, factor),
    },
    {
      title: t('Mean result'),
      definition: t('Expectancy: the mean result of a trade, after fees; in R, over the mean loss.'),
      ...told(of.expectancy, signedUsd),
      ...(of.expectancyR.value !== null && { note: `${factor(of.expectancyR.value)} R` }),
      sign: signOf(of.expectancy),
    },
    {
      title: t('Mean win'),
      definition: t('The mean result of the trades that were won.'),
      ...told(of.meanWin, usd),
    },
    {
      title: t('Mean loss'),
      definition: t('The mean result of the trades that were lost.'),
      ...told(of.meanLoss, (value) => usd(-Math.abs(value))),
    },
    {
      title: t('Payoff'),
      definition: t('Mean win over mean loss.'),
      ...told(of.payoff, factor),
    },
    {
      title: t('Best and worst'),
      definition: t('The largest win and the largest loss of one trade.'),
      value: of.best === null ? '—' : signedUsd(of.best),
      note: of.worst === null ? t(REASONS.no_trades) : t('worst {worst}', { worst: signedUsd(of.worst) }),
    },
    {
      title: t('Held for'),
      definition: t('The mean time from the first buy to flat, and the median.'),
      ...told(of.meanHeldSec, heldFor),
      ...(of.medianHeldSec.value !== null && {
        note: t('median {value}', { value: heldFor(of.medianHeldSec.value) }),
      }),
    },
    {
      title: t('In a row'),
      definition: t('The most wins, and the most losses, one after the other.'),
      value: of.closed === 0 ? '—' : t('{winsInARowMax} won', { winsInARowMax: amount(of.winsInARowMax) }),
      note:
        of.closed === 0
          ? t(REASONS.no_trades)
          : t('{lossesInARowMax} lost', { lossesInARowMax: amount(of.lossesInARowMax) }),
    },
    {
      title: t('Fees'),
      definition: t('The fees of all trades that ended, and what part of the gross wins they took.'),
      value: usd(of.fees),
      note:
        of.feesOfGross.value === null
          ? undefined
          : t('{value} of gross wins', { value: share(of.feesOfGross.value) }),
    },
    {
      title: t('SQN'),
      definition: t('Square root of the number of trades, times mean result over its deviation.'),
      ...told(of.sqn, factor),
      ...(of.sqn.value !== null && of.isSqnUnreliable && { note: t('fewer than 30 trades') }),
    },
    ...(calibration.brier.value === null
      ? []
      : [
          {
            title: t('Brier score'),
            definition: t(
              'Mean square of entry price less outcome, of contracts held until they settled. 0 is foresight, 0.25 a coin.',
            ),
            value: amount(Math.round(calibration.brier.value * 1_000) / 1_000),
          },
        ]),
  ];
}

export type MonthRow = {
  readonly year: string;
  /** January first; null where there is none. */
  readonly months: readonly (Statistics['monthly'][number] | null)[];
  readonly total: number;
};

/** Months by year, newest year first, each year's compounded. */
export function monthRows(monthly: Statistics['monthly']): MonthRow[] {
  const byYear = Map.groupBy(monthly, ({ month }) => month.slice(0, 4));
  return [...byYear]
    .map(([year, ofYear]) => ({
      year,
      months: Array.from(
        { length: 12 },
        (_, index) => ofYear.find(({ month }) => Number(month.slice(5)) === index + 1) ?? null,
      ),
      total: ofYear.reduce((product, { value }) => product * (1 + value), 1) - 1,
    }))
    .toReversed();
}
