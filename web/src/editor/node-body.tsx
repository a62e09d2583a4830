import { Handle, Position } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { InputPort, OutputPort } from './drawing/model.ts';
import { PORT_PX, portTop } from './drawing/ports.ts';
import { kindWords } from './drawing/words.ts';

type BodyProps = { inputs: readonly InputPort[]; outputs: readonly OutputPort[]; children: ReactNode };

/** What a card has below its head: the names of its inputs, facts at their right, and a handle for each port. */
export const NodeBody = ({ inputs, outputs, children }: BodyProps) => (
  <>
    <div className="node-body" style={{ minHeight: Math.max(1, inputs.length) * PORT_PX }}>
      <div className="node-ports">
        {inputs.map(({ name, kind, required }) => (
          <span key={name} className={`port ${kind}`}>
            {name}
            {required ? '' : '?'}
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
        title={`${name} (${kindWords(kind)}): ${help}`}
        style={{ top: portTop(index) }}
      />
    ))}
    {outputs.map(({ name, kind, help }) => (
      <Handle
        key={name}
        id={name}
        type="source"
        position={Position.Right}
        className={`handle ${kind}`}
        title={`${kindWords(kind)}: ${help}`}
        style={{ top: portTop(0) }}
      />
    ))}
  </>
);
