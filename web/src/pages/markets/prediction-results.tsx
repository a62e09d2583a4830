import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { cents, usdCompact } from '../../format/number.ts';
import { venueTitle } from '../../format/venue.ts';
import { curl } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Age } from '../../ui/time.tsx';
import { type Market, refOf } from './refs.ts';

const COUNT = 25;

type ResultsProps = { find: string; chosen: string | undefined; onOpen: (market: string) => void };

/** Both venues beside each other: when one is in trouble the other is still here. */
export function PredictionResults({ find, chosen, onOpen }: ResultsProps) {
  const a = useQuery(
    trpc.marketData.venueA.queryOptions(find ? { search: find, limit: COUNT } : { top: COUNT }),
  );
  const b = useQuery(
    trpc.marketData.venueB.queryOptions(
      find ? { search: find, limit: COUNT, expand: 'markets' } : { trending: COUNT, expand: 'markets' },
    ),
  );
  const command = curl(
    'GET',
    find ? `/api/venue-a?search=${encodeURIComponent(find)}` : '/api/venue-a?top=20',
  );
  return (
    <div className="stack">
      <Venue venue="venue-a" query={a} chosen={chosen} onOpen={onOpen} command={command} />
      <Venue
        venue="venue-b"
        query={b}
        chosen={chosen}
        onOpen={onOpen}
        command={command.replace('venue-a', 'venue-b')}
      />
    </div>
  );
}

type Answer = { markets?: Market[]; source: 'live' | 'simulator' | 'stale'; asOf: string };
type VenueProps = {
  venue: 'venue-a' | 'venue-b';
  query: { data: unknown; error: unknown; refetch: () => unknown };
  chosen: string | undefined;
  onOpen: (market: string) => void;
  command: string;
};

function Venue({ venue, query, chosen, onOpen, command }: VenueProps) {
  const answer = query.data as Answer | undefined;
  return (
    <Panel title={venueTitle(venue)} flush actions={answer ? <Source answer={answer} /> : null}>
      {query.error ? <ProblemNotice error={query.error} retry={() => void query.refetch()} /> : null}
      {!answer && !query.error ? <RowSkeleton rows={6} height={26} /> : null}
      {answer?.markets?.length === 0 ? (
        <Empty title="Nothing found" why="Try other words." command={command} />
      ) : null}
      <ul className="list market-list">
        {answer?.markets?.map((market) => (
          <li key={market.id}>
            <button
              type="button"
              data-row={market.ref}
              aria-pressed={chosen === refOf(market)}
              onClick={() => onOpen(refOf(market))}
            >
              <span className="clip" title={market.title}>
                {market.title}
                {market.label && market.label !== market.title ? (
                  <span className="dim"> · {market.label}</span>
                ) : null}
              </span>
              <span className="num">{cents(market.outcomes[0]?.price, market.tickSize)}</span>
              <span className="num dim small">{usdCompact(market.volume24h)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Where the numbers are from, and when they are old. */
export function Source({ answer: { source, asOf } }: { answer: Pick<Answer, 'source' | 'asOf'> }) {
  if (source === 'stale') {
    return (
      <span className="chip warn">
        last good answer, <Age at={asOf} />
      </span>
    );
  }
  return <span className="dim small">{source === 'simulator' ? 'Simulated data' : 'Live data'}</span>;
}
