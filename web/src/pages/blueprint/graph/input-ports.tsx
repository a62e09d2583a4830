import { X } from 'lucide-react';
import { useContext } from 'react';
import { CatalogueContext } from './context.ts';
import { configOf, type InputPort, labelOf, type NodeType, type Step } from './model.ts';
import { portsOf, refusalOf } from './ports.ts';
import { connect, disconnect, useEditor } from './store.ts';

type PortsProps = { step: Step; type: NodeType; readOnly: boolean };

/** Connections by list instead of by dragging: what feeds each input, and what could. */
export function InputPorts({ step, type, readOnly }: PortsProps) {
  const { inputs, outputs } = portsOf(type, configOf(step));
  return (
    <>
      {inputs.length > 0 ? <h3>Inputs</h3> : null}
      {inputs.map((port) => (
        <InputRow key={port.name} step={step} port={port} readOnly={readOnly} />
      ))}
      {outputs.length > 0 && !readOnly ? <ConnectTo step={step} /> : null}
    </>
  );
}

function InputRow({ step, port, readOnly }: { step: Step; port: InputPort; readOnly: boolean }) {
  const catalogue = useContext(CatalogueContext);
  const graph = useEditor();
  const ends = (source: string) => ({
    source,
    target: step.id,
    sourceHandle: 'out',
    targetHandle: port.name,
  });
  const present = graph.wires.filter(
    ({ target, targetHandle }) => target === step.id && targetHandle === port.name,
  );
  const possible = graph.steps.filter(({ id }) => refusalOf(ends(id), graph, catalogue) === null);
  const nameOf = (id: string) => {
    const source = graph.steps.find((each) => each.id === id);
    return source ? labelOf(source, catalogue) : id;
  };
  const field = `input-${port.name}`;
  return (
    <div className="field">
      <label htmlFor={field}>
        {port.name}{' '}
        <span className="dim">
          ({port.kind}
          {port.required ? '' : ', optional'})
        </span>
      </label>
      {present.map(({ id, source }) => (
        <span key={id} className="row apart">
          <span className="clip">from {nameOf(source)}</span>
          {readOnly ? null : (
            <span className="id">
              <button
                type="button"
                aria-label={`Disconnect ${nameOf(source)}`}
                onClick={() => disconnect(new Set([id]))}
              >
                <X size={14} aria-hidden />
              </button>
            </span>
          )}
        </span>
      ))}
      {readOnly || (present.length > 0 && !port.many) ? null : (
        <select
          id={field}
          className="text-input"
          value=""
          onChange={(event) => {
            if (event.currentTarget.value) connect(ends(event.currentTarget.value));
          }}
        >
          <option value="">{possible.length > 0 ? 'Connect from…' : 'Nothing fits yet'}</option>
          {possible.map(({ id }) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </select>
      )}
      <span className="hint">{port.help}</span>
    </div>
  );
}

function ConnectTo({ step }: { step: Step }) {
  const catalogue = useContext(CatalogueContext);
  const graph = useEditor();
  const targets = graph.steps.flatMap((target) =>
    portsOf(catalogue.get(target.type), configOf(target)).inputs.flatMap(({ name }) => {
      const ends = { source: step.id, target: target.id, sourceHandle: 'out', targetHandle: name };
      return refusalOf(ends, graph, catalogue) === null
        ? [{ ends, label: `${labelOf(target, catalogue)} · ${name}` }]
        : [];
    }),
  );
  return (
    <div className="field">
      <label htmlFor="connect-to">Connect to…</label>
      <select
        id="connect-to"
        className="text-input"
        value=""
        onChange={(event) => {
          const target = targets[Number(event.currentTarget.value)];
          if (event.currentTarget.value !== '' && target) connect(target.ends);
        }}
      >
        <option value="">{targets.length > 0 ? 'Choose an input' : 'Nothing fits yet'}</option>
        {targets.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
