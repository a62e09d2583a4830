import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { pageMode } from '../../../../api/page-mode.ts';
import type { Outputs } from '../../../../api/trpc.ts';
import { type Range, RangeChoice } from '../../../../charts/equity.tsx';
import type { Point } from '../../../../charts/layers.ts';
import type { CursorSpan } from '../../../../charts/readout.ts';
import { StrategyChart } from '../../../../charts/strategy-chart.tsx';
import type { StrategyContent } from '../../../../charts/strategy-layers.ts';
import { readZoom, writeZoom } from '../../../../charts/zoom.ts';
import { modeWords } from '../../../../format/mode.ts';
import { amount, usd } from '../../../../format/number.ts';
import { outcomeTitleOf } from '../../../../format/trading/order.ts';
import { isCoinVenue, priceAt } from '../../../../format/trading/venue.ts';
import { msg, t } from '../../../../language/language.ts';
import { Trans } from '../../../../language/trans.tsx';
import { Choice } from '../../../../ui/fields/choice.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { Time } from '../../../../ui/time.tsx';
import type { BesideCurve } from './beside-curve.ts';
import { useBacktestCurve } from './use-backtest-curve.ts';
import { useIndicatorLines } from './use-indicator-lines.ts';
import { OTHER_MODE, useOtherModeCurve } from './use-other-mode-curve.ts';
import { usePriceHistory } from './use-price-history.ts';

type Instrument = Outputs['console']['trading']['instruments'][number];

/** The colours of lines over one price. */
const OVER_MAX = 3;
const LEVELS = {
  entry: { name: msg('Entry'), tone: 'text' },
  stop: { name: msg('Stop'), tone: 'down' },
  takeProfit: { name: msg('Take profit'), tone: 'up' },
  trailing: { name: msg('Trailing stop'), tone: 'down' },
  target: { name: msg('Target'), tone: 'up' },
} as const;
/** The sources that can be drawn over the equity: the newest run, and the mode that is not the page's. */
const BESIDE = ['backtest', OTHER_MODE] as const;

type PanelProps = {
  id: string;
  range: Range;
  instruments: readonly Instrument[];
  equity: readonly Point[];
  drawdown: readonly Point[];
  onCursor: (span: CursorSpan | null) => void;
};

/** The strategy on one axis of time: its price, indicators and trades, volume, equity and drawdown. */
export function StrategyPanel({ id, range, instruments, equity, drawdown, onCursor }: PanelProps) {
  const search = useSearch({ from: '/shell/blueprints/$id' });
  const navigate = useNavigate({ from: '/blueprints/$id' });
  const set = (next: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const [chosen, setChosen] = useState(0);
  const instrument = instruments[chosen] ?? instruments[0];
  const price = useContentOfPrice(id, instrument, range);
  const sinceMs = Math.min(startOf(price?.candles ?? []), startOf(equity));
  const chosenBeside = BESIDE.filter((source) => search.beside?.split(' ').includes(source));
  const besideOf = (source: (typeof BESIDE)[number]) => ({
    isEnabled: chosenBeside.includes(source),
    onto: equity,
    sinceMs,
  });
  const backtest = useBacktestCurve(id, besideOf('backtest'));
  const other = useOtherModeCurve(id, range, besideOf(OTHER_MODE));
  const name = modeWords(pageMode).title;
  const curves = [
    { source: 'backtest' as const, name: t('Backtest'), label: t('Latest backtest'), curve: backtest },
    {
      source: OTHER_MODE,
      name: modeWords(OTHER_MODE).title,
      label: modeWords(OTHER_MODE).title,
      curve: other,
    },
  ];
  const beside = curves.flatMap(({ name: title, curve }) =>
    curve?.kind === 'curve' ? [{ name: title, points: curve.points }] : [],
  );
  return (
    <Panel
      title={t('Price, equity and drawdown')}
      actions={
        <>
          {instruments.length > 1 ? (
            <Choice
              label={t('Instrument')}
              value={chosen}
              options={instruments.map((each, index) => [index, outcomeTitleOf(each)])}
              onChange={(value) => setChosen(Number(value))}
            />
          ) : null}
          {curves.map(({ source, label }) => (
            <label key={source} className="row tight small">
              <input
                type="checkbox"
                checked={chosenBeside.includes(source)}
                onChange={() => {
                  const others = chosenBeside.filter((each) => each !== source);
                  const isAdded = others.length === chosenBeside.length;
                  set({ beside: (isAdded ? [...others, source] : others).join(' ') || undefined });
                }}
              />
              {label}
            </label>
          ))}
          <RangeChoice range={range} onRange={(next) => set({ range: next, zoom: undefined })} />
        </>
      }
    >
      <StrategyChart
        label={
          instrument
            ? t('Trades on the price of {title}', { title: outcomeTitleOf(instrument) })
            : t('Equity and drawdown')
        }
        summary={summaryOf({ equity, price, instrument })}
        view={`${id} ${range} ${instrument?.tokenId ?? ''}`}
        zoom={readZoom(search.zoom)}
        onZoom={(zoom) => set({ zoom: writeZoom(zoom) })}
        onCursor={onCursor}
        levelsOf={instrument && { tokenId: instrument.tokenId, isOutcome: !isCoinVenue(instrument.venue) }}
        content={{ price, equity: { name, points: equity }, beside, drawdown }}
      />
      {price !== null && price.levels.length > 0 ? (
        <p className="plain small">{levelWords(price).join(' · ')}</p>
      ) : null}
      {curves.map(({ source, label, curve }) =>
        curve ? <BesideNote key={source} name={label} of={curve} /> : null,
      )}
      <p className="plain dim small">
        {t('Equity is the account’s when the range began, and what this strategy made of it since.')}{' '}
        {price !== null && price.over.length + price.apart.length > 0
          ? t(
              'Indicators are the strategy’s own, of candles that had closed, as far back as a thousand of them reach.',
            )
          : null}
      </p>
    </Panel>
  );
}

const levelWords = ({ levels, write }: NonNullable<StrategyContent['price']>): string[] =>
  levels.map(({ name, price }) => `${name} ${write(price)}`);

const startOf = ([first]: readonly { at: string }[]): number =>
  first === undefined ? Number.POSITIVE_INFINITY : Date.parse(first.at);

/** The price of an instrument over a range, with its fills in that range and the strategy's indicators. */
function useContentOfPrice(
  id: string,
  instrument: Instrument | undefined,
  range: Range,
): StrategyContent['price'] {
  const candles = usePriceHistory(instrument, range);
  const hasCandles = instrument !== undefined && isCoinVenue(instrument.venue);
  const lines = useIndicatorLines(id, instrument?.tokenId ?? '', hasCandles ? candles : []);
  if (!instrument) return null;
  const [first] = candles;
  const over = lines.filter(({ isPrice }) => isPrice).slice(0, OVER_MAX);
  return {
    name: outcomeTitleOf(instrument),
    candles,
    fills: instrument.fills.filter(({ at }) => first === undefined || at >= first.at),
    levels: instrument.levels.map(({ kind, price }) => ({
      ...LEVELS[kind],
      name: t(LEVELS[kind].name),
      price,
    })),
    write: (value) => priceAt(instrument.venue, value),
    over,
    apart: lines.filter((line) => !over.includes(line)),
  };
}

function BesideNote({ name, of }: { name: string; of: BesideCurve }) {
  if (of.kind === 'curve') {
    return (
      <p className="plain dim small">
        {t('{name} is scaled to the equity where both begin: their slopes compare.', { name })}
      </p>
    );
  }
  return (
    <p className="plain small" role="status">
      {of.kind === 'before' ? (
        <Trans
          message="{name} ended {endedAt}, before this range: choose a longer one."
          values={{ name, endedAt: <Time at={of.endedAt} /> }}
        />
      ) : of.kind === 'none' ? (
        t('{name}: there is no result of this strategy yet.', { name })
      ) : of.kind === 'failed' ? (
        t('{name}: the curve could not be read.', { name })
      ) : of.kind === 'unscaled' ? (
        t('{name} cannot be scaled: one of the two has no equity where both begin.', { name })
      ) : (
        t('{name}: loading…', { name })
      )}
    </p>
  );
}

type Described = {
  equity: readonly Point[];
  price: StrategyContent['price'];
  instrument: Instrument | undefined;
};

function summaryOf({ equity, price, instrument }: Described): string {
  const fills =
    price && instrument
      ? [
          price.fills.length === instrument.fillCount
            ? t('{count, plural, one {# fill} other {# fills}}.', { count: instrument.fillCount })
            : t('{markers} of {fillCount, plural, one {# fill} other {# fills}} in this range.', {
                markers: amount(price.fills.length),
                fillCount: instrument.fillCount,
              }),
          ...levelWords(price).map((words) => `${words}.`),
          ...price.over.map(({ name, points }) =>
            t('{name} ended at {value}.', { name, value: price.write(points.at(-1)?.value ?? Number.NaN) }),
          ),
        ]
      : [];
  return [
    ...fills,
    t('Equity went from {equity} to {equity2}.', {
      equity: usd(equity[0]?.value),
      equity2: usd(equity.at(-1)?.value),
    }),
  ].join(' ');
}
