import { Check, Circle } from 'lucide-react';
import { useContext } from 'react';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useSettings } from '../../settings/store.ts';
import { CatalogueContext } from '../context.ts';
import { describeActions, strategyPartsOf } from '../drawing/describe-actions.ts';
import { EDITOR_KEYS } from '../editor-keys.ts';
import { select, useEditor } from '../store.ts';

/** Beside the canvas while nothing is selected: the parts of a strategy, those present, and the next one. */
export function GraphGuide() {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const errors = useEditor((editor) => editor.issues.filter(({ severity }) => severity === 'error').length);
  const parts = strategyPartsOf({ nodes }, catalogue);
  const isWhole = parts.every(({ isDone }) => isDone);
  const steps = [
    ...parts,
    {
      words: errors > 0 ? t('{errors} to fix, listed below the graph', { errors }) : t('No errors'),
      isDone: isWhole && errors === 0,
    },
  ];
  return (
    <div className="stack">
      <p className="plain small">
        {t(
          'Values flow from left to right: a source reads the market, conditions make a yes or no of it, an action buys or sells.',
        )}
      </p>
      <ul className="guide-steps">
        {steps.map(({ words, isDone }) => (
          <li key={words} className={isDone ? 'dim' : undefined}>
            {isDone ? (
              <Check size={14} className="up" aria-label={t('Done')} />
            ) : (
              <Circle size={14} aria-hidden />
            )}
            <span>{words}</span>
          </li>
        ))}
        <li>
          <Circle size={14} aria-hidden />
          <span>{t('Then Deploy… at the top, and watch it')}</span>
        </li>
      </ul>
      <GuideLink />
      <details className="hide-small">
        <summary className="small">{t('Keys')}</summary>
        <div className="stack tight">
          {EDITOR_KEYS.map(({ keys, what }) => (
            <div key={keys}>
              <kbd>{keys}</kbd>
              <div className="dim small">{t(what)}</div>
            </div>
          ))}
        </div>
      </details>
    </div>
  );
}

const GuideLink = () => (
  <a className="small" href="/docs/guides/strategies" target="_blank" rel="noreferrer">
    {t('How strategies work')}
  </a>
);

/** The graph in words: a sentence for each node that acts. */
export function ActionList() {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const acts = describeActions({ nodes, edges }, catalogue);
  return (
    <>
      {acts.length === 0 ? <p className="plain">{t('It only watches: no node of it acts.')}</p> : null}
      {acts.map(({ id, name, does, when, uses, isSilent }) => (
        <p key={id} className="plain">
          <button type="button" className="text-button" onClick={() => select([id])}>
            {name}
          </button>
          : {isSilent ? `${t('Nothing now: this node, or one before it, is switched off. Otherwise:')} ` : ''}
          {does}
          {when.length > 0
            ? ` ${t('It acts when {when} becomes true.', { when: when.join(` ${t('or')} `) })}`
            : ''}
          {uses.length > 0 ? ` ${t('It uses {uses}.', { uses: uses.join(` ${t('and')} `) })}` : ''}
        </p>
      ))}
    </>
  );
}

/** Below a running graph: its description in words, and the meaning of the marks. It stays closed once it was closed. */
export function RunningGraphGuide() {
  const { readingGuide, set } = useSettings();
  return (
    <details
      className="reading"
      open={readingGuide}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== readingGuide) set({ readingGuide: open });
      }}
    >
      <summary>{t('What it does, and how to read it')}</summary>
      <div className="stack tight">
        <ActionList />
        <p className="plain dim small">
          <Trans
            message="A node shows its value now. A tick is fine, a bolt acted, an hourglass waits, a hand was held back. Press one to see why. {guideLink}"
            values={{ guideLink: <GuideLink /> }}
          />
        </p>
      </div>
    </details>
  );
}
