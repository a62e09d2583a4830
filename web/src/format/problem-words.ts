import type { Issue, Problem } from '../api/problem.ts';

/** Fields as the forms of the console label them. */
const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  scopes: 'Scopes',
  expiresInSec: 'Ends after',
  expiresAt: 'Ends after',
  graceSec: 'The old key works for',
  email: 'E-mail',
  password: 'Password',
  amount: 'Amount',
  price: 'Price',
  value: 'Value',
  visual: 'Drawing',
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
  return name === undefined ? `${path} ${message}`.trim() : `${LABELS[name] ?? titleOf(name)}: ${message}`;
}
