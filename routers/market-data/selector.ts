import { DomainError } from '../../engine/platform/errors.ts';

/** A selector with its value. */
type Selected<Input, Name extends keyof Input> = {
  [Each in Name]: { name: Each; value: NonNullable<Input[Each]> };
}[Name];

/**
 * The one selector of a market-data request, or null if it has none.
 *
 * @throws DomainError `validation_failed` for two.
 */
export function soleSelector<Input extends object, Name extends keyof Input & string>(
  input: Input,
  names: readonly Name[],
): Selected<Input, Name> | null {
  const given = names.filter((name) => input[name] !== undefined);
  const [name] = given;
  if (name === undefined) return null;
  if (given.length === 1) return { name, value: input[name] } as Selected<Input, Name>;
  const message = `takes one of ${names.join(', ')}; this request has ${given.join(' and ')}`;
  throw new DomainError('validation_failed', `The request ${message}.`, {
    issues: given.map((each) => ({ path: `/${each}`, code: 'one_selector', message })),
  });
}
