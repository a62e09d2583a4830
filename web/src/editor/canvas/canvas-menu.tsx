import { type MouseEvent, useCallback, useState } from 'react';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { groupsOf } from '../drawing/groups.ts';
import { stepIdsOf } from '../drawing/visible-graph.ts';
import type { DanglingEdge, NextNodeMenuProps } from '../next-node-menu.tsx';
import { select, useEditor } from '../store.ts';
import type { MenuPosition, StepMenuProps } from './step-menu.tsx';

const WireMenu = onDemand<NextNodeMenuProps>(
  async () => (await import('../next-node-menu.tsx')).NextNodeMenu,
);
const StepMenu = onDemand<StepMenuProps>(async () => (await import('./step-menu.tsx')).StepMenu);

/** Menus of the canvas: actions on the selected nodes, and the next node of an edge dropped on empty space. */
export function useCanvasMenu(editable: boolean) {
  const [menuPosition, setMenuPosition] = useState<MenuPosition | null>(null);
  const open = useCallback(
    (event: MouseEvent, { id }: { id: string }) => {
      if (!editable) return;
      event.preventDefault();
      const { nodes, rest, selected } = useEditor.getState();
      const ids = stepIdsOf([id], groupsOf({ nodes, rest }));
      if (!ids.every((each) => selected.includes(each))) select(ids);
      setMenuPosition({ x: event.clientX, y: event.clientY });
    },
    [editable],
  );
  const [openEdge, setOpenEdge] = useState<DanglingEdge | null>(null);
  const menu = (
    <>
      {menuPosition ? <StepMenu menuPosition={menuPosition} close={() => setMenuPosition(null)} /> : null}
      {openEdge ? <WireMenu edge={openEdge} close={() => setOpenEdge(null)} /> : null}
    </>
  );
  return { open, menu, askNext: setOpenEdge };
}
