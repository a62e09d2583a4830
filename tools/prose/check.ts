// Holds comments, messages, titles and pages to docs/style.md: `npm run prose`. Prints each new place that breaks a rule, with
// the better word, and exits with 1. Places that broke one before the rules came stand in known.txt; they are rewritten over
// time, and `npm run prose -- --write` takes those that are gone off that list. It adds none.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findBroken } from './find.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const KNOWN = path.join(import.meta.dirname, 'known.txt');
const GENERATED =
  /^(?:openapi\/|client\/src\/generated|web\/src\/language\/|tests\/fixtures|tools\/prose|tests\/prose\.test|CHANGELOG\.md|docs\/(?:style|glossary)\.md)|fixtures|\.gen\.ts/;

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !GENERATED.test(file));
const known = new Set(readFileSync(KNOWN, 'utf8').split('\n').filter(Boolean));
const broken = files.flatMap((file) => findBroken(file, readText(file)).map((place) => ({ file, ...place })));
const fresh = broken.filter(({ id }) => !known.has(id));

for (const { file, line, what, remedy } of fresh)
  process.stdout.write(`${file}:${line} has ${what}; write: ${remedy}\n`);

const left = new Set(broken.map(({ id }) => id));
if (process.argv.includes('--write'))
  writeFileSync(
    KNOWN,
    `${[...known]
      .filter((id) => left.has(id))
      .sort()
      .join('\n')}\n`,
  );
process.stdout.write(
  `prose: ${fresh.length} new places in ${files.length} files; ${broken.length - fresh.length} older ones remain\n`,
);
if (fresh.length > 0) process.exit(1);

/** A file that Git knows and the disk does not was deleted a moment ago. */
function readText(file: string): string {
  try {
    return readFileSync(path.join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}
