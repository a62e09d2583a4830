import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef } from 'react';

/** A fault of a text; without a line it is about the whole. */
export type CodeProblem = {
  severity: 'error' | 'warning';
  message: string;
  /** Counted from 1, as is the column. */
  at: { line: number; column: number } | null;
};

type EditorProps = {
  value: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  /** The name of the editor for screen readers. */
  label: string;
  language: Extension;
  /** Marked at their places. */
  problems: readonly CodeProblem[];
};

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
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--accent-soft)',
  },
});

/** The page's own colours, so that the editor follows light and dark without a setting. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.keyword], color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--green)' },
  { tag: tags.number, color: 'var(--amber)' },
  { tag: [tags.bool, tags.null], color: 'var(--orange)' },
  { tag: tags.comment, color: 'var(--dim)' },
  { tag: tags.invalid, color: 'var(--red)' },
]);

/** Holds what an undo takes back. */
const PAST = new Compartment();

/** An editor of code. It is made again when it becomes read-only or writable. */
export function CodeEditor(props: EditorProps) {
  return <Editor key={String(props.readOnly)} {...props} />;
}

function Editor({ value, readOnly, onChange, label, language, problems }: EditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const report = useRef(onChange);
  report.current = onChange;
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: latest.current,
        extensions: [
          lineNumbers(),
          PAST.of(history()),
          highlightActiveLine(),
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          language,
          lintGutter(),
          syntaxHighlighting(COLOURS),
          STYLE,
          EditorState.readOnly.of(readOnly),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
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
  }, [readOnly, label, language]);
  // A text from elsewhere begins a new history: an undo would otherwise mix the old text into it. It is set before the next key,
  // which a later effect would take back.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      effects: PAST.reconfigure([]),
    });
    editor.dispatch({ effects: PAST.reconfigure(history()) });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    const found = problems.flatMap(({ at, ...problem }) => (at ? { ...rangeOf(doc, at), ...problem } : []));
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems]);
  return <div ref={frame} />;
}

/** The rest of the line from a place on. */
function rangeOf(doc: Text, { line, column }: { line: number; column: number }) {
  const { from, to } = doc.line(Math.min(line, doc.lines));
  return { from: Math.min(from + column - 1, to), to };
}
