import type { Issue, Problem } from '../api/problem.ts';
import { type Message, msg, t } from '../language/language.ts';

/** Fields as the forms of the console label them. */
const LABELS: Readonly<Record<string, Message>> = {
  name: msg('Name'),
  scopes: msg('Scopes'),
  expiresInSec: msg('Ends after'),
  expiresAt: msg('Ends after'),
  graceSec: msg('The old key works for'),
  email: msg('E-mail'),
  password: msg('Password'),
  amount: msg('Amount'),
  price: msg('Price'),
  value: msg('Value'),
  visual: msg('Graph'),
};

/** What is wrong, each fault under the label of its field; `titleOf` knows what else has a name, such as rules. */
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
