import { type KeyAction, keyActionOf } from './key-actions.ts';

export type GestureListener = {
  onPress: () => void;
  /** Before the view is zoomed by hand. */
  onZoom: () => void;
  onWhole: () => void;
  onKey: (action: KeyAction) => void;
  /** The cell under the cursor, and the last one. */
  cells: () => { cursor: number | null; last: number };
};

/**
 * Tells gestures on a chart apart. The wheel scrolls the page; with Ctrl, Shift or the command key it zooms. A double click shows
 * the whole. Returns whether a pointer is down.
 */
export function listenToGestures(
  frame: HTMLElement,
  { onPress, onZoom, onWhole, onKey, cells }: GestureListener,
  signal: AbortSignal,
): () => boolean {
  let isPointerDown = false;
  const release = () => {
    isPointerDown = false;
  };
  frame.tabIndex = 0;
  frame.addEventListener(
    'pointerdown',
    () => {
      isPointerDown = true;
      onPress();
    },
    { signal, capture: true },
  );
  for (const end of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(end, release, { signal });
  frame.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) onZoom();
      else event.stopPropagation();
    },
    { signal, capture: true, passive: true },
  );
  frame.addEventListener('dblclick', onWhole, { signal });
  frame.addEventListener(
    'keydown',
    (event) => {
      const { cursor, last } = cells();
      const action = keyActionOf(event, cursor, last);
      if (action === null) return;
      event.preventDefault();
      event.stopPropagation();
      onKey(action);
    },
    { signal },
  );
  return () => isPointerDown;
}
