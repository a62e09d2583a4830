import { msg } from '../language/language.ts';

/** The keys of the graph and their actions, for the lists that explain them. */
export const EDITOR_KEYS = [
  { keys: 'Tab', what: msg('Go to the next node') },
  { keys: 'Arrows', what: msg('Move along the wires, and to nodes beside') },
  { keys: 'Shift ← →', what: msg('Select all nodes before or after') },
  { keys: 'Alt arrows', what: msg('Move what is selected') },
  { keys: 'Enter', what: msg('Open the inspector; Esc goes back') },
  { keys: 'F2', what: msg('Rename the node') },
  { keys: 'O', what: msg('Switch what is selected off, and on again') },
  { keys: 'Ctrl G, Ctrl Shift G', what: msg('Make a group of what is selected, take it away') },
  { keys: 'F', what: msg('Fold the group, and unfold it') },
  { keys: 'D, Ctrl D', what: msg('Duplicate') },
  { keys: 'Ctrl C, Ctrl V', what: msg('Copy, paste') },
  { keys: 'Delete', what: msg('Delete what is selected') },
  { keys: 'Ctrl Z, Ctrl Shift Z', what: msg('Undo, redo') },
  { keys: 'Ctrl A', what: msg('Select all nodes') },
  { keys: 'Shift Alt T', what: msg('Tidy up') },
  { keys: 'W', what: msg('Use the whole window; W or Esc leads back') },
  { keys: '1, 0, +, −', what: msg('Fit, reset, zoom') },
  { keys: 'Ctrl S', what: msg('Save') },
] as const;
