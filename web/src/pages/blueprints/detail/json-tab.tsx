import { json, jsonParseLinter } from '@codemirror/lang-json';
import { foldGutter } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { useMemo } from 'react';
import { graphFault, readGraph, writeGraph } from '../../../editor/drawing/json.ts';
import { replaceGraph } from '../../../editor/store.ts';
import { t } from '../../../language/language.ts';
import type { CodeProblem } from './code-editor.tsx';
import { CodeTab, type TypedProps, useGraph } from './code-tab.tsx';

const JSON_LANGUAGE = [foldGutter(), json(), linter(jsonParseLinter())];

/** The graph in the API's form. */
export function JsonTab(props: TypedProps) {
  const { typed } = props;
  const graph = useGraph();
  const problems = useMemo(() => (typed === null ? [] : problemsOf(typed)), [typed]);
  return (
    <CodeTab
      {...props}
      title="JSON"
      copyLabel={t('Copy the JSON')}
      editorLabel={t('Strategy JSON')}
      extension="json"
      language={JSON_LANGUAGE}
      stored={JSON.stringify(writeGraph(graph), null, 2)}
      problems={problems}
      apply={(text) => replaceGraph(readGraph(JSON.parse(text)))}
    />
  );
}

function problemsOf(text: string): CodeProblem[] {
  const message = faultOf(text);
  return message === null ? [] : [{ severity: 'error', message, at: null }];
}

function faultOf(text: string): string | null {
  try {
    return graphFault(JSON.parse(text));
  } catch (error) {
    return t('This is not JSON: {fault}', { fault: error instanceof Error ? error.message : String(error) });
  }
}
