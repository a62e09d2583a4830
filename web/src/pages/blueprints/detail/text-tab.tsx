import { useMemo } from 'react';
import {
  type ParsedStrategy,
  parseStrategy,
  writeStrategy,
} from '../../../../../client/src/strategy-text/index.ts';
import { readGraph, writeGraph } from '../../../editor/drawing/json.ts';
import type { Edge, Issue } from '../../../editor/drawing/model.ts';
import { replaceGraph, useEditor } from '../../../editor/store.ts';
import { t } from '../../../language/language.ts';
import type { CodeProblem } from './code-editor.tsx';
import { CodeTab, type TypedProps, useGraph } from './code-tab.tsx';
import { STRATEGY_LANGUAGE } from './strategy-language.ts';

/** The graph as text, compiled here. Values of settings are checked by the service, once the text is applied. */
export function TextTab(props: TypedProps) {
  const { typed } = props;
  const graph = useGraph();
  const issues = useEditor((editor) => editor.issues);
  const written = useMemo(() => writeStrategy(writeGraph(graph)), [graph]);
  const text = typed ?? (written.ok ? written.text : '');
  const parsed = useMemo(() => parseStrategy(text), [text]);
  const problems = useMemo(() => problemsOf(parsed, typed === null ? issues : []), [parsed, typed, issues]);
  if (!written.ok && typed === null)
    return (
      <div className="notice warn">
        {t('Text cannot say this strategy, which stays a graph and JSON: {reason}', {
          reason: written.message,
        })}
      </div>
    );
  return (
    <>
      {graph.edges.some(hasMore) ? (
        <div className="notice warn">
          {t(
            'Text says the ends of edges alone: applying it removes their other fields, which the JSON shows.',
          )}
        </div>
      ) : null}
      <CodeTab
        {...props}
        title={t('Text')}
        copyLabel={t('Copy the text')}
        editorLabel={t('Strategy text')}
        extension="strategy"
        language={STRATEGY_LANGUAGE}
        stored={written.ok ? written.text : ''}
        problems={problems}
        apply={() => {
          if (parsed.ok) replaceGraph(readGraph(parsed.visual));
        }}
      />
    </>
  );
}

/** Lists the faults of a text, in the words of the command line; without faults, the service's issues at their nodes. */
function problemsOf(parsed: ParsedStrategy, issues: readonly Issue[]): CodeProblem[] {
  if (!parsed.ok)
    return parsed.errors.map(({ message, line, column }) => ({
      severity: 'error',
      message,
      at: { line, column },
    }));
  return issues.map(({ severity, message, nodeId }) => ({
    severity,
    message,
    at: parsed.positions.get(nodeId ?? '') ?? null,
  }));
}

const hasMore = ({ id, source, target, sourceHandle, targetHandle, ...more }: Edge): boolean =>
  Object.keys(more).length > 0;
