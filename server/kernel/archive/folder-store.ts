import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ArchiveStore } from '../../../engine/platform/archive/store.ts';

/** Stores files below a folder, as on a disk of its own or a network share. */
export const folderStore = (folder: string): ArchiveStore => ({
  async write(name, bytes) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const incomplete = `${file}.${process.pid}.new`;
    try {
      await writeThrough(incomplete, bytes);
      await rename(incomplete, file);
    } catch (error) {
      await rm(incomplete, { force: true });
      throw error;
    }
    await syncFolder(path.dirname(file));
  },

  async read(name, bytesMax) {
    try {
      return await buffer(createReadStream(path.join(folder, name), { end: bytesMax - 1 }));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  },
});

async function writeThrough(name: string, bytes: Uint8Array): Promise<void> {
  const file = await open(name, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name last through a power cut. Windows cannot open folders, and writes names at once. */
async function syncFolder(name: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(name, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
