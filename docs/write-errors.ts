/** Writes the table of `docs/errors.md` from the code: `node docs/write-errors.ts`. A test holds the document to it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { ERROR_CODES, ERRORS } from '../engine/platform/error-table.ts';

export const ERRORS_PAGE = new URL('./errors.md', import.meta.url);

const BEGIN = '<!-- From the code: node docs/write-errors.ts -->';
const END = '<!-- End of what is from the code -->';

/** The document with its table as the code says, by status. */
export function withErrors(document: string): string {
  const [head, rest] = document.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`The document needs ${BEGIN} and ${END}.`);
  const rows = ERROR_CODES.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status).map(rowOf);
  const table = ['| Status | Code | When | What to do |', '|---|---|---|---|', ...rows].join('\n');
  return `${head}${BEGIN}\n\n${table}\n\n${END}${tail}`;
}

function rowOf(code: (typeof ERROR_CODES)[number]): string {
  const { status, when, remedy } = ERRORS[code];
  return `| ${status} | \`${code}\` | ${when} | ${remedy} |`;
}

if (import.meta.main) writeFileSync(ERRORS_PAGE, withErrors(readFileSync(ERRORS_PAGE, 'utf8')));
