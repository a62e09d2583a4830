// Holds comments, messages, titles and pages to docs/style.md: `npm run prose`. Prints each place that breaks a rule, with the
// better word, and exits with 1 if there is one.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findBroken } from './find.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const GENERATED =
  /^(?:openapi\/|(?:client|web)\/src\/generated|web\/src\/language\/|tests\/fixtures|tools\/prose|tests\/prose\.test|CHANGELOG\.md|docs\/(?:style|glossary)\.md)|fixtures|\.gen\.ts/;

// Git lists a deleted file until the deletion is staged.
const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !GENERATED.test(file) && existsSync(path.join(ROOT, file)));
const broken = files.flatMap((file) =>
  findBroken(file, readFileSync(path.join(ROOT, file), 'utf8')).map((place) => ({ file, ...place })),
);

for (const { file, line, what, remedy } of broken)
  process.stdout.write(`${file}:${line} has ${what}; write: ${remedy}\n`);
process.stdout.write(`prose: ${broken.length} places in ${files.length} files\n`);
if (broken.length > 0) process.exit(1);
