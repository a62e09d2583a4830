import { Check, Circle } from 'lucide-react';
import { useContext } from 'react';
import { useSettings } from '../settings/store.ts';
import { CatalogueContext } from './context.ts';
import { actsOf, partsOf } from './drawing/story.ts';
import { EDITOR_KEYS } from './editor-keys.ts';
import { select, useEditor } from './store.ts';

/** Beside the canvas while nothing is chosen: what makes a strategy, what of it is here, what comes next. */
export function DrawingGuide() {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const errors = useEditor((editor) => editor.issues.filter(({ severity }) => severity === 'error').length);
  const parts = partsOf({ nodes }, catalogue);
  const isWhole = parts.every(({ isDone }) => isDone);
  const steps = [
    ...parts,
    {
      words: errors > 0 ? `Nothing to mend: ${errors} to go, listed below the drawing` : 'Nothing to mend',
      isDone: isWhole && errors === 0,
    },
  ];
  return (
    <div className="stack">
      <p className="plain small">
        Values flow from left to right: a source reads the market, conditions make a yes or no of it, an
        action buys or sells.
      </p>
      <ul className="guide-steps">
        {steps.map(({ words, isDone }) => (
          <li key={words} className={isDone ? 'dim' : undefined}>
            {isDone ? <Check size={14} className="up" aria-label="Done" /> : <Circle size={14} aria-hidden />}
            <span>{words}</span>
          </li>
        ))}
        <li>
          <Circle size={14} aria-hidden />
          <span>Then Deploy… at the top, and watch it</span>
        </li>
      </ul>
      <GuideLink />
      <details className="hide-small">
        <summary className="small">Keys</summary>
        <div className="stack tight">
          {EDITOR_KEYS.map(({ keys, what }) => (
            <div key={keys}>
              <kbd>{keys}</kbd>
              <div className="dim small">{what}</div>
            </div>
          ))}
        </div>
      </details>
    </div>
  );
}

const GuideLink = () => (
  <a className="small" href="/docs/guides/strategies" target="_blank" rel="noreferrer">
    How strategies work
  </a>
);

/** Below a drawing that runs: what it does in words, and what the marks mean. It stays closed where it was closed. */
export function ReadingGuide() {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const { readingGuide, set } = useSettings();
  const acts = actsOf({ nodes, edges }, catalogue);
  return (
    <details
      className="reading"
      open={readingGuide}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== readingGuide) set({ readingGuide: open });
      }}
    >
      <summary>What it does, and how to read it</summary>
      <div className="stack tight">
        {acts.length === 0 ? <p className="plain">It only watches: no step of it acts.</p> : null}
        {acts.map(({ id, name, does, when, uses, isSilent }) => (
          <p key={id} className="plain">
            <button type="button" onClick={() => select([id])}>
              {name}
            </button>
            : {isSilent ? 'Nothing now: it, or a step before it, is switched off. Else: ' : ''}
            {does}
            {when.length > 0 ? ` It acts when ${when.join(' or ')} becomes true.` : ''}
            {uses.length > 0 ? ` It uses ${uses.join(' and ')}.` : ''}
          </p>
        ))}
        <p className="plain dim small">
          The number on a step is its value now. A tick is fine, a bolt acted, an hourglass waits, a hand was
          held back. Press a step to see why. <GuideLink />
        </p>
      </div>
    </details>
  );
}
