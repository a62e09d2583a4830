import type { ArchiveStore } from '../../engine/platform/archive/store.ts';

/** An archive that does not answer. */
export const AWAY: ArchiveStore = {
  write: () => Promise.reject(new Error('away')),
  read: () => Promise.reject(new Error('away')),
};

/** An archive in memory, whose files a test can alter, and which can fail. */
export class MemoryStore implements ArchiveStore {
  readonly files = new Map<string, Uint8Array>();
  /** Called before each call; may throw. */
  before: (call: 'write' | 'read', name: string) => void = () => {};

  async write(name: string, bytes: Uint8Array): Promise<void> {
    this.before('write', name);
    this.files.set(name, bytes.slice());
  }

  async read(name: string, bytesMax: number): Promise<Uint8Array | null> {
    this.before('read', name);
    return this.files.get(name)?.slice(0, bytesMax) ?? null;
  }
}
