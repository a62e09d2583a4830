import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { instrumentName, placeOf, priceNow } from '../../format/instrument.ts';
import { counted, shortToken, usdCompact } from '../../format/number.ts';
import { isOfCoins, priceAt, venueTitle } from '../../format/venue.ts';
import { Change } from '../../instruments/change.tsx';
import { FindButton } from '../../instruments/find-button.tsx';
import { useKept } from '../../instruments/kept.ts';
import { Star } from '../../instruments/star.tsx';
import { type Instrument, useLookedUp } from '../../instruments/use-instruments.ts';
import { Empty } from '../../ui/empty.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';

const DAY_OF_HOURS = 24;
const STALE_MS = 60_000;

/** What was starred, on whatever venue: its price now and how it went in a day. */
export function Watchlist() {
  const starred = useKept((kept) => kept.starred);
  const toggle = useKept((kept) => kept.toggle);
  const query = useLookedUp(starred);
  const found = (query.data?.instruments ?? []).filter(({ tokenId }) => starred.includes(tokenId));
  const missing = starred.filter((tokenId) => !found.some((each) => each.tokenId === tokenId));
  return (
    <Panel
      title="Watchlist"
      flush
      actions={
        <FindButton
          label="Add a market…"
          onPick={(tokenId) => (starred.includes(tokenId) ? undefined : toggle(tokenId))}
        />
      }
    >
      {starred.length === 0 ? (
        <Empty
          title="Nothing is watched yet"
          why="Star what you want to keep an eye on, on whatever venue. The list is kept in this browser."
        />
      ) : null}
      {query.error && !query.data ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      {starred.length > 0 && query.isPending ? <RowSkeleton rows={starred.length} height={26} /> : null}
      {found.length > 0 ? <Rows of={found} /> : null}
      {query.data && missing.length > 0 ? (
        <div className="row table-note dim small">
          {counted(missing.length, 'starred instrument')} cannot be read now.
          {missing.map((tokenId) => (
            <Star key={tokenId} tokenId={tokenId} name={tokenId} />
          ))}
        </div>
      ) : null}
    </Panel>
  );
}

const Rows = ({ of }: { of: readonly Instrument[] }) => (
  <table className="rows cards">
    <thead>
      <tr>
        <th>Market</th>
        <th className="lesser">Venue</th>
        <th className="num">Price</th>
        <th className="num">24 h</th>
        <th>Last day</th>
        <th className="num lesser">Volume in 24 h</th>
        <th className="lesser">Closes</th>
        <th>
          <span className="sr">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {of.map((instrument) => (
        <Row key={instrument.tokenId} instrument={instrument} />
      ))}
    </tbody>
  </table>
);

function Row({ instrument }: { instrument: Instrument }) {
  const { tokenId, venue, volume24h, closesAt } = instrument;
  const { text, kind } = priceNow(instrument);
  const name = instrumentName(instrument);
  const day = useDay(instrument);
  return (
    <tr data-row={tokenId} tabIndex={0} aria-label={name}>
      <td data-label="Market">
        <span>
          <Link to="/markets" search={placeOf(instrument)}>
            {name}
          </Link>{' '}
          <span className="id" title={tokenId}>
            {shortToken(tokenId)}
          </span>
        </span>
      </td>
      <td data-label="Venue" className="lesser dim">
        {venueTitle(venue)}
      </td>
      <td data-label="Price" className="num">
        <span>
          {text} <span className="dim small">{kind}</span>
        </span>
      </td>
      <td data-label="24 h" className="num">
        <DayChange instrument={instrument} day={day} />
      </td>
      <td data-label="Last day">
        <Sparkline values={day} label={dayWords(instrument, day)} />
      </td>
      <td data-label="Volume" className="num lesser">
        {usdCompact(volume24h)}
      </td>
      <td data-label="Closes" className="lesser">
        {closesAt ? <Time at={closesAt} /> : '—'}
      </td>
      <td className="num" data-label="Watched">
        <Star tokenId={tokenId} name={name} />
      </td>
    </tr>
  );
}

/** What its venue states; else what the line shows, from its first price to its last. */
function DayChange({ instrument, day }: { instrument: Instrument; day: readonly number[] }) {
  const [first, last] = [day[0], day.at(-1)];
  const change24h = instrument.change24h ?? (first === undefined || last === undefined ? null : last - first);
  return change24h === null ? <>—</> : <Change of={{ venue: instrument.venue, change24h }} />;
}

function dayWords({ venue }: Instrument, day: readonly number[]): string {
  return `From ${priceAt(venue, day[0])} to ${priceAt(venue, day.at(-1))} in a day.`;
}

/** Prices of the last day, ascending in time; the other side of a market is one minus the first. */
function useDay({ venue, tokenId }: Instrument): readonly number[] {
  const coin = useQuery({
    ...trpc.marketData.crypto.queryOptions({
      symbol: tokenId,
      type: 'klines',
      interval: '1h',
      limit: DAY_OF_HOURS,
    }),
    enabled: isOfCoins(venue),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  });
  const a = useQuery({
    ...trpc.marketData.venueA.queryOptions({ ref: tokenId.replace(/:(yes|no)$/, ''), interval: '1d' }),
    enabled: venue === 'venue-a',
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  });
  const b = useQuery({
    ...trpc.marketData.venueB.queryOptions({ ref: tokenId, interval: '1d' }),
    enabled: venue === 'venue-b',
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  });
  switch (venue) {
    case 'crypto':
      return coin.data?.kind === 'klines' ? coin.data.klines.map(({ c }) => c) : [];
    case 'venue-a': {
      const isNo = tokenId.endsWith(':no');
      return a.data?.kind === 'history' ? a.data.points.map(({ p }) => (isNo ? 1 - p : p)) : [];
    }
    case 'venue-b':
      return b.data?.kind === 'history' ? b.data.points.map(({ p }) => p) : [];
  }
}
