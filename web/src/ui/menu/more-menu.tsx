import { useState } from 'react';
import { onDemand } from '../help/on-demand.tsx';
import type { ActionsMenuProps } from './actions-menu.tsx';
import { MenuButton } from './menu-button.tsx';

const ActionsMenu = onDemand<ActionsMenuProps>(
  async () => (await import('./actions-menu.tsx')).ActionsMenu,
  () => <MenuButton />,
);

/** The actions beside the main one of a page. */
export function MoreMenu(props: ActionsMenuProps) {
  const [isRequested, setRequested] = useState(false);
  if (isRequested) return <ActionsMenu {...props} />;
  return (
    <MenuButton
      onClick={() => setRequested(true)}
      onPointerEnter={() => void ActionsMenu.preload()}
      onFocus={() => void ActionsMenu.preload()}
    />
  );
}
