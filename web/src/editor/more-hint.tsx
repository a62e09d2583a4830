import { Panel, useStore } from '@xyflow/react';
import { type Box, hiddenSides, type Side } from './drawing/view.ts';

const WORDS: Readonly<Record<Side, string>> = {
  left: 'on the left',
  right: 'on the right',
  top: 'above',
  bottom: 'below',
};

/** Says where the drawing goes on, and shows it whole. */
export function MoreHint({ bounds, showAll }: { bounds: Box; showAll: () => void }) {
  const sides = useStore(({ transform: [x, y, zoom], width, height }) =>
    width === 0 ? '' : hiddenSides(bounds, { x, y, zoom }, { width, height }).join(' '),
  );
  if (sides === '') return null;
  const where = sides.split(' ').map((side) => WORDS[side as Side]);
  return (
    <Panel position="bottom-center">
      <button type="button" className="chip more" onClick={showAll}>
        More {where.join(' and ')} · Show all
      </button>
    </Panel>
  );
}
