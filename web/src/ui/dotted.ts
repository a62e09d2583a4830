import { Children, type ReactNode } from 'react';

/** Joins the facts of a line by dots; a fact that is missing leaves no dot of its own. */
export const dotted = (facts: readonly ReactNode[]): ReactNode[] =>
  Children.toArray(facts.filter((fact) => fact !== '')).flatMap((fact, index) =>
    index === 0 ? [fact] : [' · ', fact],
  );
