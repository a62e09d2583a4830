import { t } from '../../language/language.ts';
import { VENUE_NAMES, type VenueName, venueTitle } from './venue.ts';

/** The options under one heading. */
export type InstrumentGroup<Option> = { title: string; options: readonly Option[] };

type Listed = { tokenId: string; venue: VenueName };

/** Starred instruments, then recent ones that are not starred. */
export function savedGroups<Option extends Listed>(
  { starred, recent }: { starred: readonly string[]; recent: readonly string[] },
  known: readonly Option[],
): InstrumentGroup<Option>[] {
  const byId = new Map(known.map((option) => [option.tokenId, option]));
  const of = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  return [
    { title: t('Your watchlist'), options: of(starred) },
    { title: t('Chosen last'), options: of(recent.filter((id) => !starred.includes(id))) },
  ];
}

/** Search results by venue: first the venue whose ids begin with these words, as `btc` begins a coin's. */
export function byVenue<Option extends Listed>(
  found: readonly Option[],
  { words = '', before = '' } = {},
): InstrumentGroup<Option>[] {
  const begin = words.toUpperCase();
  const isMeant = (options: readonly Option[]) =>
    begin !== '' && options.some(({ tokenId }) => tokenId.startsWith(begin));
  return VENUE_NAMES.map((venue) => ({
    title: before === '' ? venueTitle(venue) : `${before}, ${venueTitle(venue)}`,
    options: found.filter((option) => option.venue === venue),
  })).sort((one, other) => Number(isMeant(other.options)) - Number(isMeant(one.options)));
}

/** Keeps only instruments of these venues, each once at its first position, and drops empty groups. */
export function visibleGroups<Option extends Listed>(
  groups: readonly InstrumentGroup<Option>[],
  venues: readonly VenueName[],
): InstrumentGroup<Option>[] {
  const seen = new Set<string>();
  const isNew = ({ tokenId, venue }: Option) => {
    const isFirst = venues.includes(venue) && !seen.has(tokenId);
    seen.add(tokenId);
    return isFirst;
  };
  return groups
    .map(({ title, options }) => ({ title, options: options.filter(isNew) }))
    .filter(({ options }) => options.length > 0);
}

const PAGE = 8;

/** The next position in a list for a key, or null if the key does not move. */
export function indexAfter(key: string, at: number, count: number): number | null {
  const last = count - 1;
  if (last < 0) return null;
  switch (key) {
    case 'ArrowDown':
      return at === last ? 0 : at + 1;
    case 'ArrowUp':
      return at === 0 ? last : at - 1;
    case 'PageDown':
      return Math.min(last, at + PAGE);
    case 'PageUp':
      return Math.max(0, at - PAGE);
    default:
      return null;
  }
}

/** The status of the list, also for screen readers. */
export function statusWords(of: { count: number; isFetching: boolean; words: string }): string {
  const { count, isFetching, words } = of;
  if (count > 0)
    return isFetching
      ? t('Searching…')
      : `${t('{count, plural, one {# instrument} other {# instruments}}', { count })}.`;
  if (isFetching) return t('Searching…');
  return words === ''
    ? t('No market is listed.')
    : t('Nothing is called “{words}”. Try other words.', { words });
}
