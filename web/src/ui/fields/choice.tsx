type ChoiceProps = {
  label?: string;
  value: string | number;
  options: readonly (readonly [value: string | number, title: string | number])[];
  onChange: (value: string) => void;
};

/** One of a few values, as a menu of the browser. */
export const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <select
    className="text-input choice-input"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    {options.map(([each, title]) => (
      <option key={each} value={each}>
        {title}
      </option>
    ))}
  </select>
);
