import { useState } from 'react';

type NumberInputProps = {
  id: string;
  value: unknown;
  readOnly: boolean;
  isFaulty?: boolean;
  placeholder?: string;
  /** Undefined for an empty field; a text that is no number changes nothing. */
  onChange: (value: number | undefined) => void;
};

/** A field for a number, which keeps the text as typed until it is left. */
export function NumberInput({ id, value, readOnly, isFaulty, placeholder, onChange }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const displayed = typed ?? (typeof value === 'number' ? String(value) : '');
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
        else if (Number.isFinite(number)) onChange(number);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
