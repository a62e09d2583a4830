import { type ComponentPropsWithRef, useState } from 'react';
import { fullDay, minuteOf } from '../../format/time.ts';
import './date-field.css';

type DateFieldProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'value' | 'defaultValue'> & {
  type: 'date' | 'datetime-local';
  /** `2026-11-22` or `2026-11-22T12:04`, in UTC; either this or `defaultValue`. */
  value?: string;
  defaultValue?: string;
  /** Shown instead of a date while there is none. */
  placeholder?: string;
};

/**
 * A field for a day or an instant. The browser's own field is used to choose one, and would write it in a form of its own: until
 * it has the focus, the date is written as everywhere else.
 */
export function DateField({ type, value, defaultValue, placeholder = '', ...input }: DateFieldProps) {
  const [typed, setTyped] = useState(defaultValue ?? '');
  return (
    <span className="date-field">
      <input
        {...input}
        className={`text-input ${input.className ?? ''}`}
        type={type}
        {...(value === undefined ? { defaultValue } : { value })}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          input.onChange?.(event);
        }}
      />
      <span aria-hidden className="date-written">
        {writtenOf(value ?? typed, type) || <span className="dim">{placeholder}</span>}
      </span>
    </span>
  );
}

function writtenOf(text: string, type: DateFieldProps['type']): string {
  const at = new Date(type === 'date' ? text : `${text}Z`);
  if (Number.isNaN(at.getTime())) return '';
  return type === 'date' ? fullDay(at, 'utc') : minuteOf(at, 'utc');
}
