type FindFieldProps = {
  label: string;
  placeholder?: string;
  isShort?: true;
  value: string;
  onChange: (words: string) => void;
};

/** Filters rows while typing; `/` focuses it. */
export const FindField = ({ label, placeholder = label, isShort, value, onChange }: FindFieldProps) => (
  <input
    className={isShort ? 'text-input find short' : 'text-input find'}
    type="search"
    data-filter
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
