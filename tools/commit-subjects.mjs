// Checks that subjects of commits have the conventional form and at most 72 characters. `node tools/commit-subjects.mjs --file
// <message>` checks the message that Git is about to store. Without it: every commit since the last release, or since this
// check was added.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FORM = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9-]+\))?!?: \S/;
const SUBJECT_MAX = 72;

const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The last release, or the commit that added this file. */
function lastRelease() {
  try {
    return git('describe', '--tags', '--abbrev=0');
  } catch {
    return (
      git('log', '--diff-filter=A', '--format=%H', '--', 'tools/commit-subjects.mjs').split('\n').at(-1) ||
      'HEAD'
    );
  }
}

const [flag, file] = process.argv.slice(2);
const subjects =
  flag === '--file'
    ? [readFileSync(file, 'utf8').split('\n')[0]]
    : git('log', '--no-merges', '--format=%s', `${lastRelease()}..HEAD`).split('\n').filter(Boolean);

const refused = subjects.filter((subject) => !FORM.test(subject) || subject.length > SUBJECT_MAX);
for (const subject of refused) {
  const problem = FORM.test(subject)
    ? `has ${subject.length} characters of ${SUBJECT_MAX}`
    : 'has no type such as "fix(orders): "';
  process.stderr.write(`The subject "${subject}" ${problem}. See docs/style.md.\n`);
}
if (refused.length > 0) process.exit(1);
