import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { t } from '../../../language/language.ts';

type EditorProps = { value: string; readOnly: boolean; onChange: (text: string) => void };

const STYLE = EditorView.theme({
  '&': { maxHeight: '62dvh', fontSize: '12px', color: 'var(--text)', backgroundColor: 'var(--sunken)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--dim)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft)',
  },
});

/** The page's own colours, so that the editor follows light and dark without a setting. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--green)' },
  { tag: tags.number, color: 'var(--amber)' },
  { tag: [tags.bool, tags.null], color: 'var(--orange)' },
  { tag: tags.invalid, color: 'var(--red)' },
]);

/** A JSON editor. It is made again when it becomes read-only or writable. */
export function JsonEditor(props: EditorProps) {
  return <Editor key={String(props.readOnly)} {...props} />;
}

function Editor({ value, readOnly, onChange }: EditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const report = useRef(onChange);
  report.current = onChange;
  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          highlightActiveLine(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          json(),
          linter(jsonParseLinter()),
          lintGutter(),
          syntaxHighlighting(COLOURS),
          STYLE,
          EditorState.readOnly.of(readOnly),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': t('Strategy JSON') }),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            const byHand = transactions.some(
              (transaction) =>
                transaction.isUserEvent('input') ||
                transaction.isUserEvent('delete') ||
                transaction.isUserEvent('undo') ||
                transaction.isUserEvent('redo'),
            );
            if (docChanged && byHand) report.current(state.doc.toString());
          }),
        ],
      }),
    });
    // A scrollable element must be reachable by keyboard, also if it is read-only.
    editor.scrollDOM.tabIndex = 0;
    view.current = editor;
    return () => editor.destroy();
  }, [readOnly]);
  // Sets the text, at first and whenever it changes elsewhere.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={frame} />;
}
