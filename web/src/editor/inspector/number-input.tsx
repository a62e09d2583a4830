import { useState } from 'react';

type NumberInputProps = {
  id: string;
  value: unknown;
  readOnly: boolean;
  isFaulty?: boolean;
  placeholder?: string;
  /** The field has the value times this: 100 for a fraction in percent. */
  scale?: number;
  /** Undefined for an empty field; a text that is no number changes nothing. */
  onChange: (value: number | undefined) => void;
};

/** Digits beyond these come from multiplying floats. */
const DIGITS = 15;
const withoutNoise = (value: number): number => Number(value.toPrecision(DIGITS));

/** A field for a number, which keeps the text as typed until it is left. */
export function NumberInput(props: NumberInputProps) {
  const { id, value, readOnly, isFaulty, placeholder, scale = 1, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const displayed = typed ?? (typeof value === 'number' ? String(withoutNoise(value * scale)) : '');
  return (
    <input
      id={id}
      className="text-input"
      inputMode="decimal"
      disabled={readOnly}
      autoComplete="off"
      placeholder={placeholder}
      aria-invalid={isFaulty || undefined}
      value={displayed}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        const number = Number(text);
        setTyped(text);
        if (text === '') onChange(undefined);
        else if (Number.isFinite(number)) onChange(withoutNoise(number / scale));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
