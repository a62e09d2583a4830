import { z } from 'zod';
import { DomainError } from '../../engine/platform/errors.ts';
import { HISTORY_INTERVALS } from '../../venues/views.ts';
import { queryInteger } from '../schemas.ts';

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

/** The fields that both venues of outcome markets take beside a selector. */
export const listingFields = {
  interval: z
    .enum(HISTORY_INTERVALS)
    .optional()
    .meta({ description: 'History interval, used when `ref` is given; 1w by default.' }),
  limit: queryInteger(1, 50)
    .optional()
    .meta({ description: 'Maximum number of search results; 20 by default.' }),
};
