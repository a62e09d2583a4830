import { t } from '../../language/language.ts';
import { TextField } from '../../ui/fields/text-field.tsx';

const REASON_MIN = 3;
const REASON_MAX = 300;

/** Why an operator acts on an account: its owner reads it. */
export const ReasonField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <TextField
    id="reason"
    label={t('Reason')}
    value={value}
    maxLength={REASON_MAX}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** Says what to do about a reason that is too short; null if it is long enough. */
export const reasonMissing = (reason: string): string | null =>
  reason.trim().length < REASON_MIN ? t('Say why: the owner of the account reads it.') : null;
