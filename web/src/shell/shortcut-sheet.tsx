import { useEffect, useRef } from 'react';
import { EDITOR_KEYS } from '../editor/editor-keys.ts';
import { t } from '../language/language.ts';
import { PAGES } from './nav.tsx';

/** Lists the keys and their actions. */
const shortcuts = (): { keys: readonly string[]; what: string }[] => [
  { keys: ['Ctrl', 'K'], what: t('Search pages, strategies and actions') },
  { keys: ['?'], what: t('Show this list') },
  ...PAGES.map(({ key, title }) => ({ keys: ['g', key], what: t('Go to {title}', { title: t(title) }) })),
  { keys: ['/'], what: t('Go to the filter of the page') },
  { keys: ['j', 'k'], what: t('Next and previous row') },
  { keys: ['Enter'], what: t('Open the row') },
  { keys: ['Esc'], what: t('Close what is open') },
  { keys: ['a'], what: t('Review the approval in this row (never approves)') },
  { keys: ['c'], what: t('Copy the ID of the row') },
  { keys: ['t'], what: t('Switch between UTC and local time') },
];

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The focus is on Close, at the end; reading starts at the top.
    dialog.current?.scrollTo(0, 0);
  }, []);
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="shortcuts-title" onClose={onClose}>
      <form method="dialog">
        <h2 id="shortcuts-title">{t('Keyboard shortcuts')}</h2>
        <div className="shortcuts">
          {shortcuts().map(({ keys, what }) => (
            <Shortcut key={what} keys={keys} what={what} />
          ))}
        </div>
        <h3 className="plain">{t('In the graph')}</h3>
        <div className="shortcuts">
          {EDITOR_KEYS.map(({ keys, what }) => (
            <Shortcut key={keys} keys={[keys]} what={t(what)} />
          ))}
        </div>
        <p className="plain dim small">
          {t('Single keys rest while you type, and can be switched off in the settings.')}
        </p>
        <footer>
          <button type="submit" className="chip large">
            {t('Close')}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

function Shortcut({ keys, what }: { keys: readonly string[]; what: string }) {
  return (
    <>
      <span className="row tight">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
      <span>{what}</span>
    </>
  );
}
