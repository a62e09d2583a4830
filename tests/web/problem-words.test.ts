import { expect, test } from 'vitest';
import { problemWords } from '../../web/src/format/problem-words.ts';

const titleOf = (name: string) => (name === 'maxOrderSize' ? 'Largest order' : name);
const refused = (...issues: { path: string; message: string }[]) =>
  problemWords(
    {
      code: 'validation_failed',
      message: `Request validation failed at ${issues[0]?.path}: ${issues[0]?.message}`,
      issues: issues.map((issue) => ({ ...issue, code: 'invalid' })),
    },
    titleOf,
  );

test('a field’s fault is under the label of the field', () => {
  expect(refused({ path: '/name', message: 'has 121 characters of at most 120' })).toEqual([
    'Name: has 121 characters of at most 120',
  ]);
  expect(
    refused({ path: '/maxOrderSize', message: 'is below 0' }, { path: '/scopes/2', message: 'is unknown' }),
  ).toEqual(['Largest order: is below 0', 'Scopes: is unknown']);
  expect(refused({ path: '/other', message: 'is unknown' })).toEqual(['/other is unknown']);
});

test('every other problem has the server’s own words', () => {
  const problem = { code: 'invalid_state', message: 'It runs.', issues: [] };
  expect(problemWords(problem, titleOf)).toEqual(['It runs.']);
});
