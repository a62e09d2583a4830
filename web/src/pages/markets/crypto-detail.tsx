import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { pointsChangeKey } from '../../charts/layers.ts';
import { LazyLevelsChart, LEVELS_PX } from '../../charts/lazy-chart.tsx';
import { amount, amountCompact, coinPrice, priceChange, usdCompact } from '../../format/number.ts';
import { withLastTrade } from '../../format/trading/current-price.ts';
import { quoteAmountFormatOf } from '../../format/trading/instrument.ts';
import { Mark } from '../../instruments/mark.tsx';
import { StarButton } from '../../instruments/star-button.tsx';
import { useInstruments } from '../../instruments/use-instruments.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { CopyButton, Curl, curl } from '../../ui/copy.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { AddToBlueprintButton } from './add-to-blueprint-button.tsx';
import { useCoin } from './current-prices.ts';
import { Ladder } from './ladder.tsx';
import { MarketDialogs } from './market-dialogs.tsx';
import { QuoteSourceLine } from './prediction-results.tsx';
import { RecentTrades } from './recent-trades.tsx';
import { useBars } from './use-bars.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DURATIONS_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
} as const;
const INTERVALS = Object.keys(DURATIONS_MS) as (keyof typeof DURATIONS_MS)[];
const HEIGHT = 380;
const PANES = [4, 1] as const;
/** Further digits of a day's volume are not informative. */
const VOLUME_DIGITS = 6;

export function CryptoDetail({ market: symbol = 'BTCUSDT' }: { market: string | undefined }) {
  const { query, summary } = useCoin(symbol, true);
  const named = useInstruments([symbol]).data?.instruments.find(({ tokenId }) => tokenId === symbol);
  const name = named?.title ?? symbol;
  const write = quoteAmountFormatOf(named?.title, coinPrice);
  if (query.error && !summary) {
    return (
      <Panel title={name}>
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      </Panel>
    );
  }
  return (
    <div className="stack">
      <Panel
        title={
          <>
            <Mark name={name} />
            {name}
          </>
        }
        actions={summary ? <QuoteSourceLine answer={summary} /> : null}
      >
        {summary ? (
          <div className="stack">
            <div className="row baseline">
              <span className="price-now">{write(summary.price)}</span>
              <span className="dim">{t('last')}</span>
              <span className={summary.changePct >= 0 ? 'up' : 'down'}>
                <Trans
                  message="{changePct} {span} in 24 h"
                  values={{
                    changePct: priceChange(summary.changePct / 100),
                    span: <span aria-hidden>{summary.changePct >= 0 ? '▲' : '▼'}</span>,
                  }}
                />
              </span>
              <span>{t('bid {bid} · ask {ask}', { bid: write(summary.bid), ask: write(summary.ask) })}</span>
            </div>
            <dl className="facts wide">
              <dt>{t('24 h range')}</dt>
              <dd>{t('{low} to {high}', { low: write(summary.low), high: write(summary.high) })}</dd>
              <dt>{t('24 h volume')}</dt>
              <dd>
                {amount(Number(summary.volume.toPrecision(VOLUME_DIGITS)))} {named?.title.split('/')[0]} (
                {quoteAmountFormatOf(named?.title, usdCompact)(summary.quoteVolume)})
              </dd>
              <dt>{t('Instrument')}</dt>
              <dd>
                <span className="row tight">
                  <code>{summary.symbol}</code>
                  <CopyButton text={summary.symbol} label={t('Copy instrument')} />
                </span>
              </dd>
            </dl>
            <div className="row">
              <AddToBlueprintButton tokenId={summary.symbol} />
              <MarketDialogs
                tokenId={summary.symbol}
                name={name}
                price={summary.source === 'stale' ? null : summary.price}
                field="last"
                isOutcome={false}
                write={write}
              />
              <StarButton tokenId={summary.symbol} name={name} />
            </div>
          </div>
        ) : (
          <RowSkeleton rows={4} height={22} />
        )}
      </Panel>
      <Candles symbol={symbol} name={name} write={write} />
      {summary ? (
        <Ladder
          key={summary.symbol}
          tokenId={summary.symbol}
          label={name}
          mirror={null}
          tickSize={null}
          inWords={write}
        />
      ) : null}
      {summary ? <RecentTrades symbol={summary.symbol} write={write} /> : null}
      <Curl command={curl('GET', `/api/crypto?symbol=${symbol}`)} />
    </div>
  );
}

type CandlesProps = { symbol: string; name: string; write: (price: number) => string };

function Candles({ symbol, name, write }: CandlesProps) {
  const { interval: requested } = useSearch({ from: '/shell/markets' });
  const navigate = useNavigate({ from: '/markets' });
  const interval = INTERVALS.find((each) => each === requested) ?? '1h';
  const { query, bars, asOf = '', loadOlder } = useBars({ symbol, interval });
  const { summary } = useCoin(symbol);
  const isNewer = summary && Date.parse(summary.asOf) >= Date.parse(asOf);
  const candles = bars && withLastTrade(bars, DURATIONS_MS[interval], isNewer ? summary : undefined);
  const last = candles?.at(-1);
  const chartCandles =
    candles?.map(({ t, o, h, l, c, v }) => ({ at: t, open: o, high: h, low: l, close: c, volume: v })) ?? [];
  return (
    <Panel
      title={t('Candles')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('Interval')}
          value={interval}
          data={INTERVALS}
          onChange={(next) => void navigate({ search: (now) => ({ ...now, interval: next }), replace: true })}
        />
      }
    >
      {query.error && !candles ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      <div style={{ minHeight: HEIGHT + LEVELS_PX }}>
        {candles && last ? (
          <LazyLevelsChart
            label={t('Candles of {symbol}', { symbol: name })}
            summary={t('{candles} candles of {interval}, the last at {c}.', {
              candles: candles.length,
              interval,
              c: write(last.c),
            })}
            height={HEIGHT}
            view={`${symbol} ${interval}`}
            revision={`${pointsChangeKey(chartCandles)} ${write(1)}`}
            panes={PANES}
            onStart={loadOlder}
            levelsOf={{ tokenId: symbol, isOutcome: false }}
            layers={[
              { kind: 'candles', name, candles: chartCandles, write },
              { kind: 'volume', name: t('Volume'), candles: chartCandles, write: amountCompact, pane: 1 },
            ]}
          />
        ) : null}
      </div>
    </Panel>
  );
}
