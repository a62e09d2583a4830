import {
  readArchivedBlueprints,
  readArchivedEquity,
  statedBlueprints,
  statedEquity,
} from '../../books/accounting/archived-equity.ts';
import type { Archive, StatedPart } from '../../platform/archive/archive.ts';
import type { BlueprintEquityRow, EquityRow } from '../../platform/archive/equity-file.ts';
import type { Work } from '../../platform/context.ts';
import { MONEY_PLACES } from '../../platform/decimal.ts';
import { DomainError } from '../../platform/errors.ts';
import { keyPages } from '../../platform/key-pages.ts';
import { type ParquetKind, type ParquetPage, parquetFile } from '../../platform/parquet.ts';
import { ACCOUNT_TABLES } from '../personal-data/tables.ts';

/** Some 500 kB of orders: larger pages would delay other requests. */
const PAGE_ROWS = 1_000;

/** No number of an account is a double. */
type RowKind = Exclude<ParquetKind, 'double'>;
type Columns = Readonly<Record<string, RowKind>>;

/** The exported tables with their columns, named as the fields of the API. */
const EXPORTS = {
  fills: {
    table: 'fill',
    columns: {
      id: 'text',
      orderId: 'text',
      kind: 'text',
      tokenId: 'text',
      venue: 'text',
      connectionId: 'text',
      venueTradeId: 'text',
      side: 'text',
      amount: 'decimal',
      price: 'decimal',
      fee: 'decimal',
      feeAsset: 'text',
      feeAmount: 'decimal',
      liquidity: 'text',
      state: 'text',
      at: 'instant',
      appliedAt: 'instant',
    },
  },
  orders: {
    table: 'trade_order',
    columns: {
      id: 'text',
      blueprintId: 'text',
      deploymentId: 'text',
      releaseNumber: 'integer',
      nodeId: 'text',
      stepAt: 'instant',
      origin: 'text',
      tokenId: 'text',
      venue: 'text',
      connectionId: 'text',
      side: 'text',
      type: 'text',
      timeInForce: 'text',
      amount: 'decimal',
      limitPrice: 'decimal',
      size: 'decimal',
      filledAmount: 'decimal',
      filledNotional: 'decimal',
      fees: 'decimal',
      status: 'text',
      reasonCode: 'text',
      reason: 'text',
      createdAt: 'instant',
      submittedAt: 'instant',
      endedAt: 'instant',
    },
  },
  cash: {
    table: 'cash_entry',
    columns: {
      id: 'text',
      kind: 'text',
      amount: 'decimal',
      fillId: 'text',
      connectionId: 'text',
      at: 'instant',
    },
  },
  equity: {
    table: 'equity_point',
    columns: {
      at: 'instant',
      equity: 'decimal',
      cash: 'decimal',
      realizedPnl: 'decimal',
      unrealizedPnl: 'decimal',
    },
  },
  'blueprint-equity': {
    table: 'blueprint_equity',
    columns: {
      blueprintId: 'text',
      at: 'instant',
      realizedPnl: 'decimal',
      unrealizedPnl: 'decimal',
      held: 'decimal',
    },
  },
} as const satisfies Record<string, { table: keyof typeof ACCOUNT_TABLES; columns: Columns }>;

export type ExportTable = keyof typeof EXPORTS;
export const EXPORT_TABLES = Object.keys(EXPORTS) as [ExportTable, ...ExportTable[]];

/**
 * Exports a table of the account in the work's mode as Parquet, in the order of its key; archived points come first, by time.
 *
 * @throws DomainError `archived_unavailable` also while the file is written: it has no footer then
 */
export function exportRows(
  work: Work,
  name: ExportTable,
  archive: Archive | null = null,
): AsyncGenerator<Uint8Array> {
  return parquetFile(EXPORTS[name].columns, allPages(work, name, archive));
}

type Archived = {
  readonly parts: () => Promise<StatedPart[]>;
  readonly page: (part: StatedPart) => Promise<ParquetPage>;
};

/** The tables whose old rows may be in the archive. */
function archivedOf(work: Work, name: ExportTable, archive: Archive | null): Archived | null {
  if (name === 'equity')
    return {
      parts: () => statedEquity(work, '-infinity'),
      page: async (part) => equityPage(await readArchivedEquity(archive, [part])),
    };
  if (name === 'blueprint-equity')
    return {
      parts: () => statedBlueprints(work),
      page: async (part) => blueprintPage(await readArchivedBlueprints(archive, [part])),
    };
  return null;
}

/** Archived points, then those of the database. */
async function* allPages(
  work: Work,
  name: ExportTable,
  archive: Archive | null,
): AsyncGenerator<ParquetPage> {
  const archived = archivedOf(work, name, archive);
  const parts = (await archived?.parts()) ?? [];
  for (const part of parts) if (archived !== null) yield await archived.page(part);
  yield* pagesOf(work, EXPORTS[name]);
  // Points that have left the database since would be missing.
  if (((await archived?.parts()) ?? []).length !== parts.length)
    throw DomainError.of('archived_unavailable', { retryAfterSec: 1 });
}

const equityPage = (rows: readonly EquityRow[]): ParquetPage => ({
  at: rows.map(({ at }) => at),
  equity: rows.map(({ equity }) => unitsOf(equity)),
  cash: rows.map(({ cash }) => unitsOf(cash)),
  ...profitsOf(rows),
});

const blueprintPage = (rows: readonly BlueprintEquityRow[]): ParquetPage => ({
  blueprintId: rows.map(({ blueprintId }) => blueprintId),
  at: rows.map(({ at }) => at),
  ...profitsOf(rows),
  held: rows.map(({ held }) => unitsOf(held)),
});

const profitsOf = (rows: readonly { realizedPnl: string; unrealizedPnl: string }[]) => ({
  realizedPnl: rows.map(({ realizedPnl }) => unitsOf(realizedPnl)),
  unrealizedPnl: rows.map(({ unrealizedPnl }) => unitsOf(unrealizedPnl)),
});

/** Returns the units of a text of `numeric(38,12)`, which has all places. */
const unitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

async function* pagesOf(
  work: Work,
  { table, columns }: { table: string; columns: Columns },
): AsyncGenerator<ParquetPage> {
  const kinds = Object.entries(columns);
  const { key } = ACCOUNT_TABLES[table] ?? {};
  if (key === undefined) throw new Error(`${table} has no key.`);
  const select = kinds.map(([name, kind]) => `${IN_SQL[kind](`t.${columnOf(name)}`)}::text as "${name}"`);
  for await (const rows of keyPages(work, { table, key, select, pageRows: PAGE_ROWS, isOfMode: true })) {
    yield Object.fromEntries(
      kinds.map(([name, kind]) => [name, rows.map((row) => parsedValue(kind, row[name] ?? null))]),
    );
  }
}

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Numbers leave the database as whole numbers of their unit, so that no double is on their way. */
const IN_SQL: Readonly<Record<RowKind, (column: string) => string>> = {
  text: (column) => column,
  integer: (column) => column,
  decimal: (column) => `trunc(${column} * 1e${MONEY_PLACES})`,
  instant: (column) => `trunc(extract(epoch from ${column}) * 1000)`,
};

const parsedValue = (kind: RowKind, text: string | null) =>
  text === null || kind === 'text' ? text : BigInt(text);
