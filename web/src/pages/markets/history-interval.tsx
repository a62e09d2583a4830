import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t, translateServed } from '../../language/language.ts';
import { HISTORY_INTERVALS, type HistoryInterval } from './prediction-queries.ts';

/** The interval of all histories of the page, which is in the address. */
export function useHistoryInterval(): HistoryInterval {
  const { interval } = useSearch({ from: '/shell/markets' });
  return HISTORY_INTERVALS.find((each) => each === interval) ?? '1w';
}

export function IntervalChoice() {
  const navigate = useNavigate({ from: '/markets' });
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Interval')}
      value={useHistoryInterval()}
      data={HISTORY_INTERVALS.map((value) => ({ value, label: translateServed(value) }))}
      onChange={(next) => void navigate({ search: (now) => ({ ...now, interval: next }), replace: true })}
    />
  );
}
