import { notifications } from '@mantine/notifications';
import { useContext, useEffect } from 'react';
import { t } from '../../language/language.ts';
import { useSettings } from '../../settings/store.ts';
import { CatalogueContext } from '../context.ts';
import { formatClipboard, parseClipboard } from '../drawing/clipboard.ts';
import { copySelected, duplicateSelected, paste, redo, remove, select, undo, useEditor } from '../store.ts';
import { focusInspectedNode, handleCanvasKey } from './canvas-keys.ts';

type Actions = {
  save: () => Promise<boolean>;
  tidy: () => void;
  /** Switches the selected steps off and on. */
  toggle: () => void;
  /** Groups the selected steps; with `false` removes the selected group. */
  group: (isOne: boolean) => void;
  /** Folds or unfolds the group of the selection. */
  fold: () => void;
  fitAll: () => void;
  /** Shows the editor in the whole window, and in its page again; absent where it cannot be. */
  whole?: () => void;
  isWhole?: boolean;
  reset: () => void;
  zoom: (by: 1 | -1) => void;
};

/** Fields, dialogs, text editors and charts have keys of their own. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('dialog, .cm-editor, .series-chart') !== null);

const isInWorkbench = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.workbench') !== null;

/**
 * The keys of the editor. While the blueprint runs, only those that do not edit. A canvas that is a part of its page has only
 * keys that are pressed in it.
 */
export function useEditorKeys(actions: Actions, readOnly: boolean, isPart: boolean): void {
  const catalogue = useContext(CatalogueContext);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isPart && !isInWorkbench(event.target)) return;
      if (document.querySelector('dialog[open]') || focusInspectedNode(event) || hasOwnKeys(event.target))
        return;
      const handled =
        handleCanvasKey(event, readOnly, catalogue) ||
        handleViewKey(event, actions) ||
        (!readOnly && change(event, actions));
      if (!handled) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Runs before the canvas, whose own arrows would move the node instead of going to the next.
    document.addEventListener('keydown', onKey, true);
    const onCopy = (event: ClipboardEvent) => {
      if (readOnly || !isFree(event) || !isOfGraph(event) || useEditor.getState().selected.length === 0)
        return;
      copySelected();
      event.clipboardData?.setData('text/plain', formatClipboard(useEditor.getState().clipboard));
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      const clip =
        readOnly || !isFree(event) ? null : parseClipboard(event.clipboardData?.getData('text/plain') ?? '');
      if (!clip) return;
      paste(clip);
      event.preventDefault();
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [actions, readOnly, isPart, catalogue]);
}

/** Leaves copies and pastes in inputs and dialogs to them. */
const isFree = ({ target }: Event): boolean => !document.querySelector('dialog[open]') && !hasOwnKeys(target);

/** Marked text on the page, and lists beside the graph, keep the keys that copy and select. */
const isOfGraph = ({ target }: Event): boolean =>
  (target === document.body || (target instanceof Element && target.closest('.workbench') !== null)) &&
  getSelection()?.toString() === '';

/** Single keys do nothing where the user switched them off. */
const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && useSettings.getState().singleKeys;

function handleViewKey(event: KeyboardEvent, actions: Actions): boolean {
  const { fitAll, whole, isWhole = false, reset, tidy, zoom, fold } = actions;
  if (event.key === 'Escape' && isWhole && isOfGraph(event) && useEditor.getState().selected.length === 0) {
    whole?.();
    return true;
  }
  if (event.shiftKey && event.altKey && event.code === 'KeyT') {
    tidy();
    return true;
  }
  if (!isSingleKey(event)) return false;
  switch (event.key) {
    case '1':
      fitAll();
      return true;
    case 'f':
      fold();
      return true;
    case 'w':
      if (!event.repeat) whole?.();
      return whole !== undefined;
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

function change(event: KeyboardEvent, { save, toggle, group }: Actions): boolean {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (!command) {
    if (key === 'delete' || key === 'backspace') return removeSelected();
    if (!isSingleKey(event) || useEditor.getState().selected.length === 0) return false;
    if (key === 'd') duplicateSelected();
    else if (key === 'o') toggle();
    else return false;
    return true;
  }
  switch (key) {
    case 'z':
      if (event.shiftKey) redo();
      else undo();
      return true;
    case 'y':
      redo();
      return true;
    case 'd':
      duplicateSelected();
      return true;
    case 'g':
      group(!event.shiftKey);
      return true;
    case 'a':
      if (!isOfGraph(event)) return false;
      select(useEditor.getState().nodes.map(({ id }) => id));
      return true;
    case 's':
      void save().then((isSaved) =>
        notifications.show(
          isSaved ? { message: t('Saved'), autoClose: 2_000 } : { color: 'red', message: t('Not saved') },
        ),
      );
      return true;
    default:
      return false;
  }
}

const UNDO_VISIBLE_MS = 8_000;

function removeSelected(): boolean {
  const { selected, selectedEdges } = useEditor.getState();
  const [steps, edges] = [selected.length, selectedEdges.length];
  const what = [
    ...(steps > 0 ? [t('{steps, plural, one {# node} other {# nodes}}', { steps })] : []),
    ...(edges > 0 ? [t('{edges, plural, one {# connection} other {# connections}}', { edges })] : []),
  ];
  if (what.length === 0) return false;
  remove(new Set(selected), new Set(selectedEdges));
  notifications.show({
    message: t('Deleted {what}. Ctrl+Z brings it back.', { what: what.join(` ${t('and')} `) }),
    autoClose: UNDO_VISIBLE_MS,
  });
  return true;
}
