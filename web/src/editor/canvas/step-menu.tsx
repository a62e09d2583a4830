import { Menu } from '@mantine/core';
import { useContext } from 'react';
import { t } from '../../language/language.ts';
import { CatalogueContext } from '../context.ts';
import { isDisabled } from '../drawing/disabled-nodes.ts';
import { duplicateSelected, remove, switchSteps, useEditor } from '../store.ts';
import { groupSelected } from './group-actions.ts';

export type MenuPosition = { x: number; y: number };
export type StepMenuProps = { menuPosition: MenuPosition; close: () => void };

/** Loads on first use. */
export function StepMenu({ menuPosition, close }: StepMenuProps) {
  const { notes } = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const selected = useEditor((editor) => editor.selected);
  const steps = nodes.filter(({ id, type }) => selected.includes(id) && !notes.has(type));
  return (
    <Menu opened onClose={close} position="bottom-start" withinPortal returnFocus>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: menuPosition.x, top: menuPosition.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {steps.length > 0 ? (
          <Menu.Item rightSection={<kbd>O</kbd>} onClick={() => switchSteps(steps.map(({ id }) => id))}>
            {steps.every(isDisabled) ? t('Switch on') : t('Switch off')}
          </Menu.Item>
        ) : null}
        {selected.length > 1 ? (
          <Menu.Item rightSection={<kbd>Ctrl G</kbd>} onClick={groupSelected}>
            {t('Group')}
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
