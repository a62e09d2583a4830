import { Panel, useReactFlow, useStore } from '@xyflow/react';
import { type Box, hiddenSides, type Side } from './drawing/view.ts';

const WORDS: Readonly<Record<Side, string>> = {
  left: 'on the left',
  right: 'on the right',
  top: 'above',
  bottom: 'below',
};

/** The smallest letters of a step, at full size, and the smallest that are easily read. */
const LETTERS_PX = 12;
const READABLE_PX = 10;

/** Says where the drawing goes on, and shows it whole; and that its letters are small, and shows it in full size. */
export function MoreHint({ bounds, showAll }: { bounds: Box; showAll: () => void }) {
  const flow = useReactFlow();
  const sides = useStore(({ transform: [x, y, zoom], width, height }) =>
    width === 0 ? '' : hiddenSides(bounds, { x, y, zoom }, { width, height }).join(' '),
  );
  const isSmall = useStore(({ transform: [, , zoom] }) => zoom * LETTERS_PX < READABLE_PX);
  if (sides === '' && !isSmall) return null;
  const where = sides.split(' ').map((side) => WORDS[side as Side]);
  return (
    <Panel position="bottom-center" className="canvas-hints">
      {sides === '' ? null : (
        <button type="button" className="chip more" onClick={showAll}>
          More {where.join(' and ')} · Show all
        </button>
      )}
      {isSmall ? (
        <button type="button" className="chip more" onClick={() => void flow.zoomTo(1)}>
          Small text · Full size
        </button>
      ) : null}
    </Panel>
  );
}
