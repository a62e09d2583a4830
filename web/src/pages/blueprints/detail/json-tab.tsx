import { Button } from '@mantine/core';
import { graphFault, readGraph, writeGraph } from '../../../editor/drawing/json.ts';
import { replaceGraph, useEditor } from '../../../editor/store.ts';
import { t } from '../../../language/language.ts';
import { CopyButton } from '../../../ui/copy.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { JsonEditor } from './json-editor.tsx';

type JsonProps = {
  name: string;
  readOnly: boolean;
  /** Typed text that is not applied; it is kept while other tabs are shown. */
  typed: string | null;
  setTyped: (typed: string | null) => void;
};

/** The graph in the API's form. Applying is one edit, and can be undone. */
export default function JsonTab({ name, readOnly, typed, setTyped }: JsonProps) {
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const rest = useEditor((editor) => editor.rest);
  const stored = JSON.stringify(writeGraph({ nodes, edges, rest }), null, 2);
  const text = typed ?? stored;
  const fault = typed === null ? null : faultOf(typed);
  const apply = () => {
    replaceGraph(readGraph(JSON.parse(text)));
    setTyped(null);
  };
  return (
    <Panel
      title="JSON"
      flush
      actions={
        <>
          <CopyButton text={text} label={t('Copy the JSON')} />
          <Button variant="default" onClick={() => download(name, text)}>
            {t('Export')}
          </Button>
          {readOnly ? null : (
            <>
              <Button variant="default" disabled={typed === null} onClick={() => setTyped(null)}>
                {t('Discard')}
              </Button>
              <Button disabled={typed === null || typed === stored || fault !== null} onClick={apply}>
                {t('Apply')}
              </Button>
            </>
          )}
        </>
      }
    >
      <JsonEditor value={text} readOnly={readOnly} onChange={setTyped} />
      {fault ? (
        <div className="notice bad" role="status">
          {fault}
        </div>
      ) : null}
    </Panel>
  );
}

function faultOf(text: string): string | null {
  try {
    return graphFault(JSON.parse(text));
  } catch (error) {
    return t('This is not JSON: {fault}', { fault: error instanceof Error ? error.message : String(error) });
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const file = `${name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'blueprint'}.json`;
  Object.assign(document.createElement('a'), { href: url, download: file }).click();
  URL.revokeObjectURL(url);
}
