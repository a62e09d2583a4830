// Checks that every regular expression of the shipped code takes linear time: `npm run expressions`. recheck decides this from
// the expression alone, in JavaScript, without sample texts or a network.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import jsTokens from 'js-tokens';

const FOLDERS = ['client', 'db', 'engine', 'openapi', 'routers', 'server', 'simulator', 'venues', 'web/src'];
const TIMEOUT_MS = 20_000;

/** Expressions that recheck cannot clear, each with the reason why a caller's text does not make it slow. */
const READ_BY_HAND = new Map([
  [String.raw`/0+$/`, 'runs over the twelve places of an amount'],
  [String.raw`/"(?:[^"\\]|\\.)*"/g`, 'runs over types of our own, when the client is written'],
  [String.raw`/^(?=.*[A-Z])[A-Z0-9]{5,20}$/`, 'anchored: looks ahead once, then at twenty characters'],
  [
    String.raw`/(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu`,
    'looks at one character on each side',
  ],
]);

process.env.RECHECK_BACKEND = 'pure';
const { check } = await import('recheck');

/** Returns each expression with the files that contain it. */
function expressionsIn(files) {
  const found = new Map();
  for (const file of files)
    for (const { type, value } of jsTokens(readFileSync(file, 'utf8'), { jsx: file.endsWith('x') }))
      if (type === 'RegularExpressionLiteral') found.set(value, [...(found.get(value) ?? []), file]);
  return found;
}

async function problemOf(expression) {
  const end = expression.lastIndexOf('/');
  const options = { checker: 'automaton', timeout: TIMEOUT_MS };
  const { status, complexity, error } = await check(
    expression.slice(1, end),
    expression.slice(end + 1),
    options,
  );
  return status === 'safe' ? null : (complexity?.summary ?? error?.kind ?? status);
}

const listed = execFileSync('git', ['ls-files', ...FOLDERS], { encoding: 'utf8' })
  .trim()
  .split('\n');
const expressions = expressionsIn(listed.filter((file) => /\.(ts|tsx|mjs)$/.test(file)));
let problems = 0;
for (const [expression, files] of expressions) {
  if (READ_BY_HAND.has(expression)) continue;
  const problem = await problemOf(expression);
  if (problem === null) continue;
  problems += 1;
  console.error(`${files[0]}: ${expression} is ${problem}. Bound its repetitions, or write a loop.`);
}
process.stdout.write(`expressions: ${problems} of ${expressions.size} may take more than linear time\n`);
if (problems > 0) process.exitCode = 1;
