import { useState } from 'react';
import type { Outputs } from '../api/trpc.ts';
import { StrategyChart } from '../charts/strategy-chart.tsx';
import { amount, coinPrice, signedFineShare, usd } from '../format/number.ts';
import { tokenName } from '../format/token-name.ts';
import { t } from '../language/language.ts';
import { Choice } from '../ui/fields/choice.tsx';
import { Panel } from '../ui/panel.tsx';

type Picture = Outputs['console']['backtestPicture'];
type Instrument = Picture['instruments'][number];

/** How far a curve beside the result may reach, in reaches of the result. */
const BESIDE_REACH_MAX = 5;

const reachOf = (curve: readonly { equity: number }[]): number => {
  const values = curve.map(({ equity }) => equity);
  return Math.max(...values) - Math.min(...values);
};

/** A run on one axis of time: trades on the price, volume, equity beside the same money held, and the drawdown. */
export function RunChart({ id, picture }: { id: string; picture: Picture }) {
  const { equity, hold, instruments } = picture;
  // A line that moves far more would flatten the result.
  const [isBeside, setBeside] = useState(() => reachOf(hold) <= BESIDE_REACH_MAX * reachOf(equity));
  const [chosen, setChosen] = useState(0);
  const instrument = instruments[chosen];
  const [first] = equity;
  if (!first) return null;
  return (
    <Panel
      title={t('Price, equity and drawdown')}
      actions={
        <>
          {instruments.length > 1 ? (
            <Choice
              label={t('Instrument')}
              value={chosen}
              options={instruments.map(({ tokenId }, index) => [index, tokenName(tokenId)])}
              onChange={(value) => setChosen(Number(value))}
            />
          ) : null}
          {hold.length > 0 ? (
            <label className="row tight small">
              <input
                type="checkbox"
                checked={isBeside}
                onChange={(event) => setBeside(event.currentTarget.checked)}
              />
              {t('Buy and hold')}
            </label>
          ) : null}
        </>
      }
    >
      <StrategyChart
        label={
          instrument
            ? t('Trades on the price of {tokenId}', { tokenId: instrument.tokenId })
            : t('Equity and drawdown')
        }
        summary={[...(instrument ? [fillWords(instrument)] : []), equityWords(equity)].join(' ')}
        view={`${id} ${instrument?.tokenId ?? ''}`}
        content={{
          price: instrument ? contentOf(instrument) : null,
          equity: { name: t('Backtest'), points: equity.map(({ at, equity: value }) => ({ at, value })) },
          beside:
            isBeside && hold.length > 0
              ? [{ name: t('Buy and hold'), points: hold.map(({ at, equity: value }) => ({ at, value })) }]
              : [],
          drawdown: equity.map(({ at, drawdown }) => ({ at, value: 0 - drawdown })),
        }}
      />
      {instrument && instrument.fillCount > instrument.fills.length ? (
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

const contentOf = ({ tokenId, candles, fills }: Instrument) => ({
  name: tokenName(tokenId),
  candles: candles.map(({ volume, ...candle }) => ({ ...candle, ...(volume !== null && { volume }) })),
  fills,
  levels: [],
  write: coinPrice,
  over: [],
  apart: [],
});

const fillWords = ({ tokenId, fillCount, fills }: Instrument): string =>
  fillCount > fills.length
    ? t('{fillCount, plural, one {# fill} other {# fills}} of {tokenId}, {fills} of them drawn.', {
        fillCount,
        tokenId,
        fills: amount(fills.length),
      })
    : t('{fillCount, plural, one {# fill} other {# fills}} of {tokenId}.', { fillCount, tokenId });

const equityWords = (equity: Picture['equity']): string =>
  t('Equity went from {equity} to {equity2}; at its deepest it lay {value} below its peak.', {
    equity: usd(equity[0]?.equity),
    equity2: usd(equity.at(-1)?.equity),
    value: signedFineShare(-Math.max(...equity.map(({ drawdown }) => drawdown))),
  });
