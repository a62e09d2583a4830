import { useQuery } from '@tanstack/react-query';
import { readProblem } from '../../api/problem.ts';
import { trpc } from '../../api/trpc.ts';
import { venuesOfKind, venueTitle } from '../../format/trading/venue.ts';
import { useDebounced } from '../../instruments/use-instruments.ts';
import { t } from '../../language/language.ts';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import type { SeriesRule } from '../drawing/parameters.ts';
import { changeParameter } from '../store.ts';

/** Members named below the fields; the sentence says how many there are. */
const NAMED_MAX = 8;

type SeriesProps = { id: string; name: string; value: SeriesRule; readOnly: boolean };

/** A list by the open markets of a series: its name, its venue, the side of each; below them, the members it has now. */
export function SeriesInput({ id, name, value, readOnly }: SeriesProps) {
  const change = (fields: Partial<SeriesRule>) => changeParameter(name, { value: { ...value, ...fields } });
  return (
    <div className="stack tight">
      <input
        id={id}
        className="text-input mono"
        disabled={readOnly}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={value.series}
        onChange={(event) => change({ series: event.currentTarget.value.trim() })}
      />
      <Labelled id={`${id}-venue`} label={t('Venue')}>
        <select
          id={`${id}-venue`}
          className="text-input"
          disabled={readOnly}
          value={value.venue}
          onChange={(event) => {
            const venue = venuesOfKind('outcome').find((each) => each === event.currentTarget.value);
            if (venue) change({ venue });
          }}
        >
          {venuesOfKind('outcome').map((venue) => (
            <option key={venue} value={venue}>
              {venueTitle(venue)}
            </option>
          ))}
        </select>
      </Labelled>
      <TextField
        id={`${id}-outcome`}
        label={t('Side of each market')}
        disabled={readOnly}
        autoComplete="off"
        maxLength={120}
        value={value.outcome}
        onChange={(event) => change({ outcome: event.currentTarget.value })}
      />
      <MembersNow rule={value} />
    </div>
  );
}

function MembersNow({ rule }: { rule: SeriesRule }) {
  const input = useDebounced(rule);
  const { data, error } = useQuery({
    ...trpc.console.seriesMembers.queryOptions(input),
    enabled: input.series !== '' && input.outcome !== '',
    retry: false,
    staleTime: 30_000,
  });
  if (data === undefined && error === null) return null;
  const { tokenIds, problem } = data ?? { tokenIds: [], problem: readProblem(error).message };
  return (
    <p className="plain dim small" role="status">
      {problem ??
        t(
          '{count, plural, one {# market is open now: {names}.} other {# markets are open now: {names}.}} While the strategy runs, markets join as they open, and leave once closed and not held.',
          {
            count: tokenIds.length,
            names: [...tokenIds.slice(0, NAMED_MAX), ...(tokenIds.length > NAMED_MAX ? ['…'] : [])].join(
              ', ',
            ),
          },
        )}
    </p>
  );
}
