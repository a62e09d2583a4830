import { useState } from 'react';
import type { Outputs } from '../api/trpc.ts';
import { drawdownLayer } from '../charts/equity.tsx';
import { type Layer, revisionOf } from '../charts/layers.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { coinPrice, counted, shortToken, signedFineShare, usd } from '../format/number.ts';
import { Panel } from '../ui/panel.tsx';
import { Keys } from './keys.tsx';

type Picture = Outputs['console']['backtestPicture'];

const EQUITY_HEIGHT = 320;
const PRICE_HEIGHT = 280;

/** What it was worth, beside the same money put into the first instrument at the start; below, how far under its peak. */
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
      title="Equity and drawdown"
      actions={
        hold.length > 0 ? (
          <label className="row tight small">
            <input
              type="checkbox"
              aria-label="Show buy and hold"
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
            label="Equity and drawdown"
            summary={`Equity went from ${usd(first.equity)} to ${usd(last.equity)}; at its deepest it lay ${signedFineShare(-Math.max(...equity.map(({ drawdown }) => drawdown)))} below its peak.`}
            height={EQUITY_HEIGHT}
            revision={`${revisionOf(id, points)} ${isBeside}`}
            layers={layers}
          />
        ) : null}
      </div>
    </Panel>
  );
}

/** Where it bought and sold, on the price. */
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
      title="Trades on the price"
      actions={
        picture.instruments.length > 1 ? (
          <select
            className="text-input choice-input"
            aria-label="Instrument"
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
          label={`Trades on the price of ${shown.tokenId}`}
          summary={`${counted(shown.fillCount, 'fill')} of ${shown.tokenId}${shown.fillCount > shown.fills.length ? `, ${shown.fills.length} of them drawn` : ''}.`}
          height={PRICE_HEIGHT}
          revision={`${revisionOf(`${id} ${shown.tokenId}`, candles.length > 0 ? candles : prices)} ${markers.length}`}
          layers={[layer]}
        />
      </div>
      {shown.fillCount > shown.fills.length ? (
        <p className="plain dim small">
          {counted(shown.fills.length, 'fill')} of {shown.fillCount} are drawn, evenly over the range.
        </p>
      ) : null}
    </Panel>
  );
}
