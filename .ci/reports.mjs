// Reads the results of each test file from the JSON reports of vitest.

import { readFileSync } from 'node:fs';

export const isFailed = ({ status }) => status === 'failed';

/** The test files of a report: `{ name, status, assertionResults }` each. A run without a report is one that failed. */
export const filesOf = (report) => JSON.parse(readFileSync(report, 'utf8')).testResults;

/** The absolute names of the files that failed. */
export const failedFiles = (report) =>
  filesOf(report)
    .filter(isFailed)
    .map(({ name }) => name);
