import { instrumentLine, isPossibleId } from '../format/trading/instrument.ts';
import { VENUE_NAMES, type VenueName } from '../format/trading/venue.ts';
import { t } from '../language/language.ts';
import { FindButton } from './find-button.tsx';
import { useDebounced, useInstruments } from './use-instruments.ts';

type FieldProps = {
  id: string;
  value: string;
  readOnly: boolean;
  isMissing: boolean;
  example: string;
  venues?: readonly VenueName[];
  onChange: (tokenId: string) => void;
};

/** The id of an instrument, typed, pasted or found by name; below it its name, once its venue has responded. */
export function InstrumentField(props: FieldProps) {
  const { id, value, readOnly, isMissing, example, venues = VENUE_NAMES, onChange } = props;
  return (
    <>
      <div className="row tight instrument-field">
        <input
          id={id}
          className="text-input mono"
          disabled={readOnly}
          autoComplete="off"
          spellCheck={false}
          placeholder={example}
          aria-invalid={isMissing || undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {readOnly ? null : <FindButton label={t('Find…')} venues={venues} onPick={onChange} />}
      </div>
      <InstrumentName tokenId={value} />
    </>
  );
}

/** The name of an id; empty while it is unknown. */
export function InstrumentName({ tokenId }: { tokenId: string }) {
  const settled = useDebounced(tokenId.trim());
  const isRequested = isPossibleId(settled);
  const { data } = useInstruments(isRequested ? [settled] : []);
  const found = data?.instruments.find((each) => each.tokenId === settled);
  if (!isRequested || !data || settled !== tokenId.trim()) return null;
  if (found) return <span className="hint">{instrumentLine(found)}</span>;
  return data.silent.length > 0 ? null : <span className="hint warn">{t('No venue lists it.')}</span>;
}
