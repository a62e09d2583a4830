import { Panel, useReactFlow, useStore } from '@xyflow/react';
import { type Message, msg, t } from '../../language/language.ts';
import { type Box, hiddenSides, type Side } from '../drawing/view.ts';

const WORDS: Readonly<Record<Side, Message>> = {
  left: msg('on the left'),
  right: msg('on the right'),
  top: msg('above'),
  bottom: msg('below'),
};

/** The smallest letters of a step at full size, and the smallest that are easy to read. */
const LETTERS_PX = 12;
const READABLE_PX = 10;

/** Says where more of the graph is, and shows it whole. Says that its letters are small, and shows it in full size. */
export function OffscreenHint({ bounds, showAll }: { bounds: Box; showAll: () => void }) {
  const flow = useReactFlow();
  const sides = useStore(({ transform: [x, y, zoom], width, height }) =>
    width === 0 ? '' : hiddenSides(bounds, { x, y, zoom }, { width, height }).join(' '),
  );
  const isSmall = useStore(({ transform: [, , zoom] }) => zoom * LETTERS_PX < READABLE_PX);
  if (sides === '' && !isSmall) return null;
  const where = sides.split(' ').map((side) => t(WORDS[side as Side]));
  return (
    <Panel position="bottom-center" className="canvas-hints">
      {sides === '' ? null : (
        <button type="button" className="chip more" onClick={showAll}>
          {t('More {where} · Show all', { where: where.join(` ${t('and')} `) })}
        </button>
      )}
      {isSmall ? (
        <button type="button" className="chip more" onClick={() => void flow.zoomTo(1)}>
          {t('Small text · Full size')}
        </button>
      ) : null}
    </Panel>
  );
}
