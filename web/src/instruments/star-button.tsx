import { Star as StarIcon } from 'lucide-react';
import { t } from '../language/language.ts';
import { useSavedInstruments } from './saved-instruments.ts';

/** Adds an instrument to the watchlist, and removes it. */
export function StarButton({ tokenId, name }: { tokenId: string; name: string }) {
  const isStarred = useSavedInstruments(({ starred }) => starred.includes(tokenId));
  const toggle = useSavedInstruments((saved) => saved.toggle);
  return (
    <button
      type="button"
      className="star"
      aria-pressed={isStarred}
      aria-label={t('Watch {name}', { name })}
      title={isStarred ? t('On your watchlist') : t('Put on your watchlist')}
      onClick={() => toggle(tokenId)}
    >
      <StarIcon size={16} aria-hidden fill={isStarred ? 'currentColor' : 'none'} />
    </button>
  );
}
