import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

export type PagePart = { readonly name: string; readonly title: string; readonly content: ReactNode };

type PartsProps = {
  label: string;
  parts: readonly PagePart[];
  /** Renders the hidden parts too: they are printed with the open one. */
  isWhole?: boolean;
};

/** The tab that a key leads to, around both ends. */
function tabAt(key: string, open: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (open + 1) % count;
    case 'ArrowLeft':
      return (open + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Parts of a page as tabs. The name of the open one is in the address; without one, the first is open. */
export function PageParts({ label, parts, isWhole = false }: PartsProps) {
  const { part } = useSearch({ strict: false });
  const navigate = useNavigate();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = Math.max(
    0,
    parts.findIndex(({ name }) => name === part),
  );
  // On a phone the tabs are wider than the window. Only their row may scroll, not the page.
  useEffect(() => {
    const tab = list.current?.children[open];
    if (list.current && tab instanceof HTMLElement)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [open]);
  const show = (index: number) =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, part: index === 0 ? undefined : parts[index]?.name }),
      replace: true,
      resetScroll: false,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabAt(event.key, open, parts.length);
    if (next === null) return;
    event.preventDefault();
    const tab = list.current?.children[next];
    if (tab instanceof HTMLElement) tab.focus();
    show(next);
  };
  return (
    <div className="page-parts">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {parts.map(({ name, title }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}${name}-tab`}
            aria-controls={`${id}${name}`}
            aria-selected={index === open}
            tabIndex={index === open ? 0 : -1}
            onClick={() => show(index)}
          >
            {title}
          </button>
        ))}
      </div>
      {parts.map(({ name, content }, index) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}${name}`}
          aria-labelledby={`${id}${name}-tab`}
          hidden={index !== open}
        >
          {index === open || isWhole ? content : null}
        </div>
      ))}
    </div>
  );
}
