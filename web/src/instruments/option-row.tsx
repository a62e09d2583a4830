import { usdCompact } from '../format/number.ts';
import { instrumentName, priceNow } from '../format/trading/instrument.ts';
import { venueTitle } from '../format/trading/venue.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { Time } from '../ui/time.tsx';
import { DayChange } from './day-change.tsx';
import { Mark } from './mark.tsx';
import type { Instrument } from './use-instruments.ts';

type OptionProps = {
  id: string;
  instrument: Instrument;
  isChosen: boolean;
  onPoint: () => void;
  onTake: () => void;
};

/** A market in the list: name, venue, price, volume and end. */
export function OptionRow({ id, instrument, isChosen, onPoint, onTake }: OptionProps) {
  const { venue, volume24h, closesAt, tokenId } = instrument;
  const { text, kind } = priceNow(instrument);
  const name = instrumentName(instrument);
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className="picker-option"
      title={`${name}\n${tokenId}`}
      onPointerMove={isChosen ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <span className="picker-name">
        <Mark name={instrument.title} />
        {name}
      </span>
      <span className="num">
        {text} <span className="dim small">{kind}</span>
      </span>
      <span className="dim small picker-facts">
        <span>{venueTitle(venue)}</span>
        <span>{t('{volume24h} in 24 h', { volume24h: usdCompact(volume24h) })}</span>
        <DayChange of={instrument} />
        {closesAt === null ? null : (
          <span>
            <Trans message="closes {time}" values={{ time: <Time at={closesAt} /> }} />
          </span>
        )}
      </span>
    </button>
  );
}
