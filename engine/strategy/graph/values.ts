/**
 * Three-valued arithmetic and logic. A value is a number, a boolean or unknown with a reason. Unknown operands give unknown
 * results, except in logic that is decided without them.
 */
import type { ReasonCode } from './reason-codes.ts';
import type { Reason, Unknown, Value } from './types.ts';

/** Two doubles closer than this share of the larger one are equal in a compare. */
const RELATIVE_TOLERANCE = 1e-12;

export function reason(code: ReasonCode, message: string): Reason {
  return { code, message };
}

/** Build these once per node, not per evaluation. */
export function unknown(code: ReasonCode, message: string): Unknown {
  return { unknown: reason(code, message) };
}

/** The status of a node that waits for this reason. */
export const waitingStatus = ({ code }: Reason): 'stale' | 'waiting' =>
  code === 'stale' ? 'stale' : 'waiting';

/** `5 %` of 0.05, without the digits that a product of doubles adds. */
export const percentOf = (share: number): string => `${Number((share * 100).toPrecision(6))} %`;

export function isUnknown(value: Value): value is Unknown {
  return typeof value === 'object';
}

const NOT_A_NUMBER = unknown(
  'not_a_number',
  'The calculation has no finite result, for example a division by 0.',
);

/** Returns a result of arithmetic: finite, or unknown. Minus zero becomes zero, so that equal values print alike. */
export function finite(result: number): Value {
  return Number.isFinite(result) ? result + 0 : NOT_A_NUMBER;
}

export function equal(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

export function above(a: number, b: number): boolean {
  return a > b && !equal(a, b);
}

export function atLeast(a: number, b: number): boolean {
  return a > b || equal(a, b);
}

/**
 * True once `needed` of the values in `slots` are true. False once the false ones make that impossible, else unknown with the
 * reason of the first unknown one. `and` needs all, `or` needs one.
 */
export function enoughTrue(values: readonly Value[], slots: readonly number[], needed: number): Value {
  let yes = 0;
  let open = 0;
  let why: Unknown | null = null;
  for (const slot of slots) {
    const value = values[slot] as Value;
    if (value === true) yes++;
    else if (isUnknown(value)) {
      open++;
      why ??= value;
    }
  }
  if (yes >= needed) return true;
  return why === null || yes + open < needed ? false : why;
}

/** Converts a condition to a number: 1 if true, 0 if false. */
export function numeric(value: Value): number | Unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

export function not(value: Value): Value {
  return typeof value === 'boolean' ? !value : value;
}
