import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { copySelected, duplicateSelected, paste, redo, remove, select, undo, useEditor } from './store.ts';

type Actions = {
  save: () => void;
  tidy: () => void;
  fitAll: () => void;
  reset: () => void;
  zoom: (by: 1 | -1) => void;
};

export const EDITOR_KEYS = [
  { keys: 'Tab, arrows', what: 'Choose a step; move the chosen one' },
  { keys: 'Delete', what: 'Delete what is chosen' },
  { keys: 'Ctrl Z, Ctrl Shift Z', what: 'Undo, redo' },
  { keys: 'Ctrl C, V, D', what: 'Copy, paste, duplicate' },
  { keys: 'Ctrl A', what: 'Choose all steps' },
  { keys: 'Shift Alt T', what: 'Tidy up' },
  { keys: '1, 0, +, −', what: 'Fit, reset, zoom' },
  { keys: 'Ctrl S', what: 'Save' },
] as const;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('dialog, .cm-editor') !== null);

/** The keys of the editor. While the blueprint runs, only those that look. */
export function useEditorKeys(actions: Actions, readOnly: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const handled = look(event, actions) || (!readOnly && change(event, actions));
      if (handled) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actions, readOnly]);
}

function look(event: KeyboardEvent, { fitAll, reset, zoom }: Actions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case '1':
      fitAll();
      return true;
    case '0':
      reset();
      return true;
    case '+':
      zoom(1);
      return true;
    case '-':
      zoom(-1);
      return true;
    default:
      return false;
  }
}

function change(event: KeyboardEvent, { save, tidy }: Actions): boolean {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (event.shiftKey && event.altKey && event.code === 'KeyT') {
    tidy();
    return true;
  }
  if (!command) {
    if (key !== 'delete' && key !== 'backspace') return false;
    return removeSelected();
  }
  switch (key) {
    case 'z':
      if (event.shiftKey) redo();
      else undo();
      return true;
    case 'y':
      redo();
      return true;
    case 'c':
      copySelected();
      return true;
    case 'v':
      paste();
      return true;
    case 'd':
      duplicateSelected();
      return true;
    case 'a':
      select(useEditor.getState().steps.map(({ id }) => id));
      return true;
    case 's':
      save();
      notifications.show({ message: 'Saved', autoClose: 2_000 });
      return true;
    default:
      return false;
  }
}

const UNDO_SHOWN_MS = 8_000;

function removeSelected(): boolean {
  const { selected } = useEditor.getState();
  if (selected.length === 0) return false;
  remove(new Set(selected));
  notifications.show({
    message: `Deleted ${selected.length === 1 ? '1 step' : `${selected.length} steps`}. Ctrl+Z brings it back.`,
    autoClose: UNDO_SHOWN_MS,
  });
  return true;
}
