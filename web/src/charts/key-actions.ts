/** How many cells an arrow key moves the cursor, and with Shift. */
const STEP_CELLS = 1;
const LEAP_CELLS = 10;
/** The part of the view that a key zooms by. */
const KEY_ZOOM = 0.25;

export type KeyAction =
  | { readonly kind: 'move'; readonly cell: number }
  /** Shows this part less of the view; more if it is negative. */
  | { readonly kind: 'zoom'; readonly part: number }
  | { readonly kind: 'clear' };

type Key = {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
};

/** The action of a key in a chart; null for keys that are none of its own. The cursor begins at the end. */
export function keyActionOf(event: Key, cursor: number | null, last: number): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = event.shiftKey ? LEAP_CELLS : STEP_CELLS;
  const from = cursor ?? last + 1;
  const moved = (cell: number): KeyAction => ({ kind: 'move', cell: Math.max(0, Math.min(last, cell)) });
  switch (event.key) {
    case 'ArrowLeft':
      return moved(from - step);
    case 'ArrowRight':
      return moved(from + step);
    case 'Home':
      return moved(0);
    case 'End':
      return moved(last);
    case '+':
      return { kind: 'zoom', part: KEY_ZOOM };
    case '-':
      return { kind: 'zoom', part: -2 * KEY_ZOOM };
    case 'Escape':
      return cursor === null ? null : { kind: 'clear' };
    default:
      return null;
  }
}
