import { Menu } from '@mantine/core';
import { MenuButton } from './menu-button.tsx';

export type ActionsMenuProps = { actions: readonly { label: string; act: () => void }[] };

/** Loads on first use, already open. */
export const ActionsMenu = ({ actions }: ActionsMenuProps) => (
  <Menu position="bottom-end" defaultOpened>
    <Menu.Target>
      <MenuButton />
    </Menu.Target>
    <Menu.Dropdown>
      {actions.map(({ label, act }) => (
        <Menu.Item key={label} onClick={act}>
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
