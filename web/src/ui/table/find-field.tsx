type FindFieldProps = { label: string; value: string; onChange: (words: string) => void };

/** Filters the loaded rows while typing; `/` focuses it. */
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
