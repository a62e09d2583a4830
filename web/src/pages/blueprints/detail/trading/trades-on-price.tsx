import { useState } from 'react';
import type { Outputs } from '../../../../api/trpc.ts';
import { ChartLegend } from '../../../../backtests/chart-legend.tsx';
import type { Range } from '../../../../charts/equity.tsx';
import { type Layer, LINE_TONES, type LineTone, pointsChangeKey } from '../../../../charts/layers.ts';
import { LazyChart } from '../../../../charts/lazy-chart.tsx';
import { amount } from '../../../../format/number.ts';
import { outcomeOf } from '../../../../format/trading/order.ts';
import { isCoinVenue, priceAt } from '../../../../format/trading/venue.ts';
import { t } from '../../../../language/language.ts';
import { Panel } from '../../../../ui/panel.tsx';
import { type IndicatorLine, useIndicatorLines } from './use-indicator-lines.ts';
import { usePriceHistory } from './use-price-history.ts';

type Instrument = Outputs['console']['trading']['instruments'][number];

const HEIGHT = 280;
const BELOW_HEIGHT = 120;
/** Tones of lines over candles: not the accent, which areas use. */
const TONES = LINE_TONES.filter((tone) => tone !== 'accent');

export const outcomeTitleOf = ({ tokenId, title }: { tokenId: string; title: string }) =>
  `${outcomeOf(tokenId)} ${title}`.trim();

type TradesProps = { id: string; instruments: readonly Instrument[]; range: Range };

/** The price over the range, with the blueprint's fills and its own indicators. */
export function TradesOnPrice({ id, instruments, range }: TradesProps) {
  const [chosen, setChosen] = useState(0);
  const instrument = instruments[chosen] ?? instruments[0];
  const prices = usePriceHistory(instrument, range);
  const hasCandles = instrument !== undefined && isCoinVenue(instrument.venue);
  const lines = useIndicatorLines(id, instrument?.tokenId ?? '', hasCandles ? prices : []);
  if (!instrument) return null;
  const write = (value: number) => priceAt(instrument.venue, value);
  const [first] = prices;
  const markers = instrument.fills.filter(({ at }) => first === undefined || at >= first.at);
  const sold = markers.map(({ at, price }) => ({ at, value: price }));
  const price: Layer =
    prices.length > 0
      ? { kind: 'candles', candles: prices, markers, write }
      : { kind: 'area', points: sold, markers, write };
  const over = lines.filter(({ isPrice }) => isPrice).slice(0, TONES.length);
  const apart = lines.filter((line) => !over.includes(line));
  return (
    <Panel
      title={t('Trades on the price')}
      actions={
        instruments.length > 1 ? (
          <select
            className="text-input choice-input"
            aria-label={t('Instrument')}
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {instruments.map((each, index) => (
              <option key={each.tokenId} value={index}>
                {outcomeTitleOf(each)}
              </option>
            ))}
          </select>
        ) : (
          <span className="dim small">{outcomeTitleOf(instrument)}</span>
        )
      }
    >
      {over.length > 0 ? (
        <ChartLegend of={over.map(({ name }, index) => [toneOf(index), name] as const)} />
      ) : null}
      <div style={{ minHeight: HEIGHT }}>
        <LazyChart
          label={t('Trades on the price of {title}', { title: outcomeTitleOf(instrument) })}
          summary={[
            t(
              '{markers, plural, one {# fill} other {# fills}} of {fillCount, plural, one {# fill} other {# fills}} in this range.',
              { markers: markers.length, fillCount: instrument.fillCount },
            ),
            ...over.map((line) => lastOf(line, write)),
          ].join(' ')}
          height={HEIGHT}
          view={`${instrument.tokenId} ${range}`}
          revision={[
            pointsChangeKey(prices.length > 0 ? prices : sold),
            markers.length,
            ...over.map(({ nodeId, points }) => `${nodeId} ${pointsChangeKey(points)}`),
          ].join(' ')}
          layers={[price, ...over.map(({ points }, index) => lineLayer(points, toneOf(index), write))]}
        />
      </div>
      {apart.map((line) => (
        <figure key={line.nodeId} className="apart" aria-label={line.name}>
          <ChartLegend of={[['violet', line.name]]} />
          <LazyChart
            label={line.name}
            summary={lastOf(line, amount)}
            height={BELOW_HEIGHT}
            view={`${line.nodeId} ${range}`}
            revision={pointsChangeKey(line.points)}
            layers={[{ ...lineLayer(line.points, 'violet', amount), step: 0.0001 }]}
          />
        </figure>
      ))}
      {lines.length > 0 ? (
        <p className="plain dim small">
          {t(
            'Indicators are the strategy’s own, of candles that had closed, as far back as a thousand of them reach.',
          )}
        </p>
      ) : null}
    </Panel>
  );
}

const toneOf = (index: number): LineTone => TONES[index] ?? 'amber';

const lineLayer = (
  points: IndicatorLine['points'],
  tone: LineTone,
  write: (value: number) => string,
): Layer => ({
  kind: 'line',
  tone,
  points,
  write,
});

const lastOf = ({ name, points }: IndicatorLine, write: (value: number) => string): string =>
  t('{name} ended at {value}.', { name, value: write(points.at(-1)?.value ?? Number.NaN) });
