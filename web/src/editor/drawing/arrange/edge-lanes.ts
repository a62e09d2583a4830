import type { Box } from '../view.ts';

type Point = { x: number; y: number };
/** An edge between the positions of its two ports. */
export type EdgeRun = { id: string; source: string; from: Point; to: Point };
type Lane = { source: string; y: number; left: number; right: number };

/** The distance of an edge from its own nodes before it turns, and from nodes and edges it passes. */
export const TURN_PX = 26;
const CLEAR_PX = 14;
const BESIDE_PX = 8;

/**
 * The height at which an edge passes the nodes between its ends. Only edges that would else run behind a node have one.
 * Edges of one source may share a lane, since they carry the same value; others do not.
 */
export function edgeLanesOf(runs: readonly EdgeRun[], boxes: readonly Box[]): Map<string, number> {
  const lanes = new Map<string, number>();
  const taken: Lane[] = [];
  for (const { id, source, from, to } of runs) {
    const left = from.x + TURN_PX;
    const right = to.x - TURN_PX;
    if (right <= left) continue;
    const between = boxes.filter((box) => box.x < right && box.x + box.width > left);
    const isBehind = (y: number, box: Box) => y > box.y - CLEAR_PX && y < box.y + box.height + CLEAR_PX;
    const isCrossed = between.some(
      (box) =>
        box.y < Math.max(from.y, to.y) + CLEAR_PX && box.y + box.height > Math.min(from.y, to.y) - CLEAR_PX,
    );
    if (!isCrossed) continue;
    const others = taken.filter((lane) => lane.source !== source && lane.left < right && lane.right > left);
    const isFree = (y: number) =>
      !between.some((box) => isBehind(y, box)) && !others.some((lane) => Math.abs(lane.y - y) < BESIDE_PX);
    const detour = (y: number) => Math.abs(y - from.y) + Math.abs(y - to.y);
    const heights = [
      from.y,
      to.y,
      ...between.flatMap((box) => [box.y - CLEAR_PX, box.y + box.height + CLEAR_PX]),
    ];
    const [lane] = heights
      .flatMap((y) => [
        y,
        ...others.flatMap((_, index) => [y - (index + 1) * BESIDE_PX, y + (index + 1) * BESIDE_PX]),
      ])
      .filter(isFree)
      .sort((one, other) => detour(one) - detour(other));
    if (lane === undefined) continue;
    lanes.set(id, lane);
    taken.push({ source, y: lane, left, right });
  }
  return lanes;
}

const RADIUS_PX = 8;

/** The route along a lane, as an SVG path with round corners. */
export function pathAlong(from: Point, to: Point, lane: number): string {
  const [left, right] = [from.x + TURN_PX, to.x - TURN_PX];
  const corners = [
    { x: left, y: from.y },
    { x: left, y: lane },
    { x: right, y: lane },
    { x: right, y: to.y },
  ];
  const points = [from, ...corners, to];
  const turns = corners.map((corner, index) => {
    const before = points[index] ?? from;
    const after = points[index + 2] ?? to;
    const [into, out] = [towards(corner, before), towards(corner, after)];
    return `L ${into.x},${into.y} Q ${corner.x},${corner.y} ${out.x},${out.y}`;
  });
  return `M ${from.x},${from.y} ${turns.join(' ')} L ${to.x},${to.y}`;
}

/** A point at the distance of a radius, or half way if the other point is near. */
function towards(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  if (distance === 0) return from;
  const share = Math.min(RADIUS_PX, distance / 2) / distance;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
