import { t } from '../../language/language.ts';
import { DateField } from '../fields/date-field.tsx';

type DateRangeProps = {
  /** Days such as `2026-11-22`, both inclusive; in UTC. */
  from: string | undefined;
  to: string | undefined;
  onChange: (range: { from?: string | undefined; to?: string | undefined }) => void;
};

/** The range of days of a table, in UTC. */
export const DateRange = ({ from, to, onChange }: DateRangeProps) => (
  <span className="row tight">
    <DateField
      className="date-input"
      type="date"
      aria-label={t('From this day, UTC')}
      title={t('From this day, UTC')}
      placeholder={t('From day')}
      value={from ?? ''}
      max={to}
      onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
    />
    <DateField
      className="date-input"
      type="date"
      aria-label={t('To this day, UTC')}
      title={t('To this day, UTC')}
      placeholder={t('To day')}
      value={to ?? ''}
      min={from}
      onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
    />
  </span>
);
