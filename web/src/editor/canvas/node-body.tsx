import { Handle, Position } from '@xyflow/react';
import type { ReactNode } from 'react';
import { t } from '../../language/language.ts';
import type { InputPort, OutputPort } from '../drawing/model.ts';
import { PORT_PX, portTop } from '../drawing/ports.ts';
import { kindWords, portWords, settingTitleOf } from '../drawing/words.ts';

type BodyProps = {
  inputs: readonly InputPort[];
  outputs: readonly OutputPort[];
  /** Inputs that depend on a setting without a value yet. */
  pending?: readonly InputPort[];
  /** Inputs that only edges name. */
  loose?: readonly string[];
  children: ReactNode;
};

const NONE: readonly never[] = [];

/** The body of a card: the names of its inputs, facts to their right, and a handle for each port. */
export const NodeBody = ({ inputs, outputs, pending = NONE, loose = NONE, children }: BodyProps) => (
  <>
    <div
      className="node-body"
      style={{ minHeight: Math.max(1, inputs.length + loose.length + pending.length) * PORT_PX }}
    >
      <div className="node-ports">
        {inputs.map(({ name, kind, required }) => (
          <span key={name} className={`port ${kind}`}>
            {portWords(name)}
            {required ? '' : '?'}
          </span>
        ))}
        {loose.map((name) => (
          <span key={name} className="port loose">
            {name}
          </span>
        ))}
        {pending.map(({ name, when }) => (
          <span
            key={name}
            className="port pending"
            title={t('Choose “{setting}” first.', { setting: settingTitleOf(when?.setting ?? '') })}
          >
            {portWords(name)}
          </span>
        ))}
      </div>
      <div className="node-facts">{children}</div>
    </div>
    {inputs.map(({ name, kind, help }, index) => (
      <Handle
        key={name}
        id={name}
        type="target"
        position={Position.Left}
        className={`handle ${kind}`}
        title={`${portWords(name)} (${kindWords(kind)}): ${help}`}
        style={{ top: portTop(index) }}
      />
    ))}
    {loose.map((name, index) => (
      <Handle
        key={name}
        id={name}
        type="target"
        position={Position.Left}
        className="handle loose"
        isConnectable={false}
        title={t('There is no input “{name}”. Remove its wire, or change the settings.', { name })}
        style={{ top: portTop(inputs.length + index) }}
      />
    ))}
    {outputs.map(({ name, kind, help }, index) => (
      <Handle
        key={name}
        id={name}
        type="source"
        position={Position.Right}
        className={`handle ${kind}`}
        title={`${kindWords(kind)}: ${help}`}
        style={{ top: portTop(index) }}
      />
    ))}
  </>
);
