import { type MouseEvent, useCallback, useState } from 'react';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { membersOf } from '../drawing/folded.ts';
import { groupsOf } from '../drawing/groups.ts';
import { select, useEditor } from '../store.ts';
import type { Wire, WireMenuProps } from '../wire-menu.tsx';
import type { Place, StepMenuProps } from './step-menu.tsx';

const WireMenu = onDemand<WireMenuProps>(async () => (await import('../wire-menu.tsx')).WireMenu);
const StepMenu = onDemand<StepMenuProps>(async () => (await import('./step-menu.tsx')).StepMenu);

/** Menus of the canvas: actions on the selected nodes, and the next node of an edge dropped on empty space. */
export function useCanvasMenu(editable: boolean) {
  const [place, setPlace] = useState<Place | null>(null);
  const open = useCallback(
    (event: MouseEvent, { id }: { id: string }) => {
      if (!editable) return;
      event.preventDefault();
      const { nodes, rest, selected } = useEditor.getState();
      const ids = membersOf([id], groupsOf({ nodes, rest }));
      if (!ids.every((each) => selected.includes(each))) select(ids);
      setPlace({ x: event.clientX, y: event.clientY });
    },
    [editable],
  );
  const [wire, setWire] = useState<Wire | null>(null);
  const menu = (
    <>
      {place ? <StepMenu place={place} close={() => setPlace(null)} /> : null}
      {wire ? <WireMenu wire={wire} close={() => setWire(null)} /> : null}
    </>
  );
  return { open, menu, askNext: setWire };
}
