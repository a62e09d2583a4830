import { Popover } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { HelpButton } from './help-button.tsx';

/** Loads on first use, already open; it replaces the pressed button and takes its focus. */
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
