type TextFieldProps = React.InputHTMLAttributes<HTMLInputElement> & {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: React.ReactNode;
};

/** A text input, with its name above and a hint below. */
export function TextField({ id, label, hint, error, ...input }: TextFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-input"
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        {...input}
      />
      {error || hint ? (
        <span id={`${id}-note`} className={error ? 'error' : 'hint'}>
          {error || hint}
        </span>
      ) : null}
    </div>
  );
}
