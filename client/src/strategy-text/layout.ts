/** Layout of nodes on the canvas, in comments after `//@`: the place, and then JSON of whatever else a node has. */
import { type Fields, isFields } from './graph.ts';
import { TextFault, type TokenLine } from './tokens.ts';

/** Layout of a line: of its node, and of the parts without a name, by id. */
export type LineLayout = {
  readonly fields: Fields;
  readonly parts: Readonly<Record<string, Fields>>;
};

const NO_LAYOUT: LineLayout = { fields: {}, parts: {} };
const NUMBER = String.raw`-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?`;
const LAYOUT = new RegExp(`^(?:(${NUMBER}) (${NUMBER}))? ?(\\{.*\\})?$`, 's');

/** Writes fields as layout; empty if there are none. */
export function writtenLayout(fields: Fields, parts: Readonly<Record<string, Fields>> = {}): string {
  const { position, ...others } = fields;
  const place = placeOf(position);
  const rest = {
    ...(place === null && position !== undefined && { position }),
    ...others,
    ...(Object.keys(parts).length > 0 && { parts }),
  };
  return [place ?? [], Object.keys(rest).length > 0 ? JSON.stringify(rest) : []].flat().join(' ');
}

function placeOf(position: unknown): string | null {
  if (!isFields(position)) return null;
  const { x, y, ...others } = position;
  const isPlace = Number.isFinite(x) && Number.isFinite(y) && Object.keys(others).length === 0;
  return isPlace ? `${x} ${y}` : null;
}

export function layoutOf({ layout, layoutColumn }: TokenLine): LineLayout {
  if (layout === null) return NO_LAYOUT;
  const [found, x, y, json] = LAYOUT.exec(layout) ?? [];
  if (found === undefined)
    throw new TextFault(
      'bad_layout',
      layoutColumn,
      'A layout is two numbers, x and y, and an object of JSON.',
    );
  const { parts = {}, ...rest } = json === undefined ? {} : objectIn(json, layoutColumn);
  const position = x === undefined ? {} : { position: { x: Number(x), y: Number(y) } };
  if (!isFields(parts) || !Object.values(parts).every(isFields))
    throw new TextFault(
      'bad_layout',
      layoutColumn,
      '“parts” is an object: the fields of each part by its id.',
    );
  return { fields: { ...position, ...rest }, parts: parts as Record<string, Fields> };
}

/** Parses JSON that is an object. */
export function objectIn(json: string, column: number): Fields {
  try {
    const value: unknown = JSON.parse(json);
    if (isFields(value)) return value;
  } catch {
    // Falls through to the fault below.
  }
  throw new TextFault('bad_layout', column, 'This is no object of JSON.');
}
