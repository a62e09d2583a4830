type FindFieldProps = { label: string; value: string; onChange: (words: string) => void };

/** Narrows the rows that are there as it is typed; `/` leads to it. */
export const FindField = ({ label, value, onChange }: FindFieldProps) => (
  <input
    className="text-input find"
    type="search"
    data-filter
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
