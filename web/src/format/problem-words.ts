import type { Issue, Problem } from '../api/problem.ts';
import { type Message, msg, t } from '../language/language.ts';

/** Fields by their labels in the console's forms. */
const LABELS: Readonly<Record<string, Message>> = {
  name: msg('Name'),
  scopes: msg('Scopes'),
  expiresInSec: msg('Expires after'),
  expiresAt: msg('Expires after'),
  graceSec: msg('The old key works for'),
  email: msg('E-mail'),
  password: msg('Password'),
  amount: msg('Amount'),
  price: msg('Price'),
  value: msg('Value'),
  visual: msg('Graph'),
};

/** The faults of a request, each under the label of its field; `titleOf` titles other things, such as rules. */
export function problemWords(
  { code, message, issues }: Pick<Problem, 'code' | 'message' | 'issues'>,
  titleOf: (name: string) => string,
): string[] {
  if (code !== 'validation_failed' || issues.length === 0) return [message];
  return issues.map((issue) => issueWords(issue, titleOf));
}

function issueWords({ path, message }: Issue, titleOf: (name: string) => string): string {
  const name = path.split('/').find((word) => Object.hasOwn(LABELS, word) || titleOf(word) !== word);
  if (name === undefined) return `${path} ${message}`.trim();
  const label = LABELS[name];
  return `${label ? t(label) : titleOf(name)}: ${message}`;
}
