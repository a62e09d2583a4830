import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';

/** What something is, on a question mark beside it: pressed, not hovered, so that it opens by touch and by keyboard. */
export const Help = ({ of, children }: { of: string; children: ReactNode }) => (
  <Popover width={260} position="bottom" withArrow shadow="md" trapFocus={false} withRoles={false}>
    <Popover.Target>
      <button type="button" className="help" aria-label={`What “${of}” is`}>
        ?
      </button>
    </Popover.Target>
    <Popover.Dropdown className="help-text">{children}</Popover.Dropdown>
  </Popover>
);
