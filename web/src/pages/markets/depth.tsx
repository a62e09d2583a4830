import { depthPaths } from '../../format/depth.ts';
import { amount } from '../../format/number.ts';
import { t } from '../../language/language.ts';

type Level = { price: number; size: number };
type DepthProps = { bids: readonly Level[]; asks: readonly Level[]; write: (price: number) => string };

const BOX = { width: 400, height: 96 };

/** The sizes bid and asked up to each price: bids left, asks right, the mid in the middle. */
export function DepthCurve({ bids, asks, write }: DepthProps) {
  const paths = depthPaths({ bids, asks }, BOX);
  if (!paths) return null;
  const [low, high] = [bids.at(-1), asks.at(-1)];
  const total = (levels: readonly Level[]) => levels.reduce((sum, { size }) => sum + size, 0);
  return (
    <figure className="plain depth">
      <svg
        role="img"
        aria-label={t('{bids} are bid down to {write}, {asks} asked up to {write2}.', {
          bids: amount(total(bids)),
          write: write(low?.price ?? 0),
          asks: amount(total(asks)),
          write2: write(high?.price ?? 0),
        })}
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
      >
        <path className="bid" d={paths.bid} />
        <path className="ask" d={paths.ask} />
      </svg>
      <figcaption className="row apart dim small">
        <span>{t('bids to {write}', { write: write(low?.price ?? 0) })}</span>
        <span>{t('depth')}</span>
        <span>{t('asks to {write}', { write: write(high?.price ?? 0) })}</span>
      </figcaption>
    </figure>
  );
}
