import type { Outputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { amount, fineShare, share, signedFineShare, signedUsd, usd } from '../number.ts';
import { duration } from '../time.ts';

/** The statistics of a span of trading, as the service reports them for books and for backtests. */
export type Statistics = Outputs['portfolio']['statistics'];
export type Ratio = Statistics['sharpe'];
type Reason = Extract<Ratio, { value: null }>['reason'];

/** 0.01%: a shallower drawdown is not listed. */
const SHALLOW = 0.0001;

/** Returns the drawdowns that are deep enough to list, deepest first. */
export const listedDrawdowns = ({ drawdowns }: Pick<Statistics, 'drawdowns'>) =>
  drawdowns.filter(({ share: depth }) => depth >= SHALLOW);

const REASONS: Readonly<Record<Reason, Message>> = {
  no_trades: msg('no closed trades'),
  no_wins: msg('no winning trades'),
  no_losses: msg('no losing trades'),
  too_few: msg('too little to go by'),
  too_short: msg('less than 30 days'),
  zero_variance: msg('nothing moved'),
  no_downside: msg('nothing fell short'),
  no_drawdown: msg('it never fell'),
  no_gain: msg('nothing was gained'),
};

/** A figure for display: its value, or a dash and the reason. */
export type Figure = {
  readonly title: string;
  /** The definition, shown on demand. */
  readonly definition: string;
  readonly value: string;
  /** The reason of a missing value, or a note about it. */
  readonly note?: string | undefined;
  /** The sign of figures that are good above zero and bad below. */
  readonly sign?: number | undefined;
};

/** Stands where a figure has no value. */
export const NO_VALUE = '—';

/** The figure in words, or the reason why there is none. */
export const valueOrNote = (
  ratio: Ratio,
  write: (value: number) => string,
): Pick<Figure, 'value' | 'note'> =>
  ratio.value === null ? { value: NO_VALUE, note: t(REASONS[ratio.reason]) } : { value: write(ratio.value) };

const signOf = ({ value }: Ratio): number | undefined => value ?? undefined;
export const factor = (value: number): string => amount(Number(value.toPrecision(3)));
const heldFor = (sec: number): string => duration(sec * 1_000);

export const returnFigures = (of: Statistics): Figure[] => [
  {
    title: t('Net profit'),
    definition: t(
      'Final equity less starting equity. Open positions count at their mark; deposits and withdrawals do not count.',
    ),
    value: signedUsd(of.netProfit),
    sign: of.netProfit,
  },
  {
    title: t('Total return'),
    definition: t('Daily returns one after the other: the end over the start, less one.'),
    ...valueOrNote(of.totalReturn, signedFineShare),
    sign: signOf(of.totalReturn),
  },
  {
    title: t('CAGR'),
    definition: t('Compound annual growth rate over 365 days. Not shown for less than 30 days.'),
    ...valueOrNote(of.cagr, signedFineShare),
    sign: signOf(of.cagr),
  },
  {
    title: t('Exposure'),
    definition: t('Share of the time with an open position.'),
    ...valueOrNote(of.exposure, share),
  },
  {
    title: t('Avg. exposure'),
    definition: t('Average share of equity in positions, weighted by time.'),
    ...valueOrNote(of.exposureOfEquity, fineShare),
  },
  {
    title: t('Turnover'),
    definition: t('Volume traded without settlements, divided by starting equity.'),
    ...valueOrNote(of.turnover, factor),
    ...(of.turnoverYearly?.value != null && {
      note: t('{value} a year', { value: factor(of.turnoverYearly.value) }),
    }),
  },
];

export const riskFigures = (of: Statistics): Figure[] => [
  {
    title: t('Max. drawdown'),
    definition: t('Largest fall from a peak, as a share of the peak.'),
    ...(of.maxDrawdown
      ? { value: fineShare(-of.maxDrawdown.share), note: usd(-of.maxDrawdown.usd) }
      : { value: share(0), note: t(REASONS.no_drawdown) }),
  },
  {
    title: t('Longest drawdown'),
    definition: t('Longest time from a peak to its recovery, or to the end.'),
    value: of.longestDrawdownSec === 0 ? '—' : heldFor(of.longestDrawdownSec),
    note: of.longestDrawdownSec === 0 ? t(REASONS.no_drawdown) : undefined,
  },
  {
    title: t('Volatility'),
    definition: t('Standard deviation of daily returns, annualized over 365 days.'),
    ...valueOrNote(of.volatility, fineShare),
  },
  {
    title: t('Sharpe'),
    definition: t(
      'Average daily return over its standard deviation, annualized. Risk-free rate 0 unless set.',
    ),
    ...valueOrNote(of.sharpe, factor),
  },
  {
    title: t('Sortino'),
    definition: t('Like Sharpe, but only negative returns count as risk.'),
    ...valueOrNote(of.sortino, factor),
  },
  {
    title: t('Calmar'),
    definition: t('CAGR divided by max. drawdown.'),
    ...valueOrNote(of.calmar, factor),
  },
  {
    title: t('Sharpe above 0'),
    definition: t(
      'Probabilistic Sharpe (Bailey, López de Prado 2012): how sure it is that the true ratio is above nothing, by length, skew and tails of the daily returns.',
    ),
    ...valueOrNote(of.probabilisticSharpe, share),
  },
];

export function tradeFigures({ trades: of, calibration }: Statistics): Figure[] {
  return [
    {
      title: t('Trades'),
      definition: t(
        'A trade runs from opening a position to closing it. It counts on the day it was closed.',
      ),
      value: amount(of.closed),
      note: of.isCut
        ? t('older fills are left out')
        : of.open > 0
          ? t('and {open, plural, one {# trade} other {# trades}} open', { open: of.open })
          : undefined,
    },
    {
      title: t('Win rate'),
      definition: t(
        'Winning trades divided by all closed trades. A flat trade counts as neither won nor lost.',
      ),
      ...valueOrNote(of.winRate, share),
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
      definition: t('Gross profit divided by gross loss, after fees.'),
      ...valueOrNote(of.profitFactor, factor),
    },
    {
      title: t('Average P&L'),
      definition: t('Expectancy: average P&L per trade after fees; in R, divided by the average loss.'),
      ...valueOrNote(of.expectancy, signedUsd),
      ...(of.expectancyR.value !== null && { note: `${factor(of.expectancyR.value)} R` }),
      sign: signOf(of.expectancy),
    },
    {
      title: t('Average win'),
      definition: t('Average P&L of winning trades.'),
      ...valueOrNote(of.meanWin, usd),
    },
    {
      title: t('Average loss'),
      definition: t('Average P&L of losing trades.'),
      ...valueOrNote(of.meanLoss, (value) => usd(-Math.abs(value))),
    },
    {
      title: t('Payoff ratio'),
      definition: t('Average win divided by average loss.'),
      ...valueOrNote(of.payoff, factor),
    },
    ...(of.sharpe
      ? [
          {
            title: t('Sharpe per trade'),
            definition: t('Average return of a trade over the standard deviation of all. Not annualized.'),
            ...valueOrNote(of.sharpe, factor),
          },
        ]
      : []),
    ...(of.bestFiveShare
      ? [
          {
            title: t('Best five trades'),
            definition: t('Share of the total P&L of all trades. Above 100%, the other trades lost.'),
            ...valueOrNote(of.bestFiveShare, share),
          },
        ]
      : []),
    {
      title: t('Best and worst'),
      definition: t('Largest win and largest loss of a single trade.'),
      value: of.best === null ? '—' : signedUsd(of.best),
      note: of.worst === null ? t(REASONS.no_trades) : t('worst {worst}', { worst: signedUsd(of.worst) }),
    },
    {
      title: t('Holding period'),
      definition: t('Average time from entry to exit, and the median.'),
      ...valueOrNote(of.meanHeldSec, heldFor),
      ...(of.medianHeldSec.value !== null && {
        note: t('median {value}', { value: heldFor(of.medianHeldSec.value) }),
      }),
    },
    {
      title: t('Longest streak'),
      definition: t('Most consecutive wins, and most consecutive losses.'),
      value: of.closed === 0 ? '—' : t('{winsInARowMax} won', { winsInARowMax: amount(of.winsInARowMax) }),
      note:
        of.closed === 0
          ? t(REASONS.no_trades)
          : t('{lossesInARowMax} lost', { lossesInARowMax: amount(of.lossesInARowMax) }),
    },
    ...streakFigures(of),
    {
      title: t('Fees of closed trades'),
      definition: t('Fees of all closed trades, and their share of gross profit.'),
      value: usd(of.fees),
      note:
        of.feesOfGross.value === null
          ? undefined
          : t('{value} of gross wins', { value: share(of.feesOfGross.value) }),
    },
    {
      title: t('SQN'),
      definition: t('System quality: √trades × average P&L ÷ its standard deviation.'),
      ...valueOrNote(of.sqn, factor),
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

/** How likely chance alone makes such rows; empty for a backtest by an earlier release. */
const streakFigures = ({ winsInARowChance, lossesInARowChance }: Statistics['trades']): Figure[] =>
  winsInARowChance && lossesInARowChance
    ? [
        {
          title: t('Streak by chance'),
          definition: t(
            'Probability that as many trades, won as often and in random order, have as long a losing streak; below, as long a winning streak. Only from 30 trades on.',
          ),
          ...valueOrNote(lossesInARowChance, share),
          ...(winsInARowChance.value !== null && {
            note: t('wins {value}', { value: share(winsInARowChance.value) }),
          }),
        },
      ]
    : [];

type RollingSharpe = NonNullable<Statistics['rollingSharpe']>;

/** The values at the end of their days. Nothing joins those with days between them in which nothing moved. */
export const rollingSharpePoints = (values: RollingSharpe) =>
  values.flatMap(({ day, value }, index) =>
    value === null
      ? []
      : [
          {
            at: `${day}T23:59:59.999Z`,
            value,
            ...(values[index + 1]?.value === null && { isBeforeGap: true as const }),
          },
        ],
  );

export type MonthRow = {
  readonly year: string;
  /** January first; null if there is none. */
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
