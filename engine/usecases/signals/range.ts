import type { SignalKind } from '../../../db/entities/signal.ts';
import { DomainError } from '../../platform/errors.ts';

/** The values that a signal takes. `min` and `max` are inclusive; null: the bound of all signals. */
export type SignalRange = {
  readonly kind: SignalKind;
  readonly min: number | null;
  readonly max: number | null;
};

/** An absent field keeps its value. */
export type SignalRangeChange = { readonly [Field in keyof SignalRange]?: SignalRange[Field] | undefined };

/**
 * Returns the range with a change. A condition has no bounds of its own. Pure.
 *
 * @throws DomainError `validation_failed` if no value can be in it.
 */
export function withRange(range: SignalRange, change: SignalRangeChange): SignalRange {
  const kind = change.kind ?? range.kind;
  const isBoolean = kind === 'boolean';
  const { min = isBoolean ? null : range.min, max = isBoolean ? null : range.max } = change;
  if (isBoolean && (min !== null || max !== null)) {
    throw new DomainError(
      'validation_failed',
      'A signal of kind boolean takes 0 and 1 only, so it has no min and no max. Leave them out, or choose the kind number.',
    );
  }
  if (min !== null && max !== null && min > max) {
    throw new DomainError(
      'validation_failed',
      `The min of ${min} is above the max of ${max}: no value could be sent. Lower the min, or raise the max.`,
    );
  }
  return { kind, min, max };
}

/** Refuses a value that a signal does not take. @throws DomainError `validation_failed`. Pure. */
export function refuseOutOfRange(name: string, { kind, min, max }: SignalRange, value: number): void {
  if (kind === 'boolean' && value !== 0 && value !== 1) {
    throw new DomainError(
      'validation_failed',
      `The signal ${name} takes true and false (1 and 0); ${value} was sent. Send one of them, or change the signal’s kind.`,
    );
  }
  if ((min !== null && value < min) || (max !== null && value > max)) {
    const bounds =
      min === null ? `at most ${max}` : max === null ? `at least ${min}` : `values from ${min} to ${max}`;
    throw new DomainError(
      'validation_failed',
      `The signal ${name} takes ${bounds}; ${value} was sent. Send a value in that range, or change the signal’s range.`,
    );
  }
}
