import { useState } from 'react';
import type { Outputs } from '../api/trpc.ts';
import { drawdownLayer } from '../charts/equity.tsx';
import { type Layer, pointsChangeKey } from '../charts/layers.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { coinPrice, shortToken, signedFineShare, usd } from '../format/number.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { ChartLegend } from './chart-legend.tsx';

type Picture = Outputs['console']['backtestPicture'];

const EQUITY_HEIGHT = 320;
const PRICE_HEIGHT = 280;

/** The run's equity, beside the same money put into the first instrument at the start; below it, the drawdown. */
export function EquityChart({ id, picture }: { id: string; picture: Picture }) {
  const [isBeside, setBeside] = useState(true);
  const { equity } = picture;
  const [first, last] = [equity[0], equity.at(-1)];
  const points = equity.map(({ at, equity: value }) => ({ at, value }));
  const hold = picture.hold.map(({ at, equity: value }) => ({ at, value }));
  const layers: Layer[] = [
    { kind: 'baseline', points, baseline: first?.equity ?? 0, write: usd },
    ...(hold.length > 0 && isBeside
      ? [{ kind: 'line' as const, points: hold, tone: 'amber' as const, write: usd }]
      : []),
    drawdownLayer(equity.map(({ at, drawdown }) => ({ at, value: 0 - drawdown }))),
  ];
  return (
    <Panel
      title={t('Equity and drawdown')}
      actions={
        hold.length > 0 ? (
          <label className="row tight small">
            <input
              type="checkbox"
              aria-label={t('Show buy and hold')}
              checked={isBeside}
              onChange={(event) => setBeside(event.currentTarget.checked)}
            />
            <ChartLegend of={[['amber', 'buy and hold']]} />
          </label>
        ) : null
      }
    >
      <div style={{ minHeight: EQUITY_HEIGHT }}>
        {first && last ? (
          <LazyChart
            label={t('Equity and drawdown')}
            summary={t(
              'Equity went from {equity} to {equity2}; at its deepest it lay {value} below its peak.',
              {
                equity: usd(first.equity),
                equity2: usd(last.equity),
                value: signedFineShare(-Math.max(...equity.map(({ drawdown }) => drawdown))),
              },
            )}
            height={EQUITY_HEIGHT}
            view={id}
            revision={`${pointsChangeKey(points)} ${isBeside}`}
            layers={layers}
          />
        ) : null}
      </div>
    </Panel>
  );
}

/** Its fills, on the price. */
export function PriceChart({ id, picture }: { id: string; picture: Picture }) {
  const [chosen, setChosen] = useState(0);
  const instrument = picture.instruments[chosen];
  if (!instrument) return null;
  const candles = instrument.candles.map(({ at, open, high, low, close }) => ({
    at,
    open,
    high,
    low,
    close,
  }));
  const prices = instrument.fills.map(({ at, price }) => ({ at, value: price }));
  const markers = instrument.fills.map(({ at, side }) => ({ at, side }));
  const layer: Layer =
    candles.length > 0
      ? { kind: 'candles', candles, markers, write: coinPrice }
      : { kind: 'area', points: prices, markers, write: coinPrice };
  return (
    <Panel
      title={t('Trades on the price')}
      actions={
        picture.instruments.length > 1 ? (
          <select
            className="text-input choice-input"
            aria-label={t('Instrument')}
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {picture.instruments.map(({ tokenId }, index) => (
              <option key={tokenId} value={index}>
                {shortToken(tokenId)}
              </option>
            ))}
          </select>
        ) : (
          <span className="mono dim">{shortToken(instrument.tokenId)}</span>
        )
      }
    >
      <div style={{ minHeight: PRICE_HEIGHT }}>
        <LazyChart
          label={t('Trades on the price of {tokenId}', { tokenId: instrument.tokenId })}
          summary={
            instrument.fillCount > instrument.fills.length
              ? t('{fillCount, plural, one {# fill} other {# fills}} of {tokenId}, {fills} of them drawn.', {
                  fillCount: instrument.fillCount,
                  tokenId: instrument.tokenId,
                  fills: instrument.fills.length,
                })
              : t('{fillCount, plural, one {# fill} other {# fills}} of {tokenId}.', {
                  fillCount: instrument.fillCount,
                  tokenId: instrument.tokenId,
                })
          }
          height={PRICE_HEIGHT}
          view={`${id} ${instrument.tokenId}`}
          revision={`${pointsChangeKey(candles.length > 0 ? candles : prices)} ${markers.length}`}
          layers={[layer]}
        />
      </div>
      {instrument.fillCount > instrument.fills.length ? (
        <p className="plain dim small">
          {t(
            '{fills, plural, one {# fill} other {# fills}} of {fillCount} are drawn: whole trades, evenly over the range.',
            { fills: instrument.fills.length, fillCount: instrument.fillCount },
          )}
        </p>
      ) : null}
    </Panel>
  );
}
