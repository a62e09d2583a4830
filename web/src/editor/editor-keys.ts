/** What the keys do in the graph, for the lists that say so. */
export const EDITOR_KEYS = [
  { keys: 'Tab', what: 'Go to the next step' },
  { keys: 'Arrows', what: 'Go along the connections, and to steps beside' },
  { keys: 'Shift ← →', what: 'Select all steps before or after' },
  { keys: 'Alt arrows', what: 'Move what is selected' },
  { keys: 'Enter', what: 'Open the inspector; Esc goes back' },
  { keys: 'F2', what: 'Rename the step' },
  { keys: 'O', what: 'Switch what is selected off, and on again' },
  { keys: 'D, Ctrl D', what: 'Duplicate' },
  { keys: 'Ctrl C, Ctrl V', what: 'Copy, paste' },
  { keys: 'Delete', what: 'Delete what is selected' },
  { keys: 'Ctrl Z, Ctrl Shift Z', what: 'Undo, redo' },
  { keys: 'Ctrl A', what: 'Select all steps' },
  { keys: 'Shift Alt T', what: 'Tidy up' },
  { keys: '1, 0, +, −', what: 'Fit, reset, zoom' },
  { keys: 'Ctrl S', what: 'Save' },
] as const;
