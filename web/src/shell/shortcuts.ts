import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../language/language.ts';
import { toggleZone, useSettings } from '../settings/store.ts';
import { copyText } from '../ui/copy.tsx';
import { PAGES } from './nav.tsx';

/** The maximum delay of the second key of `g o`. */
const SEQUENCE_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('dialog') !== null);

/** Single keys that act anywhere except in inputs and dialogs, unless they are switched off. */
export function useShortcuts({ openHelp }: { openHelp: () => void }): void {
  const navigate = useNavigate();
  useEffect(() => {
    let leader = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!useSettings.getState().singleKeys || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      if (performance.now() - leader < SEQUENCE_MS) {
        leader = Number.NEGATIVE_INFINITY;
        const page = PAGES.find(({ key }) => key === event.key);
        if (!page) return;
        event.preventDefault();
        void navigate({ to: page.to });
        return;
      }
      if (event.key === 'g') {
        leader = performance.now();
        return;
      }
      if (act(event.key, openHelp)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, openHelp]);
}

function act(key: string, openHelp: () => void): boolean {
  switch (key) {
    case '?':
      openHelp();
      return true;
    case '/':
      return focus('[data-filter]');
    case 't':
      toggleZone();
      return true;
    case 'j':
      return moveRow(1);
    case 'k':
      return moveRow(-1);
    case 'a':
      return press('[data-review]');
    case 'c':
      return copyId();
    default:
      return false;
  }
}

const currentRow = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}

/** Presses the action of the focused row, or of the first row that has it. */
function press(selector: string): boolean {
  const button = (currentRow() ?? document).querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null;
}

function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const row = currentRow();
  const next = row === null ? rows[0] : rows[rows.indexOf(row) + step];
  next?.focus();
  return next !== undefined;
}

function copyId(): boolean {
  const id =
    currentRow()?.dataset['row'] ?? document.querySelector<HTMLElement>('[data-subject]')?.dataset['subject'];
  if (!id) return false;
  void copyText(id).then(() => announce(t('Copied {id}', { id })));
  return true;
}

/** Announces an event to screen readers. */
function announce(text: string): void {
  const region = document.getElementById('announcer');
  if (region) region.textContent = text;
}

/** A row that opens as a whole: by Enter, and by a press anywhere except on a control within. */
export const rowOpens = (open: () => void) => ({
  ...rowKeys(open),
  style: { cursor: 'pointer' },
  onClick: (event: React.MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (!target.closest('a, button, input, select') && !getSelection()?.toString()) open();
  },
});

/** Rows open by Enter on the row itself; controls within keep their own keys. */
export const rowKeys = (open: () => void) => ({
  tabIndex: 0,
  onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  },
});
