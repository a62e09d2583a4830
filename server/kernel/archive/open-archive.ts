import { HistoryArchive } from '../../../engine/history/archived-bodies.ts';
import { Archive } from '../../../engine/platform/archive/archive.ts';
import { folderStore } from './folder-store.ts';
import type { ArchiveLocation } from './location.ts';
import { s3Store } from './s3-store.ts';

type Locations = {
  readonly archive: ArchiveLocation | null;
  readonly historyArchive: ArchiveLocation | null;
};

/** Opens the archive of the settings; null if there is none. Connects only when it is read or written. */
export const openArchive = ({ archive }: Pick<Locations, 'archive'>): Archive | null =>
  archive && archiveAt(archive);

/** Opens the archive of history and quotes likewise. Its reads wait only for each other. */
export const openHistoryArchive = ({
  historyArchive,
}: Pick<Locations, 'historyArchive'>): HistoryArchive | null =>
  historyArchive && new HistoryArchive(archiveAt(historyArchive));

const archiveAt = (location: ArchiveLocation): Archive =>
  new Archive(location.kind === 'folder' ? folderStore(location.folder) : s3Store(location));
