import { Popover } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { HelpButton } from './help-button.tsx';

/** Loaded when help is first asked for, and open then; it takes the place, and the focus, of the button that was pressed. */
export function HelpPopover({ of, children }: { of: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Popover
      width={260}
      position="bottom"
      withArrow
      shadow="md"
      trapFocus={false}
      withRoles={false}
      defaultOpened
    >
      <Popover.Target>
        <HelpButton of={of} ref={button} />
      </Popover.Target>
      <Popover.Dropdown className="help-text">{children}</Popover.Dropdown>
    </Popover>
  );
}
