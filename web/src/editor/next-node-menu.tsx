import { Menu } from '@mantine/core';
import { useContext } from 'react';
import { t } from '../language/language.ts';
import { CatalogueContext } from './context.ts';
import { fittingTypes } from './drawing/ports.ts';
import { startingConfig } from './drawing/settings-schema.ts';
import { addConnected } from './store.ts';

/** An edge that was dragged from a port and dropped on empty space. */
export type DanglingEdge = {
  nodeId: string;
  kind: 'number' | 'boolean';
  /** Whether it was dragged from an output. */
  isForward: boolean;
  /** The port it starts from. */
  port: string;
  /** On the screen, and in the graph. */
  at: { x: number; y: number };
  position: { x: number; y: number };
};
export type NextNodeMenuProps = { edge: DanglingEdge; close: () => void };

/** Offers the nodes that fit the edge. Loads on first use. */
export function NextNodeMenu({ edge, close }: NextNodeMenuProps) {
  const catalogue = useContext(CatalogueContext);
  const { nodeId, kind, isForward, port, at, position } = edge;
  return (
    <Menu opened onClose={close} position="bottom-start" withinPortal returnFocus>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown className="tall-menu" aria-label={t('Next node')}>
        {fittingTypes(kind, isForward, catalogue).map(({ type, port: other }) => (
          <Menu.Item
            key={type.type}
            title={type.help}
            onClick={() =>
              addConnected(type.type, position, startingConfig(type.config), (id) =>
                isForward
                  ? { source: nodeId, target: id, sourceHandle: port, targetHandle: other }
                  : { source: id, target: nodeId, sourceHandle: other, targetHandle: port },
              )
            }
          >
            {type.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
