import { sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import { storedBlueprintPointOf, storedPointOf } from '../../books/accounting/archived-equity.ts';
import { type Archive, evidenceOf, type StatedPart, statedParts } from '../../platform/archive/archive.ts';
import { BLUEPRINT_EQUITY_FILE, EQUITY_FILE } from '../../platform/archive/equity-file.ts';
import { EVIDENCE_FILE } from '../../platform/archive/evidence-file.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { keyPages } from '../../platform/key-pages.ts';
import { ACCOUNT_TABLES, type AccountTable } from './tables.ts';

/** Some 100 kB: larger pages would delay other requests. */
const PAGE_ROWS = 100;
/** A graph may have 200 kB. */
const WIDE_PAGE_ROWS = 20;
/** Raised when a reader of older exports would misread a newer one. */
const VERSION = 1;

/**
 * Exports everything stored of an account, one JSON value a line: a header, each row with its table, and the number of rows.
 * A truncated file therefore shows by its end. Decimals are exact.
 *
 * @param person Facts about the signed-in person.
 */
export async function* exportAccount(
  work: Work,
  person: Json,
  archive: Archive | null = null,
): AsyncGenerator<string> {
  await partsOf(work, archive); // refused before the first line
  const at = await work.clock(work.db);
  yield lineOf({ export: { version: VERSION, account: work.accountId, at: at.toISOString() } });
  yield lineOf({ person });
  const { rows: own } = await sql<{ line: string }>`
    select json_build_object('table', 'account', 'row', to_jsonb(a))::text as line
    from account a where id = ${work.accountId}`.execute(work.db);
  for (const { line } of own) yield `${line}\n`;
  let count = own.length;
  for (const [name, table] of Object.entries(ACCOUNT_TABLES)) {
    for await (const rows of pagesOf(work, name, table)) {
      count += rows.length;
      yield rows.map(({ line }) => `${line}\n`).join('');
    }
  }
  // After the rows: what has left them meanwhile is here.
  for (const part of await partsOf(work, archive)) {
    const lines = archive === null ? [] : await linesOf(archive, part);
    count += lines.length;
    yield lines.join('');
  }
  yield lineOf({ end: { rows: count } });
}

async function linesOf(archive: Archive, part: StatedPart): Promise<string[]> {
  if (part.equityMode === null)
    return (await archive.rows(part, EVIDENCE_FILE)).map((row) =>
      lineOf({ table: 'archived_order', row: { id: row.orderId, ...evidenceOf(row) } }),
    );
  if (part.isOfBlueprints)
    return (await archive.rows(part, BLUEPRINT_EQUITY_FILE)).map((row) =>
      lineOf({
        table: 'archived_blueprint_equity',
        row: { mode: part.equityMode, ...storedBlueprintPointOf(row) },
      }),
    );
  return (await archive.rows(part, EQUITY_FILE)).map((row) =>
    lineOf({ table: 'archived_equity_point', row: { mode: part.equityMode, ...storedPointOf(row) } }),
  );
}

/** @throws DomainError `archived_unavailable` if there are parts without an archive */
async function partsOf({ db, accountId }: Work, archive: Archive | null): Promise<StatedPart[]> {
  const parts = await statedParts(db, accountId);
  if (parts.length > 0 && archive === null) throw DomainError.of('archived_unavailable');
  return parts;
}

const lineOf = (value: Json): string => `${JSON.stringify(value)}\n`;

function pagesOf(work: Work, table: string, { key, without = [], isWide }: AccountTable) {
  const row = without.reduce((value, column) => `${value} - '${column}'`, 'to_jsonb(t)');
  const line = `json_build_object('table', '${table}', 'row', ${row})::text as line`;
  return keyPages<'line'>(work, {
    table,
    key,
    select: [line],
    pageRows: isWide ? WIDE_PAGE_ROWS : PAGE_ROWS,
  });
}
