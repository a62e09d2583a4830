import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useContext, useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { nodeValueWords } from '../../format/node-value-words.ts';
import { t } from '../../language/language.ts';
import { CatalogueContext } from '../context.ts';
import {
  type Catalogue,
  configOf,
  type EdgeEnds,
  edgeId,
  type InputPort,
  labelOf,
  type Node,
  type NodeType,
} from '../drawing/model.ts';
import { connectionFault, portsOf } from '../drawing/ports.ts';
import { kindWords, portWords } from '../drawing/words.ts';
import { connect, disconnect, select, useEditor } from '../store.ts';

type PortsProps = { node: Node; type: NodeType; readOnly: boolean };

/** The source of each input, with its value now; connects by list instead of by dragging. */
export function InputPorts({ node, type, readOnly }: PortsProps) {
  const { inputs } = portsOf(type, configOf(node));
  return (
    <>
      {inputs.length > 0 ? <h3>{t('Inputs')}</h3> : null}
      {inputs.map((port) => (
        <InputRow key={port.name} node={node} port={port} readOnly={readOnly} />
      ))}
    </>
  );
}

/** The inputs that the value of a node can still go to. */
export const OutputPorts = ({ node, type, readOnly }: PortsProps) =>
  !readOnly && portsOf(type, configOf(node)).outputs.length > 0 ? <ConnectTo node={node} /> : null;

function InputRow({ node, port, readOnly }: { node: Node; port: InputPort; readOnly: boolean }) {
  const catalogue = useContext(CatalogueContext);
  const graph = useGraph();
  const ends = (source: Node) => endsOf(source, node.id, port.name, catalogue);
  const present = graph.edges.filter(
    ({ target, targetHandle }) => target === node.id && targetHandle === port.name,
  );
  const isShown = !readOnly && (present.length === 0 || port.many === true);
  const possible = useMemo(
    () =>
      isShown
        ? graph.nodes.filter(
            (source) =>
              connectionFault(endsOf(source, node.id, port.name, catalogue), graph, catalogue) === null,
          )
        : [],
    [isShown, graph, node.id, port.name, catalogue],
  );
  const nameOf = (id: string) => {
    const source = graph.nodes.find((each) => each.id === id);
    return source ? labelOf(source, catalogue) : id;
  };
  const field = `input-${port.name}`;
  return (
    <div className="field">
      {isShown || present.length === 0 ? (
        <label htmlFor={field}>
          {portWords(port.name)}{' '}
          <span className="dim">
            ({kindWords(port.kind)}
            {port.required ? '' : `, ${t('optional')}`})
          </span>
        </label>
      ) : null}
      {present.map(({ id, source }) => (
        <span key={id} className="input-line">
          <span className="dim" title={port.help}>
            {portWords(port.name)}
          </span>
          <button type="button" className="text-button clip" onClick={() => select([source])}>
            {t('from {source}', { source: nameOf(source) })}
          </button>
          <ValueNow of={source} />
          {readOnly ? null : (
            <span className="id">
              <button
                type="button"
                data-edge={edgeId({ source, target: node.id, targetHandle: port.name })}
                aria-label={t('Disconnect {source}', { source: nameOf(source) })}
                onClick={() => {
                  disconnect(new Set([id]));
                  focusSoon(`#${CSS.escape(field)}`);
                }}
              >
                <X size={14} aria-hidden />
              </button>
            </span>
          )}
        </span>
      ))}
      {isShown ? (
        <Connecting
          id={field}
          prompt={t('Connect from…')}
          choices={possible.map((source) => ({ ends: ends(source), label: labelOf(source, catalogue) }))}
        />
      ) : null}
      {present.length === 0 ? <span className="hint">{port.help}</span> : null}
    </div>
  );
}

/** The value that arrives now. */
function ValueNow({ of }: { of: string }) {
  const value = useEditor((editor) => editor.states[of]?.value ?? null);
  return <strong className="figures">{value === null ? '' : nodeValueWords(value)}</strong>;
}

function ConnectTo({ node }: { node: Node }) {
  const catalogue = useContext(CatalogueContext);
  const graph = useGraph();
  const targets = useMemo(
    () =>
      graph.nodes.flatMap((target) =>
        portsOf(catalogue.types.get(target.type), configOf(target)).inputs.flatMap(({ name }) => {
          const ends = endsOf(node, target.id, name, catalogue);
          return connectionFault(ends, graph, catalogue) === null
            ? [{ ends, label: `${labelOf(target, catalogue)} · ${portWords(name)}` }]
            : [];
        }),
      ),
    [graph, node, catalogue],
  );
  return (
    <div className="field">
      <label htmlFor="connect-to">{t('Connect to…')}</label>
      <Connecting id="connect-to" prompt={t('Choose an input')} choices={targets} />
    </div>
  );
}

/** The same object until an edit. */
const useGraph = () => useEditor(useShallow(({ nodes, edges }) => ({ nodes, edges })));

/** Joins the first output of a node with an input. */
const endsOf = (source: Node, target: string, targetHandle: string, { types }: Catalogue): EdgeEnds => ({
  source: source.id,
  target,
  sourceHandle: portsOf(types.get(source.type), configOf(source)).outputs[0]?.name ?? 'out',
  targetHandle,
});

type Choice = { ends: EdgeEnds; label: string };

/** Choosing does not connect yet: the arrow keys of a closed list choose, and pass over other options. */
function Connecting({ id, prompt, choices }: { id: string; prompt: string; choices: readonly Choice[] }) {
  const [chosen, setChosen] = useState('');
  const choice = choices.find(({ ends }) => edgeId(ends) === chosen);
  const confirm = () => {
    if (!choice) return;
    connect(choice.ends);
    setChosen('');
    focusSoon(`[data-edge="${CSS.escape(chosen)}"]`, `#${CSS.escape(id)}`);
  };
  return (
    <div className="connecting">
      <select
        id={id}
        className="text-input"
        value={choice ? chosen : ''}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        <option value="">{choices.length > 0 ? prompt : t('Nothing fits yet')}</option>
        {choices.map(({ ends, label }) => (
          <option key={edgeId(ends)} value={edgeId(ends)}>
            {label}
          </option>
        ))}
      </select>
      <Button variant="default" disabled={!choice} onClick={confirm}>
        {t('Connect')}
      </Button>
    </div>
  );
}

/** Moves the focus after an edge was made or cut, when the focused element is gone: to the first of these that exists. */
function focusSoon(...selectors: readonly string[]): void {
  requestAnimationFrame(() => {
    const next = selectors.flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]);
    next[0]?.focus();
  });
}
