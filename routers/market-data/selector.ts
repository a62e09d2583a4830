import { DomainError } from '../../engine/errors.ts';

/**
 * The one selector a market-data request names, or null where it names none.
 *
 * @throws DomainError `validation_failed` for two.
 */
export function soleSelector<Name extends string>(
  input: Partial<Record<Name, unknown>>,
  names: readonly Name[],
): Name | null {
  const given = names.filter((name) => input[name] !== undefined);
  if (given.length <= 1) return given[0] ?? null;
  const message = `takes one of ${names.join(', ')}; this request has ${given.join(' and ')}`;
  throw new DomainError('validation_failed', `The request ${message}.`, {
    issues: given.map((name) => ({ path: `/${name}`, code: 'one_selector', message })),
  });
}
