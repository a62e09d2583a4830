import { useId } from 'react';
import { t } from '../../language/language.ts';

const LABEL_MAX = 120;

export function LabelField({ label }: { label?: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('Name')}</label>
      <input
        id={id}
        name="label"
        required
        maxLength={LABEL_MAX}
        className="text-input"
        autoComplete="off"
        placeholder={t('How you tell it from others')}
        defaultValue={label}
      />
    </div>
  );
}

export const readLabel = (form: HTMLFormElement): string => String(new FormData(form).get('label') ?? '');
