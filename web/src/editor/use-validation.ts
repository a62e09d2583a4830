import { useEffect } from 'react';
import { client, handleCallError } from '../api/trpc.ts';
import { writeGraph } from './drawing/json.ts';
import type { Issue } from './drawing/model.ts';
import { issueWithin, wholeGraphOf } from './drawing/modules/open.ts';
import { issueWords } from './drawing/words.ts';
import { useEditor } from './store.ts';

const CHECK_AFTER_MS = 500;

/** An issue about a deploy that has not happened yet. */
const BEFORE_DEPLOY = 'fires_at_deploy';

/** Asks the compiler for the graph's issues, a moment after each edit. */
export function useValidation(id: string, isRunning: boolean): void {
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const rest = useEditor((editor) => editor.rest);
  const trail = useEditor((editor) => editor.trail);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      client.blueprints.validate
        .mutate(
          { id, visual: writeGraph(wholeGraphOf({ nodes, edges, rest, trail })) },
          { signal: controller.signal },
        )
        .then(({ issues }: { issues: Issue[] }) =>
          useEditor.setState({
            issues: issues
              .filter(({ code }) => !isRunning || code !== BEFORE_DEPLOY)
              .map((issue) => ({ ...issueWithin(issue, { nodes, trail }), message: issueWords(issue) })),
          }),
        )
        // The next edit asks again; a deploy checks in any case.
        .catch(handleCallError);
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, isRunning, nodes, edges, rest, trail]);
}
