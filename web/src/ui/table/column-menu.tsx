import { useState } from 'react';
import { onDemand } from '../help/on-demand.tsx';
import { ColumnButton } from './column-button.tsx';
import type { ColumnChoiceProps } from './column-choice.tsx';

const ColumnChoice = onDemand<ColumnChoiceProps>(
  async () => (await import('./column-choice.tsx')).ColumnChoice,
  () => <ColumnButton />,
);

/** The visible columns of a table, stored in this browser. The last one cannot be hidden. */
export function ColumnMenu(props: ColumnChoiceProps) {
  const [isRequested, setRequested] = useState(false);
  if (isRequested) return <ColumnChoice {...props} />;
  return (
    <ColumnButton
      onClick={() => setRequested(true)}
      onPointerEnter={() => void ColumnChoice.preload()}
      onFocus={() => void ColumnChoice.preload()}
    />
  );
}
