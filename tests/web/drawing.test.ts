import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edgeLanesOf, TURN_PX } from '../../web/src/editor/drawing/arrange/edge-lanes.ts';
import { readingOrder } from '../../web/src/editor/drawing/arrange/reading-order.ts';
import { readGraph, writeGraph } from '../../web/src/editor/drawing/json.ts';
import type { EditorGraph } from '../../web/src/editor/drawing/model.ts';
import { type Box, boundsOf, boxOf, hiddenSides, openingView } from '../../web/src/editor/drawing/view.ts';

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const boxesOf = ({ nodes }: EditorGraph) =>
  nodes.map((node) => boxOf(node, { types: new Map(), notes: new Set(['note']) }));

const apart = (boxes: readonly Box[]) =>
  boxes.every((box, index) => boxes.slice(index + 1).every((other) => !overlap(box, other)));

const CONTROLS = { top: 48, left: 44 };

const links = fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { maxLength: 30 });
const drawingOf = (ends: readonly (readonly [number, number])[], position?: { x: number; y: number }) => ({
  nodes: Array.from({ length: 15 }, (_, index) => ({
    id: `n${index}`,
    ...(index === 1 ? { type: 'note', data: { label: 'Of many words. '.repeat(30) } } : { type: 'logic' }),
    ...(position && index === 0 && { position }),
  })),
  edges: ends.map(([from, to], index) => ({ id: `e${index}`, source: `n${from}`, target: `n${to}` })),
});

describe('a drawing', () => {
  test('whose steps have no places is laid out, from left to right and nothing over another', () => {
    const ends = { 0: [2, 3], 1: [2], 2: [4], 3: [4] };
    const visual = drawingOf(
      Object.entries(ends).flatMap(([from, tos]) => tos.map((to) => [Number(from), to] as const)),
    );
    const drawing = readGraph(visual);
    const at = new Map(drawing.nodes.map(({ id, position }) => [id, position]));
    for (const { source, target } of drawing.edges)
      expect(at.get(source)?.x ?? 0, `${source} to ${target}`).toBeLessThan(at.get(target)?.x ?? 0);
    expect(apart(boxesOf(drawing))).toBe(true);
  });

  test('steps without positions lie apart however they are connected, also in circles, and a second layout is no edit', () => {
    fc.assert(
      fc.property(links, fc.boolean(), (ends, isPlaced) => {
        const visual = drawingOf(ends, isPlaced ? { x: 300, y: 200 } : undefined);
        const drawing = readGraph(visual);
        expect(apart(boxesOf(drawing))).toBe(true);
        expect(writeGraph(readGraph(visual))).toEqual(writeGraph(drawing));
        if (isPlaced) expect(drawing.nodes[0]?.position).toEqual({ x: 300, y: 200 });
      }),
    );
  });

  test('opens whole and centred where it is readable so, else at its beginning, and says where more of it is', () => {
    const frame = { width: 800, height: 600 };
    const small = { x: 100, y: 50, width: 500, height: 200 };
    const whole = openingView(small, frame, CONTROLS);
    expect(hiddenSides(small, whole, frame)).toEqual([]);
    expect(whole.zoom).toBe(1);
    const wide = { x: -40, y: 0, width: 2_000, height: 300 };
    const part = openingView(wide, frame, CONTROLS);
    expect(part.zoom).toBeGreaterThanOrEqual(0.85);
    expect(part.x + wide.x * part.zoom, 'beside the zoom buttons').toBeGreaterThan(CONTROLS.left);
    expect(hiddenSides(wide, part, frame)).toEqual(['right']);
  });

  test('has no bounds while it is empty', () => {
    expect(boundsOf([])).toBeNull();
  });
});

describe('a wire', () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 196, height: 84 });
  const run = (id: string, source: string, from: [number, number], to: [number, number]) => ({
    id,
    source,
    from: { x: from[0], y: from[1] },
    to: { x: to[0], y: to[1] },
  });

  test('goes round a step that stands between its ends', () => {
    const between = box(260, 0);
    const lane = edgeLanesOf([run('long', 'a', [196, 44], [520, 44])], [box(0, 0), between, box(520, 0)]).get(
      'long',
    );
    expect(lane).toBeDefined();
    expect(lane === undefined || lane < between.y || lane > between.y + between.height).toBe(true);
  });

  test('between neighbours is left as it is', () => {
    const boxes = [box(0, 0), box(260, 120)];
    expect(edgeLanesOf([run('short', 'a', [196, 44], [260, 164])], boxes).size).toBe(0);
  });

  test('shares no lane with a wire of another step', () => {
    const runs = [run('one', 'a', [196, 44], [520, 44]), run('two', 'b', [196, 44], [520, 64])];
    const lanes = edgeLanesOf(runs, [box(260, 0)]);
    expect(Math.abs((lanes.get('one') ?? 0) - (lanes.get('two') ?? 0))).toBeGreaterThanOrEqual(8);
  });

  test('runs behind no step, wherever the steps stand', () => {
    const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: -400, max: 400 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(places, (at) => {
        const boxes = at.map(([x, y]) => box(x, y));
        const [from, to] = [
          { x: 196, y: 44 },
          { x: 1_000, y: 44 },
        ];
        const lane = edgeLanesOf([{ id: 'w', source: 'a', from, to }], boxes).get('w');
        const between = boxes.filter(({ x, width }) => x < to.x - TURN_PX && x + width > from.x + TURN_PX);
        const y = lane ?? from.y;
        expect(between.filter((each) => y > each.y && y < each.y + each.height)).toEqual([]);
      }),
    );
  });
});

describe('the list of a graph', () => {
  test('has every node once, each after those it reads unless they are a circle, and from top to bottom', () => {
    fc.assert(
      fc.property(links, (ends) => {
        const { nodes, edges } = drawingOf(ends.filter(([from, to]) => from < to));
        const placed = nodes.map((node, index) => ({ ...node, position: { x: 0, y: -index } }));
        const order = readingOrder(placed, edges).map(({ id }) => id);
        expect(order.toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
        for (const { source, target } of edges)
          expect(order.indexOf(source)).toBeLessThan(order.indexOf(target));
      }),
    );
    const circle = drawingOf([
      [0, 1],
      [1, 0],
    ]);
    const placed = circle.nodes.map((node, index) => ({ ...node, position: { x: 0, y: -index } }));
    const order = readingOrder(placed, circle.edges).map(({ id }) => id);
    expect([order[0], ...order.slice(-2)]).toEqual(['n14', 'n1', 'n0']);
  });
});
