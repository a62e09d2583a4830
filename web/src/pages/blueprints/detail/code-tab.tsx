import type { Extension } from '@codemirror/state';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useEditor } from '../../../editor/store.ts';
import { t } from '../../../language/language.ts';
import { CopyButton } from '../../../ui/copy.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CodeEditor, type CodeProblem } from './code-editor.tsx';

export type TypedProps = {
  name: string;
  readOnly: boolean;
  /** Typed text that is not applied. */
  typed: string | null;
  /** The text of the graph when typing began. */
  typedFrom: string | null;
  setTyped: (typed: string | null, from?: string) => void;
};

type CodeTabProps = TypedProps & {
  title: string;
  copyLabel: string;
  editorLabel: string;
  extension: string;
  language: Extension;
  /** The graph as text. */
  stored: string;
  problems: readonly CodeProblem[];
  /** Replaces the graph by that of the text, as one edit. */
  apply: (text: string) => void;
};

/** The graph in the editor. */
export const useGraph = () => useEditor(useShallow(({ nodes, edges, rest }) => ({ nodes, edges, rest })));

/** The graph in a form that is typed. Applying is one edit, and can be undone. */
export function CodeTab(props: CodeTabProps) {
  const { name, readOnly, typed, typedFrom, setTyped, stored, problems, apply } = props;
  const text = typed ?? stored;
  /** The changed graph that the user was warned of. */
  const [warnedOf, setWarnedOf] = useState<string | null>(null);
  const isChanged = typed !== null && typedFrom !== stored;
  const isWarned = isChanged && warnedOf === stored;
  const isFaulty = problems.some(({ severity }) => severity === 'error');
  return (
    <Panel
      title={props.title}
      flush
      actions={
        <>
          <CopyButton text={text} label={props.copyLabel} />
          <Button variant="default" onClick={() => download(`${fileNameOf(name)}.${props.extension}`, text)}>
            {t('Export')}
          </Button>
          {readOnly ? null : (
            <>
              <Button variant="default" disabled={typed === null} onClick={() => setTyped(null)}>
                {t('Discard')}
              </Button>
              <Button
                disabled={typed === null || typed === stored || isFaulty}
                onClick={() => {
                  if (isChanged && !isWarned) return setWarnedOf(stored);
                  apply(text);
                  setTyped(null);
                }}
              >
                {isWarned ? t('Apply anyway') : t('Apply')}
              </Button>
            </>
          )}
        </>
      }
    >
      <CodeEditor
        value={text}
        readOnly={readOnly}
        onChange={(now) => (now === stored ? setTyped(null) : setTyped(now, typedFrom ?? stored))}
        label={props.editorLabel}
        language={props.language}
        problems={problems}
      />
      <div role="status">
        {isWarned ? (
          <div className="notice warn">
            {t('The strategy has changed since you began to type. Applying replaces that change.')}
          </div>
        ) : null}
        {problems.map(({ severity, message, at }) => (
          <div
            key={`${at?.line}:${at?.column} ${message}`}
            className={severity === 'error' ? 'notice bad' : 'notice warn'}
          >
            {at ? t('Line {line}: {message}', { line: at.line, message }) : message}
          </div>
        ))}
      </div>
    </Panel>
  );
}

const fileNameOf = (name: string): string => name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'blueprint';

function download(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: url, download: file }).click();
  URL.revokeObjectURL(url);
}
