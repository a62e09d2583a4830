import { useState } from 'react';
import { onDemand } from '../help/on-demand.tsx';
import { ColumnButton } from './column-button.tsx';
import type { ColumnChoiceProps } from './column-choice.tsx';

const ColumnChoice = onDemand<ColumnChoiceProps>(
  async () => (await import('./column-choice.tsx')).ColumnChoice,
  () => <ColumnButton />,
);

/** Which columns of a table are shown, kept in this browser. The last one stays. */
export function ColumnMenu(props: ColumnChoiceProps) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <ColumnChoice {...props} />;
  return (
    <ColumnButton
      onClick={() => setAsked(true)}
      onPointerEnter={() => void ColumnChoice.preload()}
      onFocus={() => void ColumnChoice.preload()}
    />
  );
}
