/** Damaged values of one field of one record: none of these is a number, a price, a time or a flag of any venue. */
import type { Reply } from './replay.ts';

/** Stands for a missing field. */
const MISSING = Symbol('missing');
/** Stands for a JSON number beyond all doubles, which JavaScript cannot write. */
const TOO_LARGE = '@@1e400@@';

export const DAMAGES: readonly (readonly [string, unknown])[] = [
  ['missing', MISSING],
  ['null', null],
  ['an empty text', ''],
  ['a blank', ' '],
  ['a word', 'word'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['hexadecimal', '0x10'],
  ['an exponent', '1e2'],
  ['a comma', '1,5'],
  ['two points', '1.2.3'],
  ['a negative text', '-1'],
  ['a negative number', -1],
  ['1e400', TOO_LARGE],
  ['30 digits', '1'.repeat(30)],
  ['a number of 31 digits', 1e30],
  ['Arabic digits', '٠١٢'],
  ['a NUL', '0.5\u0000'],
  ['true', true],
  ['an empty list', []],
  ['a list', [1, 'x', null]],
  ['an object', { value: 1 }],
];

type Fields = Record<string, unknown>;
/** The path of a field: `['filters', 0, 'tickSize']`. */
export type Path = readonly [string, ...(string | number)[]];

/** A copy of the record with another value at the end of the path. */
export function damaged<T>(record: T, path: Path, value: unknown): T {
  const copy = structuredClone(record) as T & Fields;
  const last = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce<Fields>((place, step) => place[step] as Fields, copy);
  if (value === MISSING) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** A body as JSON text, in a world that stands still, so that no answer is cached between two requests. */
export const still = (body: unknown) => (): Reply => ({
  status: 200,
  body: JSON.stringify(body).replaceAll(`"${TOO_LARGE}"`, '1e400'),
  headers: { 'x-simulator-clock': `${Date.now()};speed=0` },
});
