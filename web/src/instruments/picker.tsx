import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { shortToken } from '../format/number.ts';
import { isPossibleId } from '../format/trading/instrument.ts';
import {
  byVenue,
  type InstrumentGroup,
  indexAfter,
  savedGroups,
  statusWords,
  visibleGroups,
} from '../format/trading/instrument-picker.ts';
import { VENUE_NAMES, type VenueName, venueTitle } from '../format/trading/venue.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import './instruments.css';
import { t } from '../language/language.ts';
import { OptionRow } from './option-row.tsx';
import { STARRED_MAX, useSavedInstruments } from './saved-instruments.ts';
import { type Instrument, useDebounced, useInstrumentSearch, useInstruments } from './use-instruments.ts';

export type PickerProps = {
  /** Only what these venues list. */
  venues?: readonly VenueName[];
  onPick: (tokenId: string, instrument: Instrument | undefined) => void;
  onClose: () => void;
};

/** One search over every venue, by name or id. The arrows choose, Enter takes, and the field keeps the focus. */
export function Picker({ venues = VENUE_NAMES, onPick, onClose }: PickerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const words = typed.trim();
  const find = useDebounced(words);
  const found = useInstrumentSearch(find);
  const saved = useSavedInstruments();
  const known = useInstruments([...new Set([...saved.starred, ...saved.recent])].slice(0, STARRED_MAX));
  useEffect(() => dialog.current?.showModal(), []);

  const listed = found.data?.instruments ?? [];
  const groups = visibleGroups(
    words === ''
      ? [
          ...savedGroups(saved, known.data?.instruments ?? []),
          ...byVenue(listed, { before: t('Most traded') }),
        ]
      : byVenue(listed, { words }),
    venues,
  );
  const options = groups.flatMap((group) => group.options);
  const isAsIs = options.length === 0 && isPossibleId(words) && words === find && !found.isFetching;
  const chosen = Math.min(at, Math.max(0, options.length - 1));

  const take = (tokenId: string, instrument?: Instrument) => {
    saved.used(tokenId);
    onPick(tokenId, instrument);
    dialog.current?.close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, chosen, options.length);
    if (next !== null) {
      event.preventDefault();
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const option = options[chosen];
    // The latest typed text decides, not a list for an earlier text.
    if (option && words === find) take(option.tokenId, option);
    else if (isPossibleId(words)) take(words);
  };

  return (
    <dialog
      ref={dialog}
      className="confirm picker"
      aria-label={t('Find a market')}
      onClose={(event) => {
        // A dialog that opened it stays open.
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="picker-head">
        <Search size={16} aria-hidden />
        <input
          className="picker-input"
          role="combobox"
          aria-label={t('Name, coin or ID')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={t('Fed, Bitcoin, or the id of a market')}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className="chip" onClick={() => dialog.current?.close()}>
          {t('Close')}
        </button>
      </div>
      {found.error && !found.data ? (
        <ProblemNotice error={found.error} retry={() => void found.refetch()} />
      ) : null}
      <Options groups={groups} id={id} chosen={chosen} onPoint={setAt} onTake={take} />
      <div className="picker-foot dim small" role="status">
        {statusWords({ count: options.length, isFetching: found.isFetching || words !== find, words })}
        {found.data?.silent.map((venue) => (
          <span key={venue} className="warn">
            {t('{venue} does not answer.', { venue: venueTitle(venue) })}
          </span>
        ))}
        {isAsIs ? (
          <button type="button" className="chip" onClick={() => take(words)}>
            {t('Use “{words}” as it is', { words: shortToken(words) })}
          </button>
        ) : null}
      </div>
    </dialog>
  );
}

type OptionsProps = {
  groups: readonly InstrumentGroup<Instrument>[];
  id: string;
  chosen: number;
  onPoint: (at: number) => void;
  onTake: (tokenId: string, instrument: Instrument) => void;
};

function Options({ groups, id, chosen, onPoint, onTake }: OptionsProps) {
  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, { options }) => sum + options.length, 0),
  );
  return (
    <div id={`${id}-list`} className="picker-list" role="listbox" aria-label={t('Markets')} tabIndex={-1}>
      {groups.map(({ title, options }, group) => (
        <fieldset key={title} className="picker-group" aria-label={title}>
          <div className="picker-title" aria-hidden>
            {title}
          </div>
          {options.map((option, index) => {
            const at = (starts[group] ?? 0) + index;
            return (
              <OptionRow
                key={option.tokenId}
                id={`${id}-${at}`}
                instrument={option}
                isChosen={at === chosen}
                onPoint={() => onPoint(at)}
                onTake={() => onTake(option.tokenId, option)}
              />
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
