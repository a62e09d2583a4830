import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client, trpc } from '../../api/trpc.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { shortToken, usdCompact } from '../../format/number.ts';
import { instrumentName, marketSearchOf, priceNow } from '../../format/trading/instrument.ts';
import { isCoinVenue, priceAt, venueTitle } from '../../format/trading/venue.ts';
import { DayChange } from '../../instruments/day-change.tsx';
import { FindButton } from '../../instruments/find-button.tsx';
import { useSavedInstruments } from '../../instruments/saved-instruments.ts';
import { StarButton } from '../../instruments/star-button.tsx';
import { type Instrument, useInstruments } from '../../instruments/use-instruments.ts';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { FindField } from '../../ui/table/find-field.tsx';
import { matchesWords } from '../../ui/table/matches-words.ts';
import { SortedTable } from '../../ui/table/sorted-table.tsx';
import { Time } from '../../ui/time.tsx';

const TABLE = 'watchlist';
const DAY_OF_HOURS = 24;
const STALE_MS = 60_000;

/** Starred instruments of any venue: the current price and the change over a day. */
export function Watchlist() {
  const starred = useSavedInstruments((saved) => saved.starred);
  const toggle = useSavedInstruments((saved) => saved.toggle);
  const query = useInstruments(starred);
  const found = (query.data?.instruments ?? []).filter(({ tokenId }) => starred.includes(tokenId));
  const [words, setWords] = useState('');
  const matching = found.filter((each) => isCalled(each, words));
  const missing = starred.filter((tokenId) => !found.some((each) => each.tokenId === tokenId));
  return (
    <Panel
      title={t('Watchlist')}
      flush
      actions={
        <>
          {found.length > 1 ? (
            <FindField label={t('Find in the watchlist')} value={words} onChange={setWords} />
          ) : null}
          {found.length > 0 ? <ColumnMenu name={TABLE} columns={columns()} /> : null}
          <FindButton
            label={t('Add a market…')}
            onPick={(tokenId) => (starred.includes(tokenId) ? undefined : toggle(tokenId))}
          />
        </>
      }
    >
      {starred.length === 0 ? (
        <EmptyState
          title={t('No markets watched yet')}
          why={t('Star a market of any venue to watch it here. The list is stored in this browser.')}
        />
      ) : null}
      {query.error && !query.data ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      {starred.length > 0 && query.isPending ? <RowSkeleton rows={starred.length} height={26} /> : null}
      {matching.length > 0 ? <Rows of={matching} /> : null}
      {found.length > 0 && matching.length === 0 ? (
        <p className="table-note dim">{t('Nothing of that name is watched.')}</p>
      ) : null}
      {query.data && missing.length > 0 ? (
        <div className="row table-note dim small">
          {t(
            '{missing, plural, one {# starred instrument} other {# starred instruments}} cannot be read now.',
            { missing: missing.length },
          )}
          {missing.map((tokenId) => (
            <StarButton key={tokenId} tokenId={tokenId} name={tokenId} />
          ))}
        </div>
      ) : null}
    </Panel>
  );
}

/** Whether each word is in the market's name, its id or its venue. */
const isCalled = (instrument: Instrument, words: string): boolean =>
  matchesWords(`${instrumentName(instrument)} ${instrument.tokenId} ${venueTitle(instrument.venue)}`, words);

type Watched = Instrument & { id: string; day: readonly number[]; change: number | null };

function Rows({ of }: { of: readonly Instrument[] }) {
  const days = useDays(of);
  const rows = of.map((instrument, index): Watched => {
    const day = days[index] ?? [];
    return { ...instrument, id: instrument.tokenId, day, change: changeOf(instrument, day) };
  });
  return (
    <SortedTable
      name={TABLE}
      columns={columns()}
      rows={rows}
      nameOf={instrumentName}
      rowProps={() => ({ tabIndex: 0 })}
      actions={(row) => <StarButton tokenId={row.tokenId} name={instrumentName(row)} />}
    />
  );
}

/** The change as a share of the price: coins have it as a share already, outcomes in cents. */
function shareOf({ venue, change, day }: Watched): number | null {
  if (isCoinVenue(venue)) return change;
  const last = day.at(-1);
  return change === null || last === undefined || last === change ? change : change / (last - change);
}

const columns = (): readonly Column<Watched>[] => [
  {
    id: 'market',
    title: t('Market'),
    sortBy: instrumentName,
    cell: (row) => (
      <span>
        <Link to="/markets" search={marketSearchOf(row)}>
          {instrumentName(row)}
        </Link>{' '}
        <span className="id" title={row.tokenId}>
          {shortToken(row.tokenId)}
        </span>
      </span>
    ),
  },
  {
    id: 'venue',
    title: t('Venue'),
    isLesser: true,
    sortBy: ({ venue }) => venueTitle(venue),
    cell: ({ venue }) => venueTitle(venue),
    cellProps: () => ({ className: 'dim' }),
  },
  {
    id: 'price',
    title: t('Price'),
    isNumber: true,
    cell: (row) => {
      const { text, kind } = priceNow(row);
      return (
        <span>
          {text} <span className="dim small">{kind}</span>
        </span>
      );
    },
  },
  {
    id: 'change',
    title: t('24 h'),
    isNumber: true,
    sortBy: shareOf,
    cell: ({ venue, change }) => (change === null ? '—' : <DayChange of={{ venue, change24h: change }} />),
  },
  {
    id: 'day',
    title: t('Last day'),
    cell: (row) => <Sparkline values={row.day} label={dayWords(row, row.day)} />,
  },
  {
    id: 'volume',
    title: t('Volume in 24 h'),
    isNumber: true,
    isLesser: true,
    sortBy: ({ volume24h }) => volume24h,
    cell: ({ volume24h }) => usdCompact(volume24h),
  },
  {
    id: 'closes',
    title: t('Closes'),
    isLesser: true,
    sortBy: ({ closesAt }) => closesAt,
    cell: ({ closesAt }) => (closesAt ? <Time at={closesAt} /> : '—'),
  },
];

/** The venue's own change; else that of the line, from its first price to its last. */
function changeOf({ change24h }: Instrument, day: readonly number[]): number | null {
  const [first, last] = [day[0], day.at(-1)];
  return change24h ?? (first === undefined || last === undefined ? null : last - first);
}

function dayWords({ venue }: Instrument, day: readonly number[]): string {
  return t('From {venue} to {venue2} in a day.', {
    venue: priceAt(venue, day[0]),
    venue2: priceAt(venue, day.at(-1)),
  });
}

/** The prices of the last day of each, ascending in time. */
const useDays = (instruments: readonly Instrument[]): readonly (readonly number[])[] =>
  useQueries({
    queries: instruments.map((instrument) => ({
      queryKey: [...trpc.marketData.pathKey(), 'day', instrument.venue, instrument.tokenId],
      queryFn: () => dayOf(instrument),
      staleTime: STALE_MS,
      refetchInterval: STALE_MS,
    })),
    combine: (answers) => answers.map(({ data }) => data ?? []),
  });

/** The other side of a market is one minus the first. */
async function dayOf({ venue, tokenId }: Instrument): Promise<readonly number[]> {
  if (isCoinVenue(venue)) {
    const wanted = { symbol: tokenId, type: 'klines', interval: '1h', limit: DAY_OF_HOURS } as const;
    const coin = await client.marketData.crypto.query(wanted);
    return coin.kind === 'klines' ? coin.klines.map(({ c }) => c) : [];
  }
  if (venue === 'venue-a') {
    const a = await client.marketData.venueA.query({
      ref: tokenId.replace(/:(yes|no)$/, ''),
      interval: '1d',
    });
    const isNo = tokenId.endsWith(':no');
    return a.kind === 'history' ? a.points.map(({ p }) => (isNo ? 1 - p : p)) : [];
  }
  const b = await client.marketData.venueB.query({ ref: tokenId, interval: '1d' });
  return b.kind === 'history' ? b.points.map(({ p }) => p) : [];
}
