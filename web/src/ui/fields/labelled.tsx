import type { ReactNode } from 'react';

type LabelledProps = {
  id: string;
  label: string;
  fault?: string | undefined;
  unit?: string | undefined;
  children: ReactNode;
};

/** A field under its label, with its fault. */
export const Labelled = ({ id, label, fault, unit, children }: LabelledProps) => (
  <div className="field">
    <label htmlFor={id}>
      {label} {unit ? <span className="dim">({unit})</span> : null}
    </label>
    {children}
    {fault ? (
      <span className="error" id={`${id}-fault`}>
        {fault}
      </span>
    ) : null}
  </div>
);
