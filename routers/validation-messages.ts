import type { z } from 'zod';

/** Sentences for values that a schema refuses, if the schema has none of its own: no caller reads a library's words. */
export const validationMessageOf: z.core.$ZodErrorMap = (issue) => {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined ? 'is missing' : `takes ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${input === undefined ? 'is missing; ' : ''}takes ${issue.values.slice(0, VALUES_MAX).map(String).join(', ')}`;
    case 'too_small':
      return `takes ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `takes ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unitOf(issue.origin)}`;
    case 'not_multiple_of':
      return `takes a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `takes ${FORMATS[issue.format] ?? 'a text of another form'}`;
    case 'invalid_union':
      return input === undefined ? 'is missing' : formsWords(issue.errors);
    case 'invalid_key':
      return 'has a name that is not allowed here';
    default:
      return 'is not allowed here';
  }
};

/** Names the types that a union takes, if each of its forms refuses the type of the value. */
function formsWords(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const types = errors.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? TYPES[first.expected] : undefined,
  );
  return types.includes(undefined)
    ? 'matches none of its forms; the description of this operation lists them'
    : `takes ${types.join(', or ')}`;
}

const VALUES_MAX = 50;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a moment in ISO 8601, such as 2026-11-25T12:00:00Z',
  date: 'a day, such as 2026-11-25',
  uuid: 'a UUID',
  guid: 'a UUID',
  email: 'an e-mail address',
  url: 'an address, such as https://example.com/hook',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };
const unitOf = (origin: string): string => UNITS[origin] ?? '';
