import { Fragment, useEffect } from 'react';
import { usdCompact } from '../../format/number.ts';
import { centsOf, displayedPrice, priceKindWords } from '../../format/trading/outcome-price.ts';
import { type VenueOfKind, venuesOfKind, venueTitle } from '../../format/trading/venue.ts';
import { Mark } from '../../instruments/mark.tsx';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Age } from '../../ui/time.tsx';
import { useCurrentMarket } from './current-prices.ts';
import { eventsOf, type Market, marketRefOf, nameInEvent } from './market-ref.ts';
import { apiPathOfMarkets, PREDICTION_QUERIES } from './prediction-queries.ts';

type ResultsProps = {
  find: string;
  chosen: string | undefined;
  onOpen: (market: string) => void;
  /** Called with the first market of the list if none is chosen. */
  onFirst: (market: string) => void;
};

/** A window wide enough for a market beside the list. */
const BESIDE = '(min-width: 1001px)';

/** The venues beside each other: if one fails, the others remain. */
export function PredictionResults(props: ResultsProps) {
  const venues = venuesOfKind('outcome');
  return (
    <div className="stack">
      {venues.map((venue, index) => (
        <Venue key={venue} venue={venue} isFirst={index === 0} {...props} />
      ))}
    </div>
  );
}

type Answer = { markets?: Market[]; source: 'live' | 'simulator' | 'stale'; asOf: string };
type VenueProps = ResultsProps & { venue: VenueOfKind<'outcome'>; isFirst: boolean };

function Venue({ venue, isFirst, find, chosen, onOpen, onFirst }: VenueProps) {
  const query = PREDICTION_QUERIES[venue].useMarkets(find);
  const answer = query.data as Answer | undefined;
  const [first] = answer?.markets ?? [];
  useEffect(() => {
    if (isFirst && !chosen && first && matchMedia(BESIDE).matches) onFirst(marketRefOf(first));
  }, [isFirst, chosen, first, onFirst]);
  return (
    <Panel
      title={
        <>
          <Mark name={venueTitle(venue).slice(-1)} />
          {venueTitle(venue)}
        </>
      }
      flush
      actions={answer ? <QuoteSourceLine answer={answer} /> : null}
    >
      {query.error ? <ProblemNotice error={query.error} retry={() => void query.refetch()} /> : null}
      {!answer && !query.error ? <RowSkeleton rows={6} height={26} /> : null}
      {answer?.markets?.length === 0 ? (
        <EmptyState
          title={t('Nothing found')}
          why={t('Try other words.')}
          command={curl('GET', apiPathOfMarkets(venue, find))}
        />
      ) : null}
      <ul className="list market-list">
        {answer?.markets?.length ? <MarketHeads last={t('24 h volume')} /> : null}
        {eventsOf(answer?.markets ?? []).map(({ id, title, markets }) => (
          <Fragment key={id}>
            {markets.length > 1 ? (
              <li className="event" title={title}>
                <strong className="two-lines">{title}</strong>
                <span className="dim small">{t('{count} outcomes', { count: markets.length })}</span>
              </li>
            ) : null}
            {markets.map((market) => (
              <li key={market.id}>
                <button
                  type="button"
                  className={markets.length > 1 ? 'outcome' : undefined}
                  data-row={market.ref}
                  aria-pressed={chosen === marketRefOf(market)}
                  onClick={() => onOpen(marketRefOf(market))}
                >
                  {markets.length > 1 ? (
                    <span className="two-lines">
                      <span className="sr">{title}: </span>
                      {nameInEvent(market)}
                    </span>
                  ) : (
                    <LoneTitle market={market} />
                  )}
                  {chosen === marketRefOf(market) ? (
                    <ChosenPrice market={market} />
                  ) : (
                    <PriceNow market={market} />
                  )}
                  <span className="num dim small">{usdCompact(market.volume24h)}</span>
                </button>
              </li>
            ))}
          </Fragment>
        ))}
      </ul>
    </Panel>
  );
}

/** The title of a market that is alone in its event. */
const LoneTitle = ({ market: { title, label } }: { market: Market }) => (
  <span className="two-lines" title={title}>
    {title}
    {label && !title.includes(label) ? <span className="dim"> · {label}</span> : null}
  </span>
);

/** Column heads of the list; for screen readers, each row names its own figures. */
export const MarketHeads = ({ last }: { last: string }) => (
  <li className="dim small heads" aria-hidden>
    <span>{t('Market')}</span>
    <span className="num">{t('Price')}</span>
    <span className="num">{last}</span>
  </li>
);

/** The list was read at another instant than the market beside it. */
const ChosenPrice = ({ market }: { market: Market }) => <PriceNow market={useCurrentMarket(market)} />;

/** The price shown at the top of the market's own page. */
function PriceNow({ market: { outcomes, tickSize } }: { market: Market }) {
  const [first] = outcomes;
  const now = first && displayedPrice(first);
  return (
    <span className="num">
      {centsOf(now, tickSize)} <span className="dim small">{now ? priceKindWords(now.kind) : null}</span>
    </span>
  );
}

/** The source of the numbers, and their age if they are old. */
export function QuoteSourceLine({ answer: { source, asOf } }: { answer: Pick<Answer, 'source' | 'asOf'> }) {
  if (source === 'stale') {
    return (
      <span className="chip warn">
        <Trans message="last good answer, {age}" values={{ age: <Age at={asOf} /> }} />
      </span>
    );
  }
  return <span className="dim small">{source === 'simulator' ? t('Simulated data') : t('Live data')}</span>;
}
