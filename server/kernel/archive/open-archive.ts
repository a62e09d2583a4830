import { Archive } from '../../../engine/platform/archive/archive.ts';
import { folderStore } from './folder-store.ts';
import type { ArchiveLocation } from './location.ts';
import { s3Store } from './s3-store.ts';

/** Opens the archive of the settings; null if there is none. Connects only when it is read or written. */
export const openArchive = ({ archive }: { readonly archive: ArchiveLocation | null }): Archive | null =>
  archive && new Archive(archive.kind === 'folder' ? folderStore(archive.folder) : s3Store(archive));
