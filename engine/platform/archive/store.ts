/** A folder or bucket of files that are written once. A call of a network share may hang. */
export type ArchiveStore = {
  /** Writes a whole file or none. A file that is there already has the same content, since its name has its digest. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Returns a file; null if there is none. More than `bytesMax` are not read: the file is returned cut.
   *
   * @throws Error if the store does not answer
   */
  read(name: string, bytesMax: number): Promise<Uint8Array | null>;
};
