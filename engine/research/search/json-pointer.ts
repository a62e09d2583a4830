/** JSON Pointers (RFC 6901) into a graph. */
import type { Scalar } from './request.ts';

type Container = Record<string, unknown> | unknown[];

/** Splits a pointer into tokens; null if it is invalid, or points at the whole document. */
function tokensOf(pointer: string): string[] | null {
  if (!/^(\/([^~/]|~[01])*)+$/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function insideOf(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at a pointer; undefined if there is none. */
export const valueAtPointer = (document: unknown, pointer: string): unknown =>
  tokensOf(pointer)?.reduce(insideOf, document);

/**
 * Returns the document with another value at an existing path. Other parts are shared with the given document.
 *
 * @throws RangeError if the path does not exist.
 */
export function withValueAt(document: unknown, pointer: string, value: Scalar): unknown {
  const tokens = tokensOf(pointer);
  if (tokens === null || valueAtPointer(document, pointer) === undefined) {
    throw new RangeError(`There is nothing at ${pointer}.`);
  }
  return replaced(document as Container, tokens, value);
}

function replaced(container: Container, [token = '', ...rest]: readonly string[], value: Scalar): unknown {
  const inner = rest.length === 0 ? value : replaced(insideOf(container, token) as Container, rest, value);
  return Array.isArray(container) ? container.with(Number(token), inner) : { ...container, [token]: inner };
}
