// Prints one line, `120 passed, 0 failed`, from the JSON reports of vitest in a folder. A test file that could not be
// loaded has no tests to fail, so it counts as one failure itself; so does a run that got as far as no report.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const reports = readdirSync(folder);
let passed = 0;
let failed = reports.length === 0 ? 1 : 0;
for (const name of reports) {
  const report = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  failed += report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed),
  ).length;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);

function isFailed({ status }) {
  return status === 'failed';
}
