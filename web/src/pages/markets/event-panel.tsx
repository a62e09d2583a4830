import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { type Layer, LINE_TONES, pointsChangeKey } from '../../charts/layers.ts';
import { LazyChart } from '../../charts/lazy-chart.tsx';
import { cents, share, usdCompact } from '../../format/number.ts';
import { withPriceNow } from '../../format/trading/current-price.ts';
import { leadingRefs, withGaps } from '../../format/trading/event-lines.ts';
import { centsOf, displayedPrice } from '../../format/trading/outcome-price.ts';
import { DayChange } from '../../instruments/day-change.tsx';
import { t } from '../../language/language.ts';
import { Panel, Skeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { IntervalChoice, useHistoryInterval } from './history-interval.tsx';
import { TradeButton } from './market-dialogs.tsx';
import { type Market, type MarketEvent, marketRefOf, nameInEvent, titleOf } from './market-ref.ts';

const HEIGHT = 260;
const REFRESH_MS = 60_000;
/** A longer name at the end of a line would cover the lines. */
const END_NAME_MAX = 16;
/** An event of more outcomes is folded. */
const ROWS_MAX = 12;

export type EventPanelProps = {
  event: MarketEvent;
  /** The market of the page. */
  market: Market;
  /** When the prices of the list were read; null if they are not known to be current. */
  asOf: string | null;
};

/** An event: the chance of its leading outcomes over time, and all of them in a table, which is the legend too. */
export function EventPanel({ event, market, asOf }: EventPanelProps) {
  // The list was read at another instant; the market of this page has one price on it.
  const markets = event.markets.map((each) => (each.ref === market.ref ? market : each));
  const [isWhole, setWhole] = useState(false);
  // Chosen once: while prices move, no line is exchanged for another.
  const [chosen, setChosen] = useState(() => ({ open: market.ref, refs: leadingOf(markets, market.ref) }));
  if (chosen.open !== market.ref && !chosen.refs.includes(market.ref))
    setChosen({ open: market.ref, refs: leadingOf(markets, market.ref) });
  const refs = chosen.refs.filter((ref) => markets.some((each) => each.ref === ref));
  const rows = isWhole
    ? markets
    : markets.filter((each, index) => index < ROWS_MAX || each.ref === market.ref || refs.includes(each.ref));
  return (
    <Panel title={event.title} flush actions={<IntervalChoice />}>
      <div className="inset">
        <Lines markets={markets} refs={refs} asOf={asOf} />
      </div>
      <table className="rows event-outcomes">
        <thead>
          <tr>
            <th>{t('Outcome')}</th>
            <th className="num">{t('Price')}</th>
            <th className="num change">{t('Change in 24 h')}</th>
            <th className="num lesser">{t('24 h volume')}</th>
            <th>{t('Buy')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((each) => (
            <tr key={each.id}>
              <td>
                <Stroke index={refs.indexOf(each.ref)} />
                <Link
                  to="/markets"
                  search={(now) => ({ ...now, market: marketRefOf(each), outcome: undefined })}
                  aria-current={each.ref === market.ref || undefined}
                >
                  {nameInEvent(each)}
                </Link>
              </td>
              <td className="num">
                {centsOf(each.outcomes[0] && displayedPrice(each.outcomes[0]), each.tickSize)}
              </td>
              <td className="num change">{each.change24h === null ? '—' : <DayChange of={each} />}</td>
              <td className="num lesser">{usdCompact(each.volume24h)}</td>
              <td className="buy-sides">
                <BuySides market={each} isCurrent={asOf !== null} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < markets.length ? (
        <button type="button" className="chip more-rows" onClick={() => setWhole(true)}>
          {t('All {count} outcomes', { count: markets.length })}
        </button>
      ) : null}
    </Panel>
  );
}

/** A button for each outcome with what it costs now, which opens the ticket for it. */
const BuySides = ({ market, isCurrent }: { market: Market; isCurrent: boolean }) => (
  <span className="row tight">
    {market.outcomes.map((outcome) => {
      const { label, ask, tokenId } = outcome;
      const { price, kind } = displayedPrice(outcome);
      const cost = cents(ask, market.tickSize);
      return tokenId && market.status === 'open' ? (
        <TradeButton
          key={label}
          label={`${label} ${cost}`}
          spoken={t('{side}: buy “{name}”', { side: `${label} ${cost}`, name: nameInEvent(market) })}
          market={{
            tokenId,
            name: `${label} · ${titleOf(market)}`,
            price: isCurrent ? price : null,
            field: kind,
            isOutcome: true,
            write: (value) => cents(value, null),
          }}
        />
      ) : null;
    })}
  </span>
);

const priceOf = ({ outcomes: [first] }: Market): number | null =>
  first === undefined ? null : displayedPrice(first).price;

const leadingOf = (markets: readonly Market[], open: string): string[] =>
  leadingRefs(
    markets.map((market) => ({ ref: market.ref, price: priceOf(market) })),
    open,
    LINE_TONES.length,
  );

/** The stroke of an outcome's line; room for it if it has none. */
const Stroke = ({ index }: { index: number }) => (
  <i className={index < 0 ? 'stroke none' : `stroke ${LINE_TONES[index]}`} aria-hidden />
);

const shortened = (name: string): string =>
  name.length > END_NAME_MAX ? `${name.slice(0, END_NAME_MAX - 1)}…` : name;

type LinesProps = { markets: readonly Market[]; refs: readonly string[]; asOf: string | null };

/** One line for each of the outcomes, in the order of their tones. All are of one read. */
function Lines({ markets, refs, asOf }: LinesProps) {
  const interval = useHistoryInterval();
  // Names beside the lines would take half of a phone; the legend above has them too.
  const isNarrow = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false });
  const [{ venue } = { venue: 'venue-a' as const }] = markets;
  const { data, error, refetch } = useQuery({
    ...trpc.console.histories.queryOptions({ venue, refs: [...refs], interval }),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  if (error && !data) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={HEIGHT} />;
  const lines = data.flatMap(({ ref, points }, index) => {
    const market = markets.find((each) => each.ref === ref);
    if (!market || !points) return [];
    const past = points.map(({ t: at, p: value }) => ({ at, value }));
    const isOpen = market.status === 'open';
    const line = withGaps(withPriceNow(past, priceOf(market), isOpen ? asOf : null));
    return line.length === 0
      ? []
      : [{ name: nameInEvent(market), tone: LINE_TONES[index] ?? 'accent', line }];
  });
  const missing = refs.length - lines.length;
  return (
    <>
      {lines.length === 0 ? (
        <p className="plain dim">{t('The venue has no prices for this interval.')}</p>
      ) : (
        <LazyChart
          label={t('Chance of each outcome')}
          summary={lines
            .map(({ name, line }) =>
              t('{name}: from {value} to {value2}.', {
                name,
                value: share(line[0]?.value),
                value2: share(line.at(-1)?.value),
              }),
            )
            .join(' ')}
          height={HEIGHT}
          view={`${venue} ${refs.join(' ')} ${interval}`}
          revision={[isNarrow, ...lines.map(({ name, line }) => `${name} ${pointsChangeKey(line)}`)].join(
            ' ',
          )}
          panes={[1]}
          layers={lines.map(
            ({ name, tone, line }): Layer => ({
              kind: 'line',
              name,
              ...(!isNarrow && { endName: shortened(name) }),
              tone,
              points: line,
              step: 0.0001,
              write: share,
            }),
          )}
        />
      )}
      <p className="plain dim small">
        {markets.length > refs.length
          ? t('{count} of {all} outcomes are drawn: the likeliest, and the open one.', {
              count: refs.length,
              all: markets.length,
            })
          : null}{' '}
        {t('A price of 62¢ is a chance of 62%; where a line is broken, there are no prices.')}{' '}
        {missing > 0 && lines.length > 0
          ? t('{missing, plural, one {# outcome has} other {# outcomes have}} no prices in this interval.', {
              missing,
            })
          : null}
      </p>
    </>
  );
}
