import type { DomainError, FieldIssue } from '../engine/platform/errors.ts';
import { ISSUES_MAX, invalidRequest, pointer } from '../routers/errors.ts';
import type { RestRoute } from './routes.ts';

const INTEGER = /^(0|[1-9]\d{0,8})$/;
const QUERY_LENGTH_MAX = 4_000;

export type Query = { values: Record<string, string | number>; problem: DomainError | null };

/**
 * Reads a query string exactly: every parameter once and with a value, percent-encoding that decodes, integers
 * as people write them (`5`, not `05`, ` 5`, `5.0` or `0x5`). What is not an integer stays text for the schema to
 * refuse.
 */
export function readQuery(search: string, route: RestRoute): Query {
  const issues: FieldIssue[] = [];
  const values: Record<string, string | number> = {};
  if (search.length > QUERY_LENGTH_MAX) {
    return {
      values,
      problem: invalidRequest([{ path: '', code: 'too_big', message: 'the query string is too long' }]),
    };
  }
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    if (issues.length === ISSUES_MAX) break;
    const { name, value, issue } = readPair(pair);
    if (issue) issues.push(issue);
    else if (Object.hasOwn(values, name)) issues.push(issueAt(name, 'duplicate', 'is given more than once'));
    else if (route.pathParameters.includes(name) || name === '__proto__') {
      issues.push(issueAt(name, 'unrecognized_keys', 'is not a query parameter of this route'));
    } else
      values[name] = route.integers.has(name) && INTEGER.test(value) && value !== '0' ? Number(value) : value;
  }
  return { values, problem: issues.length > 0 ? invalidRequest(issues) : null };
}

function readPair(pair: string): { name: string; value: string; issue?: FieldIssue } {
  const [rawName = '', ...rest] = pair.split('=');
  try {
    const name = decode(rawName);
    const value = decode(rest.join('='));
    if (value === '') return { name, value, issue: issueAt(name, 'empty', 'has no value') };
    return { name, value };
  } catch {
    return { name: '', value: '', issue: issueAt(rawName, 'malformed', 'is not valid percent-encoding') };
  }
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const issueAt = (name: string, code: string, message: string): FieldIssue => ({
  path: pointer([name]),
  code,
  message,
});
