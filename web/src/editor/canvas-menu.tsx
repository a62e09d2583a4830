import { type MouseEvent, useCallback, useState } from 'react';
import { onDemand } from '../ui/on-demand.tsx';
import { membersOf } from './drawing/folded.ts';
import { groupsOf } from './drawing/groups.ts';
import type { Place, StepMenuProps } from './step-menu.tsx';
import { select, useEditor } from './store.ts';

const StepMenu = onDemand<StepMenuProps>(async () => (await import('./step-menu.tsx')).StepMenu);

/** What can be done with the chosen steps, beside the pointer or, by the key for menus, beside the step. */
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
  const menu = place ? <StepMenu place={place} close={() => setPlace(null)} /> : null;
  return { open, menu };
}
