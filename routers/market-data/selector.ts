import { DomainError } from '../../engine/platform/errors.ts';

/** A selector with what was given for it. */
type Selected<Input, Name extends keyof Input> = {
  [Each in Name]: { name: Each; value: NonNullable<Input[Each]> };
}[Name];

/**
 * The one selector a market-data request names, or null where it names none.
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
