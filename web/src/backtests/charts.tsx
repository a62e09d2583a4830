import { useState } from 'react';
import type { Outputs } from '../api/trpc.ts';
import { drawdownLayer } from '../charts/equity.tsx';
import { type Layer, revisionOf } from '../charts/layers.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { coinPrice, shortToken, signedFineShare, usd } from '../format/number.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { Keys } from './keys.tsx';

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
            <Keys of={[['amber', 'buy and hold']]} />
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
            revision={`${revisionOf(points)} ${isBeside}`}
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
  const shown = picture.instruments[chosen];
  if (!shown) return null;
  const candles = shown.candles.map(({ at, open, high, low, close }) => ({ at, open, high, low, close }));
  const prices = shown.fills.map(({ at, price }) => ({ at, value: price }));
  const markers = shown.fills.map(({ at, side }) => ({ at, side }));
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
          <span className="mono dim">{shortToken(shown.tokenId)}</span>
        )
      }
    >
      <div style={{ minHeight: PRICE_HEIGHT }}>
        <LazyChart
          label={t('Trades on the price of {tokenId}', { tokenId: shown.tokenId })}
          summary={
            shown.fillCount > shown.fills.length
              ? t('{fillCount, plural, one {# fill} other {# fills}} of {tokenId}, {fills} of them drawn.', {
                  fillCount: shown.fillCount,
                  tokenId: shown.tokenId,
                  fills: shown.fills.length,
                })
              : t('{fillCount, plural, one {# fill} other {# fills}} of {tokenId}.', {
                  fillCount: shown.fillCount,
                  tokenId: shown.tokenId,
                })
          }
          height={PRICE_HEIGHT}
          view={`${id} ${shown.tokenId}`}
          revision={`${revisionOf(candles.length > 0 ? candles : prices)} ${markers.length}`}
          layers={[layer]}
        />
      </div>
      {shown.fillCount > shown.fills.length ? (
        <p className="plain dim small">
          {t(
            '{fills, plural, one {# fill} other {# fills}} of {fillCount} are drawn: whole trades, evenly over the range.',
            { fills: shown.fills.length, fillCount: shown.fillCount },
          )}
        </p>
      ) : null}
    </Panel>
  );
}
