import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { defaultHighlightStyle, foldGutter, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { oneDark } from '@codemirror/theme-one-dark';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';

type EditorProps = { value: string; readOnly: boolean; onChange: (text: string) => void };

const STYLE = EditorView.theme({
  '&': { maxHeight: '62dvh', fontSize: '12px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)' },
});

/** A JSON editor. It is made anew when the colours change or writing becomes allowed. */
export function JsonEditor(props: EditorProps) {
  const dark = useComputedColorScheme() === 'dark';
  return <Editor key={`${dark}${props.readOnly}`} {...props} dark={dark} />;
}

function Editor({ value, readOnly, onChange, dark }: EditorProps & { dark: boolean }) {
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
          syntaxHighlighting(defaultHighlightStyle),
          ...(dark ? [oneDark] : []),
          STYLE,
          EditorState.readOnly.of(readOnly),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Blueprint JSON' }),
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
    view.current = editor;
    return () => editor.destroy();
  }, [readOnly, dark]);
  // The text comes in here, at first and whenever it changes elsewhere.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={frame} />;
}
