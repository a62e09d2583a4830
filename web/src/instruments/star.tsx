import { Star as StarIcon } from 'lucide-react';
import { useKept } from './kept.ts';

/** Puts an instrument on the watchlist, and takes it off. */
export function Star({ tokenId, name }: { tokenId: string; name: string }) {
  const isStarred = useKept(({ starred }) => starred.includes(tokenId));
  const toggle = useKept((kept) => kept.toggle);
  return (
    <button
      type="button"
      className="star"
      aria-pressed={isStarred}
      aria-label={`Watch ${name}`}
      title={isStarred ? 'On your watchlist' : 'Put on your watchlist'}
      onClick={() => toggle(tokenId)}
    >
      <StarIcon size={16} aria-hidden fill={isStarred ? 'currentColor' : 'none'} />
    </button>
  );
}
