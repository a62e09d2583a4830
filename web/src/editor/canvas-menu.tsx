import { Menu } from '@mantine/core';
import { type MouseEvent, useCallback, useContext, useState } from 'react';
import { t } from '../language/language.ts';
import { CatalogueContext } from './context.ts';
import { isOff } from './drawing/silence.ts';
import { duplicateSelected, remove, select, switchSteps, useEditor } from './store.ts';

type Place = { x: number; y: number };

/** What can be done with the chosen steps, beside the pointer or, by the key for menus, beside the step. */
export function useCanvasMenu(editable: boolean) {
  const [place, setPlace] = useState<Place | null>(null);
  const open = useCallback(
    (event: MouseEvent, { id }: { id: string }) => {
      if (!editable) return;
      event.preventDefault();
      if (!useEditor.getState().selected.includes(id)) select([id]);
      setPlace({ x: event.clientX, y: event.clientY });
    },
    [editable],
  );
  const menu = place ? <CanvasMenu place={place} close={() => setPlace(null)} /> : null;
  return { open, menu };
}

function CanvasMenu({ place, close }: { place: Place; close: () => void }) {
  const { notes } = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const selected = useEditor((editor) => editor.selected);
  const steps = nodes.filter(({ id, type }) => selected.includes(id) && !notes.has(type));
  return (
    <Menu opened onClose={close} position="bottom-start" withinPortal returnFocus>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: place.x, top: place.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {steps.length > 0 ? (
          <Menu.Item rightSection={<kbd>O</kbd>} onClick={() => switchSteps(steps.map(({ id }) => id))}>
            {steps.every(isOff) ? t('Switch on') : t('Switch off')}
          </Menu.Item>
        ) : null}
        <Menu.Item rightSection={<kbd>D</kbd>} onClick={duplicateSelected}>
          {t('Duplicate')}
        </Menu.Item>
        <Menu.Item rightSection={<kbd>Delete</kbd>} onClick={() => remove(new Set(selected))}>
          {t('Delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
