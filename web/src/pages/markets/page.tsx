import { SegmentedControl } from '@mantine/core';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { marketSearchOf } from '../../format/trading/instrument.ts';
import { FindButton } from '../../instruments/find-button.tsx';
import { msg, t } from '../../language/language.ts';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { CryptoDetail } from './crypto-detail.tsx';
import { CryptoResults } from './crypto-results.tsx';
import { PredictionDetail } from './prediction-detail.tsx';
import { PredictionResults } from './prediction-results.tsx';

/** The sections of Markets, by their word in the address. */
const SECTIONS = {
  predictions: { label: msg('Predictions'), Results: PredictionResults, Detail: PredictionDetail },
  crypto: { label: msg('Crypto'), Results: CryptoResults, Detail: CryptoDetail },
} as const;
type Section = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Section[];
const WATCHLIST = 'watchlist';
const TABS = [
  ...NAMES.map((name) => ({ value: name as string, label: SECTIONS[name].label })),
  { value: WATCHLIST, label: msg('Watchlist') },
];

const Watchlist = onDemand(async () => (await import('./watchlist.tsx')).Watchlist);

const TYPING_MS = 350;

/** Search on the left, the chosen market on the right: history, book, and its use in a blueprint. */
export function MarketsPage() {
  const { venue = 'predictions', find = '', market } = useSearch({ from: '/shell/markets' });
  const navigate = useNavigate({ from: '/markets' });
  return (
    <div className="page">
      <PageHead title={t('Markets')}>
        <SegmentedControl
          size="xs"
          aria-label={t('Venue')}
          value={venue}
          data={TABS.map(({ value: name, label }) => ({ value: name, label: t(label) }))}
          onChange={(next) => void navigate({ search: { venue: next, ...(find && { find }) } })}
        />
        {venue === WATCHLIST ? null : (
          <SearchField
            key={venue}
            value={find}
            onSearch={(words) =>
              void navigate({ search: (now) => ({ ...now, find: words || undefined }), replace: true })
            }
          />
        )}
        <FindButton
          label={t('Find a market…')}
          onPick={(_, instrument) =>
            instrument ? void navigate({ search: marketSearchOf(instrument) }) : undefined
          }
        />
      </PageHead>
      {venue === WATCHLIST ? <Watchlist /> : <Venues venue={venue} find={find} market={market} />}
    </div>
  );
}

type VenuesProps = { venue: string; find: string; market: string | undefined };

function Venues({ venue, find, market }: VenuesProps) {
  const navigate = useNavigate({ from: '/markets' });
  const { Results, Detail } = SECTIONS[NAMES.find((name) => name === venue) ?? 'predictions'];
  const open = (next: string) =>
    void navigate({ search: (now) => ({ ...now, market: next, outcome: undefined }) });
  const router = useRouter();
  const openFirst = useCallback(
    (first: string) => {
      // Not while another page loads: this would call the person back from it.
      const isLeaving = router.latestLocation.pathname !== router.state.resolvedLocation?.pathname;
      if (!isLeaving) void navigate({ search: (now) => ({ ...now, market: first }), replace: true });
    },
    [navigate, router],
  );
  return (
    <div className={market ? 'markets chosen' : 'markets'}>
      {market ? <BackToList key={market} /> : null}
      <div className="results">
        <Results find={find} chosen={market} onOpen={open} onFirst={openFirst} />
      </div>
      <Detail market={market} />
    </div>
  );
}

/** On a narrow screen the chosen market replaces the list, and is shown from its top. */
function BackToList() {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!link.current?.checkVisibility()) return;
    link.current.scrollIntoView();
    link.current.focus({ preventScroll: true });
  }, []);
  return (
    <Link
      ref={link}
      className="back"
      to="/markets"
      search={(now) => ({ ...now, market: undefined, outcome: undefined })}
    >
      <ArrowLeft size={16} aria-hidden /> {t('All markets')}
    </Link>
  );
}

/** Searches when the typing pauses. */
function SearchField({ value, onSearch }: { value: string; onSearch: (words: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onSearch(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <input
      className="text-input find"
      type="search"
      data-filter
      aria-label={t('Search markets')}
      placeholder={t('Search  /')}
      maxLength={50}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
