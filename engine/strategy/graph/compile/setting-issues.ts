/** Describes issues in the settings of a node, in sentences for traders. */

import type { z } from 'zod';
import { isObject, quoted } from '../json.ts';
import { ISSUES_MAX } from './issues.ts';

/** One issue of one setting; `path` leads to it from the config. */
export type SettingIssue = {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
};

type Problem = z.core.$ZodIssue;

export function settingIssues(problem: Problem, config: unknown, known: readonly string[]): SettingIssue[] {
  const path = problem.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (problem.code === 'unrecognized_keys')
    return problem.keys.slice(0, ISSUES_MAX + 1).map((key) => ({
      path: [...path, key],
      code: 'unknown_setting',
      message: unknownSetting(key, known),
    }));
  const value = valueAt(config, path);
  if (value === undefined && problem.code !== 'custom')
    return [{ path, code: 'missing_setting', message: `${nameOf(path)} is missing.${choices(problem)}` }];
  return [{ path, code: 'bad_setting', message: sentence(problem, nameOf(path), value) }];
}

function sentence(problem: Problem, name: string, value: unknown): string {
  const is = `; it is ${quoted(value)}.`;
  switch (problem.code) {
    case 'invalid_type':
      return `${name} must be ${TYPES[problem.expected] ?? problem.expected}${is}`;
    case 'too_small':
      return `${name} must ${bound(problem.origin, problem.inclusive ? 'at least' : 'above', problem.minimum)}${is}`;
    case 'too_big':
      return `${name} must ${bound(problem.origin, problem.inclusive ? 'at most' : 'below', problem.maximum)}${is}`;
    case 'invalid_value':
    case 'invalid_union':
      return `${name} cannot be ${quoted(value)}.${choices(problem)}`;
    default:
      // Patterns and rules across settings define their own sentence.
      return problem.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with the settings of this node',
};

function bound(origin: string, words: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${words} ${limit} characters`;
  return origin === 'array' ? `have ${words} ${limit} entries` : `be ${words} ${limit}`;
}

function choices(problem: Problem): string {
  const options =
    problem.code === 'invalid_value'
      ? problem.values
      : problem.code === 'invalid_union'
        ? optionsOf(problem)
        : [];
  return options.length === 0 ? '' : ` Choose ${listed(options.map(String))}.`;
}

/** Returns the values that distinguish the variants of a node's settings. */
function optionsOf(problem: Problem): readonly unknown[] {
  return 'options' in problem && Array.isArray(problem.options) ? problem.options : [];
}

function unknownSetting(key: string, known: readonly string[]): string {
  return `This node has no setting ${quoted(key)}. It has ${listed(known, 'and')}.`;
}

function nameOf(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'The config of this node' : `“${path.join('.')}”`;
}

function listed(words: readonly string[], joint = 'or'): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

function valueAt(config: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)];
    return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, config);
}
