import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { pointsChangeKey } from '../../charts/layers.ts';
import { LazyLevelsChart, LEVELS_PX } from '../../charts/lazy-chart.tsx';
import { amount, cents, shortToken, usdCompact } from '../../format/number.ts';
import { withPriceNow } from '../../format/trading/current-price.ts';
import { centsOf, displayedPrice, priceKindWords, spreadOf } from '../../format/trading/outcome-price.ts';
import { venueTitle } from '../../format/trading/venue.ts';
import { DayChange } from '../../instruments/day-change.tsx';
import { Mark } from '../../instruments/mark.tsx';
import { StarButton } from '../../instruments/star-button.tsx';
import { t, translateServed } from '../../language/language.ts';
import { CopyButton, Curl, curl } from '../../ui/copy.tsx';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { AddToBlueprintButton } from './add-to-blueprint-button.tsx';
import { outcomeIndex, useCurrentMarket } from './current-prices.ts';
import type { EventPanelProps } from './event-panel.tsx';
import { IntervalChoice, useHistoryInterval } from './history-interval.tsx';
import { Ladder } from './ladder.tsx';
import { MarketDialogs } from './market-dialogs.tsx';
import { eventsOf, type Market, type MarketRef, readMarketRef, titleOf } from './market-ref.ts';
import { PREDICTION_QUERIES } from './prediction-queries.ts';
import { QuoteSourceLine } from './prediction-results.tsx';

const HEIGHT = 300;

export function PredictionDetail({ market }: { market: string | undefined }) {
  const ref = readMarketRef(market);
  if (!ref) {
    return (
      <Panel title={t('Market')}>
        <div className="empty">
          <strong>{t('Choose a market')}</strong>
          <p>{t('Its price history, its order book, and what a strategy needs to name it.')}</p>
        </div>
      </Panel>
    );
  }
  return <Detail key={`${ref.venue}${ref.ref}`} of={ref} />;
}

function Detail({ of: { venue, ref } }: { of: MarketRef }) {
  const query = PREDICTION_QUERIES[venue].useMarket(ref);
  if (query.error && !query.data) {
    return (
      <Panel title={venueTitle(venue)}>
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      </Panel>
    );
  }
  if (query.data?.kind !== 'market') return <RowSkeleton rows={3} height={120} />;
  return <MarketPanels market={query.data.market} answer={query.data} />;
}

type Answer = { source: 'live' | 'simulator' | 'stale'; asOf: string };

function MarketPanels({ market: read, answer }: { market: Market; answer: Answer }) {
  const { outcome } = useSearch({ from: '/shell/markets' });
  const navigate = useNavigate({ from: '/markets' });
  const market = useCurrentMarket(read);
  const index = outcomeIndex(market, outcome);
  const selected = market.outcomes[index];
  const now = selected && displayedPrice(selected);
  const title = titleOf(market);
  const name = selected ? `${selected.label} · ${title}` : title;
  const other = market.outcomes[1 - index];
  const path = PREDICTION_QUERIES[market.venue].apiPathOf(market, selected?.tokenId);
  return (
    <div className="stack">
      <Panel
        title={
          <>
            <Mark name={market.title} />
            {title}
          </>
        }
        actions={<QuoteSourceLine answer={answer} />}
      >
        <div className="stack">
          <div className="row apart">
            <div className="row baseline">
              <span className="price-now">{centsOf(now, market.tickSize)}</span>
              <span className="dim">{now ? priceKindWords(now.kind) : null}</span>
              <span>
                {t('bid {bid} · ask {ask} · spread {cents}', {
                  bid: cents(selected?.bid, market.tickSize),
                  ask: cents(selected?.ask, market.tickSize),
                  cents: cents(selected && spreadOf(selected), market.tickSize),
                })}
              </span>
            </div>
            <SegmentedControl
              size="xs"
              aria-label={t('Outcome')}
              value={selected?.label ?? ''}
              data={market.outcomes.map(({ label }) => label)}
              onChange={(label) =>
                void navigate({ search: (now) => ({ ...now, outcome: label }), replace: true })
              }
            />
          </div>
          <dl className="facts wide">
            <dt>{t('Venue')}</dt>
            <dd>
              {venueTitle(market.venue)}, {translateServed(market.status)}
            </dd>
            <dt>{t('Change in 24 h')}</dt>
            <dd>{market.change24h === null ? '—' : <DayChange of={market} />}</dd>
            <dt>{t('24 h volume')}</dt>
            <dd>{usdCompact(market.volume24h)}</dd>
            <dt>{t('Volume')}</dt>
            <dd>{usdCompact(market.volume)}</dd>
            <dt>{t('Open interest')}</dt>
            <dd>{amount(market.openInterest)}</dd>
            <dt>{t('Closes')}</dt>
            <dd>{market.closesAt ? <Time at={market.closesAt} /> : '—'}</dd>
            <dt>{t('Instrument')}</dt>
            <dd>
              {selected?.tokenId ? (
                <span className="row tight">
                  <code title={selected.tokenId}>{shortToken(selected.tokenId)}</code>
                  <CopyButton text={selected.tokenId} label={t('Copy instrument')} />
                </span>
              ) : (
                '—'
              )}
            </dd>
          </dl>
          {selected?.tokenId ? (
            <div className="row">
              <AddToBlueprintButton tokenId={selected.tokenId} />
              <MarketDialogs
                tokenId={selected.tokenId}
                name={name}
                price={answer.source === 'stale' ? null : (now?.price ?? null)}
                field={now?.kind ?? 'mid'}
                isOutcome
                write={(price) => cents(price, null)}
              />
              <StarButton tokenId={selected.tokenId} name={name} />
            </div>
          ) : null}
        </div>
      </Panel>
      <EventOutcomes market={market} />
      <History
        market={market}
        inverted={index === 1}
        of={selected}
        asOf={answer.source === 'stale' || market.status !== 'open' ? null : answer.asOf}
      />
      {selected?.tokenId ? (
        <Ladder
          key={selected.tokenId}
          tokenId={selected.tokenId}
          label={selected.label}
          mirror={other?.tokenId ?? null}
          tickSize={market.tickSize}
        />
      ) : null}
      {market.rules ? (
        <Panel title={t('Rules')}>
          <p className="plain market-rules">{market.rules}</p>
        </Panel>
      ) : null}
      <Curl command={curl('GET', path)} />
    </div>
  );
}

const EventPanel = onDemand<EventPanelProps>(
  async () => (await import('./event-panel.tsx')).EventPanel,
  () => <RowSkeleton rows={3} height={120} />,
);

/** The markets of the same event in the list beside; nothing if this one is alone. */
function EventOutcomes({ market }: { market: Market }) {
  const { find = '' } = useSearch({ from: '/shell/markets' });
  const query = PREDICTION_QUERIES[market.venue].useMarkets(find);
  const listed = (query.data ?? {}) as { markets?: Market[] } & Partial<Answer>;
  const event = eventsOf(listed.markets ?? []).find(({ id }) => id === market.event?.id);
  if (!event || event.markets.length < 2) return null;
  return (
    <EventPanel
      key={event.id}
      event={event}
      market={market}
      asOf={listed.source === 'stale' ? null : (listed.asOf ?? null)}
    />
  );
}

type HistoryProps = {
  market: Market;
  inverted: boolean;
  of: Market['outcomes'][number] | undefined;
  /** When its price was read; null if that is not known to be current. */
  asOf: string | null;
};

function History({ market, inverted, of, asOf }: HistoryProps) {
  const { label = '', tokenId = null } = of ?? {};
  const interval = useHistoryInterval();
  const query = PREDICTION_QUERIES[market.venue].useHistory(market.ref, interval);
  const points = query.data?.kind === 'history' ? query.data.points : null;
  const past = points?.map(({ t, p }) => ({ at: t, value: inverted ? 1 - p : p }));
  const series = past && withPriceNow(past, of && displayedPrice(of).price, asOf);
  return (
    <Panel title={t('History of {label}', { label })} actions={<IntervalChoice />}>
      {query.error && !series ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      <div style={{ minHeight: HEIGHT + LEVELS_PX }}>
        {series && series.length > 0 ? (
          <LazyLevelsChart
            label={t('Price of {label}', { label })}
            summary={t('From {value} to {value2} over {interval}.', {
              value: cents(series[0]?.value),
              value2: cents(series.at(-1)?.value),
              interval,
            })}
            height={HEIGHT}
            view={`${market.ref} ${label} ${interval}`}
            revision={pointsChangeKey(series)}
            levelsOf={{ tokenId: tokenId ?? `${market.ref} ${label}`, isOutcome: true }}
            layers={[{ kind: 'area', points: series, write: (value) => cents(value) }]}
          />
        ) : null}
        {series?.length === 0 ? (
          <p className="dim">{t('The venue has no prices for this interval.')}</p>
        ) : null}
      </div>
    </Panel>
  );
}
