/** The bodies of history and quotes: in their row, or in a file of the archive. Every reader gets them here. */
import { LRUCache } from 'lru-cache';
import { Archive, ArchiveDamaged, type ReadLimits, sha256 } from '../platform/archive/archive.ts';
import type { ArchiveStore } from '../platform/archive/store.ts';
import { DomainError } from '../platform/errors.ts';

/** Bounds of a file, which has bodies one after the other: a single one may be larger, up to a day of seconds. */
export const FILE_BODIES_MAX = 1_000;
export const FILE_BYTES_MAX = 8 * 1_048_576;
const READ_BYTES_MAX = 2 * FILE_BYTES_MAX;
/** Four files of that size. */
const CACHE_BYTES_MAX = 4 * FILE_BYTES_MAX;
/** Many runs may begin at once, and wait for each other. Evidence has two threads: one more leaves one. */
const LIMITS: ReadLimits = { readsMax: 1, withinMs: 30_000 };

/** Folder of a table's files. A cell has its own tables, and may share the files: names depend on content alone. */
export type BodyFolder = 'history' | 'quotes';

/** Columns of a body: itself, or the file that has it, where it begins there, and its SHA-256 in hexadecimal. */
export const STORED_BODY = [
  'body',
  'size_bytes',
  'archived_digest',
  'archived_offset',
  'body_digest',
] as const;
export type StoredBody = {
  readonly body: Uint8Array | null;
  readonly size_bytes: number;
  readonly archived_digest: string | null;
  readonly archived_offset: number | null;
  readonly body_digest: string | null;
};

export const fileNameOf = (folder: BodyFolder, digest: string): string =>
  `${folder}/${digest.slice(0, 2)}/${digest}`;

/** The archive of `HISTORY_URL`, with the files that were read last. */
export class HistoryArchive {
  readonly store: ArchiveStore;
  readonly #archive: Archive;
  readonly #files = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ length }) => length + 1,
  });
  /** Readers of a file at the same time wait for one read. */
  readonly #reads = new Map<string, Promise<Uint8Array>>();

  constructor(store: ArchiveStore) {
    this.store = store;
    this.#archive = new Archive(store, LIMITS);
  }

  /** @throws DomainError `archived_unavailable`, ArchiveDamaged */
  async file(folder: BodyFolder, digest: string): Promise<Uint8Array> {
    const known = this.#files.get(digest) ?? this.#reads.get(digest);
    if (known !== undefined) return known;
    const read = this.#read(fileNameOf(folder, digest), digest);
    this.#reads.set(digest, read);
    return read.finally(() => this.#reads.delete(digest));
  }

  async #read(fileName: string, digest: string): Promise<Uint8Array> {
    const bytes = await this.#archive.file({ fileName, bytes: READ_BYTES_MAX, digest });
    this.#files.set(digest, bytes);
    return bytes;
  }
}

/**
 * Returns a body as it was stored.
 *
 * @throws DomainError `archived_unavailable` if it is in the archive, and the archive does not answer or is null
 * @throws ArchiveDamaged if its file is lost or altered
 */
export async function readBody(
  archive: HistoryArchive | null,
  folder: BodyFolder,
  { body, size_bytes, archived_digest, archived_offset, body_digest }: StoredBody,
): Promise<Uint8Array> {
  if (body !== null) return body;
  if (archive === null || archived_digest === null) throw DomainError.of('archived_unavailable');
  const file = await archive.file(folder, archived_digest);
  const offset = archived_offset ?? 0;
  const found = file.subarray(offset, offset + size_bytes);
  if (sha256(found) !== body_digest)
    throw new ArchiveDamaged(
      `${fileNameOf(folder, archived_digest)} has another body at ${offset} than was sealed`,
    );
  return found;
}
