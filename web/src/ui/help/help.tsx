import { type ReactNode, useState } from 'react';
import { HelpButton } from './help-button.tsx';
import { onDemand } from './on-demand.tsx';

type HelpProps = { of: string; children: ReactNode };

const HelpPopover = onDemand<HelpProps>(
  async () => (await import('./help-popover.tsx')).HelpPopover,
  ({ of }) => <HelpButton of={of} />,
);

/** An explanation, on a question mark: pressed, not hovered, so that it opens by touch and by keyboard. */
export function Help({ of, children }: HelpProps) {
  const [isRequested, setRequested] = useState(false);
  if (isRequested) return <HelpPopover of={of}>{children}</HelpPopover>;
  return (
    <HelpButton
      of={of}
      onClick={() => setRequested(true)}
      onPointerEnter={() => void HelpPopover.preload()}
      onFocus={() => void HelpPopover.preload()}
    />
  );
}
