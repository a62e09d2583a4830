import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Json } from '../../../db/json.ts';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { DomainError } from '../errors.ts';
import type { ParquetValue } from '../parquet.ts';
import { EVIDENCE_FILE, type EvidenceRow } from './evidence-file.ts';
import { type RowFormat, readRawRows } from './row-file.ts';
import type { ArchiveStore } from './store.ts';

/** A file of the archive, as the database states it. */
export type StatedPart = {
  readonly number: number;
  /** The books whose points of equity it has; null: it has evidence of orders. */
  readonly equityMode: Mode | null;
  /** Whether its points are those of blueprints. */
  readonly isOfBlueprints: boolean;
  readonly orders: number;
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly fileName: string;
};
export type Evidence = {
  readonly receipt: Json;
  readonly inputs: Json;
  readonly decided_quote: Json;
  readonly approval_receipt: Json | null;
};
type RawRows = Awaited<ReturnType<typeof readRawRows>>;

/** Characters of files in memory: four files of the largest kind. */
const CACHE_MAX = 32 * 1_048_576;
const WAITING_MAX = 50;

/**
 * A share that hangs holds a thread for each read. The process has four of them, with which it looks up names and reads files: all
 * archives together must leave one.
 */
export type ReadLimits = {
  readonly readsMax: number;
  /** Duration of a read, with the time that it waits for others. */
  readonly withinMs: number;
};
const EVIDENCE_LIMITS: ReadLimits = { readsMax: 2, withinMs: 15_000 };

/** A file beside the others. Where it is missing, the whole archive is: a disk that is not mounted is no lost file. */
export const ARCHIVE_MARK = 'trading-archive';

/** A file is missing, or is not the one that was sealed. */
export class ArchiveDamaged extends DomainError {
  readonly damage: string;

  constructor(damage: string) {
    super(
      'archived_unavailable',
      `The archived file ${damage}. Report this to the operator, who restores it.`,
    );
    this.damage = damage;
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Reads sealed files. Nothing is returned but what has the digest that the database states. */
export class Archive {
  readonly store: ArchiveStore;
  readonly #parts = new LRUCache<string, RawRows>({ maxSize: CACHE_MAX });
  readonly #reads: PQueue;
  readonly #withinMs: number;

  constructor(store: ArchiveStore, { readsMax, withinMs } = EVIDENCE_LIMITS) {
    this.store = store;
    this.#reads = new PQueue({ concurrency: readsMax });
    this.#withinMs = withinMs;
  }

  /**
   * Returns the rows of a file.
   *
   * @throws ArchiveDamaged
   * @throws DomainError `archived_unavailable` if the store does not answer
   */
  async rows<Row extends Readonly<Record<string, ParquetValue>>>(
    stated: StatedPart,
    format: RowFormat<Row>,
  ): Promise<Row[]> {
    const known = this.#parts.get(stated.digest);
    if (known !== undefined) return known.map(format.read);
    const rows = await readRawRows(await this.file(stated));
    this.#parts.set(stated.digest, rows, { size: rows.reduce((sum, row) => sum + lengthOf(row), 1) });
    return rows.map(format.read);
  }

  /**
   * Returns a file of at most this many bytes.
   *
   * @throws ArchiveDamaged
   * @throws DomainError `archived_unavailable` if the store does not answer
   */
  async file(stated: Pick<StatedPart, 'fileName' | 'bytes' | 'digest'>): Promise<Uint8Array> {
    const bytes = await this.#bytesOf(stated);
    if (bytes === null) throw new ArchiveDamaged(`${stated.fileName} is missing`);
    if (sha256(bytes) !== stated.digest)
      throw new ArchiveDamaged(`${stated.fileName} is not the file that was sealed`);
    return bytes;
  }

  /** A share of the network may hang for ever: it keeps its place then, and all others end late or refused. */
  async #read(name: string, bytesMax: number): Promise<Uint8Array | null> {
    if (this.#reads.size >= WAITING_MAX) throw new Error(`${WAITING_MAX} reads wait already.`);
    const late = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.reject(new Error(`No answer within ${this.#withinMs / 1_000} s.`));
    }, this.#withinMs);
    try {
      const read = this.#reads.add(async () => (isLate ? null : this.store.read(name, bytesMax)));
      return await Promise.race([read, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #bytesOf({ fileName, bytes }: Pick<StatedPart, 'fileName' | 'bytes'>): Promise<Uint8Array | null> {
    try {
      const found = await this.#read(fileName, bytes + 1);
      if (found === null && (await this.#read(ARCHIVE_MARK, 1)) === null)
        throw new Error(
          `There is no ${ARCHIVE_MARK} there: it is another folder, or one that is not mounted.`,
        );
      return found;
    } catch (error) {
      const cause = new Error(`${fileName} could not be read: ${error}`, { cause: error });
      throw DomainError.of('archived_unavailable', { retryAfterSec: 10, cause });
    }
  }
}

type Archivable = { readonly id: string; readonly archived_part: number | null };

/**
 * Returns the rows of an account's orders with their evidence, from the archive where it is there.
 *
 * @param onDamage called for each damaged file, whose orders stay without evidence; unless given it is thrown
 * @throws DomainError `archived_unavailable`, also without an archive
 * @throws ArchiveDamaged
 */
export async function withEvidence<Row extends Archivable>(
  db: Db,
  archive: Archive | null,
  accountId: string,
  rows: readonly Row[],
  onDamage?: (damage: ArchiveDamaged) => void,
): Promise<(Row & Partial<Evidence>)[]> {
  const numbers = [...new Set(rows.flatMap(({ archived_part }) => archived_part ?? []))];
  if (numbers.length === 0) return [...rows];
  if (archive === null) throw DomainError.of('archived_unavailable');
  const found = new Map<string, EvidenceRow>();
  const wanted = new Set(rows.map(({ id }) => id));
  for (const stated of await statedParts(db, accountId, numbers)) {
    try {
      for (const row of await archive.rows(stated, EVIDENCE_FILE))
        if (wanted.has(row.orderId)) found.set(row.orderId, row);
    } catch (error) {
      if (!(error instanceof ArchiveDamaged) || onDamage === undefined) throw error;
      onDamage(error);
    }
  }
  return rows.map((row) => {
    const evidence = row.archived_part === null ? undefined : found.get(row.id);
    return evidence === undefined ? row : { ...row, ...evidenceOf(evidence) };
  });
}

/** Columns of a `StatedPart`. */
export const STATED = sql`number, equity_mode as "equityMode", blueprint_ids is not null as "isOfBlueprints", cardinality(order_ids) as orders, bytes, digest,
  file_name as "fileName"`;

/** Returns these parts of an account, or all of them, by number. */
export async function statedParts(
  db: Db,
  accountId: string,
  numbers: readonly number[] | null = null,
): Promise<StatedPart[]> {
  const { rows } = await sql<StatedPart>`
    select ${STATED} from archived_part
    where account_id = ${accountId} and (${numbers}::int[] is null or number = any(${numbers}::int[]))
    order by number`.execute(db);
  return rows;
}

/** Evidence as the columns of its order. */
export const evidenceOf = (row: EvidenceRow): Evidence => ({
  receipt: JSON.parse(row.receipt),
  inputs: parsed(row.inputs),
  decided_quote: parsed(row.decidedQuote),
  approval_receipt: parsed(row.approvalReceipt),
});

const lengthOf = (row: RawRows[number]): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);

const parsed = (text: string | null): Json => (text === null ? null : JSON.parse(text));
