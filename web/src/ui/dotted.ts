import { Children, type ReactNode } from 'react';

/** Joins facts with dots; a missing fact adds no dot. */
export const dotted = (facts: readonly ReactNode[]): ReactNode[] =>
  Children.toArray(facts.filter((fact) => fact !== '')).flatMap((fact, index) =>
    index === 0 ? [fact] : [' · ', fact],
  );
