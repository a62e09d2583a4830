// Prints one line, `120 passed, 0 failed`, from the JSON reports of vitest in a folder.
// A test file that cannot be loaded has no tests to fail, so it counts as one failure. So does a run without a report. Files
// that failed and ran a second time (`<run>.again.json`) count as they ended; the lines before name them.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { failedFiles, filesOf, isFailed } from './reports.mjs';

const [folder = '.'] = process.argv.slice(2);
const first = readdirSync(folder).filter((name) => !name.endsWith('.again.json'));
let passed = 0;
let failed = first.length === 0 ? 1 : 0;
for (const name of first) {
  const report = path.join(folder, name);
  const again = report.replace(/json$/, 'again.json');
  const last = existsSync(again) ? filesOf(again) : [];
  const files = [
    ...filesOf(report).filter((file) => !last.some((later) => later.name === file.name)),
    ...last,
  ];
  for (const file of files) {
    passed += file.assertionResults.filter(({ status }) => status === 'passed').length;
    failed += file.assertionResults.some(isFailed)
      ? file.assertionResults.filter(isFailed).length
      : Number(isFailed(file));
  }
  for (const unsteady of failedFiles(report).filter((file) =>
    last.some((later) => later.name === file && !isFailed(later)),
  )) {
    process.stdout.write(`unsteady, passed when it was run once more: ${path.relative('.', unsteady)}\n`);
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
