import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import { motionMs } from '../../settings/store.ts';
import { groupsOf } from '../drawing/groups.ts';
import type { Catalogue, Node } from '../drawing/model.ts';
import { NODE_WIDTH, openingView } from '../drawing/view.ts';
import { boundsOfVisible, isFoldedIn, visibleGraphOf } from '../drawing/visible-graph.ts';
import { useEditor } from '../store.ts';

export const VIEW_MOVE_MS = 200;
/** The height of the buttons above the graph. */
const TOOLS_PX = 48;
/** The width of the zoom buttons beside it, with their distance from the border. A phone has no room to leave for them. */
export const ZOOM_BUTTONS_PX = 44;
const MARGIN_PX = 20;
/** The size of a node with space around it. */
const NODE_SIZE = { width: NODE_WIDTH + MARGIN_PX, height: 120 };

type ViewOptions = { catalogue: Catalogue; hasTools: boolean; readOnly: boolean; small: boolean };

/**
 * Shows a graph from its beginning when it is opened, and when the panels beside it open or close; edits move nothing. Returns
 * a function that shows its nodes at other positions. Sizes are computed, so nothing waits for nodes to be rendered.
 */
export function useOpeningView({ catalogue, hasTools, readOnly, small }: ViewOptions) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const opened = useEditor((editor) => editor.opened);
  const show = useCallback(
    (nodes: readonly Node[], duration: number) => {
      const frame = store.getState().domNode?.getBoundingClientRect();
      const { edges, rest, folds } = useEditor.getState();
      const visible = visibleGraphOf(
        { nodes, edges },
        groupsOf({ nodes, rest }),
        isFoldedIn(folds),
        catalogue,
      );
      const bounds = boundsOfVisible(visible, catalogue);
      if (frame && bounds)
        void flow.setViewport(
          openingView(bounds, frame, { top: hasTools ? TOOLS_PX : 0, left: small ? 0 : ZOOM_BUTTONS_PX }),
          { duration },
        );
    },
    [flow, store, catalogue, hasTools, small],
  );
  const scene = `${opened} ${readOnly} ${small}`;
  const lastScene = useRef('');
  useEffect(() => {
    if (lastScene.current === scene) return;
    lastScene.current = scene;
    show(useEditor.getState().nodes, 0);
  }, [scene, show]);
  return useCallback((nodes: readonly Node[]) => show(nodes, motionMs(VIEW_MOVE_MS)), [show]);
}

type Flow = ReturnType<typeof useReactFlow>;

export const canvasFrame = () => document.querySelector('.canvas')?.getBoundingClientRect();

/** The top of the overlay on a small screen, if there is one: as high as it may grow with later content. */
function coveredFrom(): number {
  const sheet = document.querySelector('.inspector.sheet');
  if (!sheet) return Infinity;
  return sheet.getBoundingClientRect().bottom - Number.parseFloat(getComputedStyle(sheet).maxHeight);
}

/** Moves the view no further than a node needs to be wholly visible. If the graph is covered, scrolls the page first. */
export function bringIntoView(flow: Flow, { x, y }: { x: number; y: number }): void {
  const bottom = coveredFrom();
  if (bottom < Infinity) document.querySelector('.canvas')?.scrollIntoView();
  const frame = canvasFrame();
  if (!frame) return;
  const near = flow.flowToScreenPosition({ x: x - MARGIN_PX, y: y - MARGIN_PX });
  const far = flow.flowToScreenPosition({ x: x + NODE_SIZE.width, y: y + NODE_SIZE.height });
  const right = Math.max(0, frame.left - near.x) - Math.max(0, far.x - frame.right);
  const down = Math.max(0, frame.top - near.y) - Math.max(0, far.y - Math.min(frame.bottom, bottom));
  if (right === 0 && down === 0) return;
  const view = flow.getViewport();
  void flow.setViewport(
    { ...view, x: view.x + right, y: view.y + down },
    { duration: motionMs(VIEW_MOVE_MS) },
  );
}
