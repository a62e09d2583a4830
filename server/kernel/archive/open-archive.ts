import { HistoryArchive } from '../../../engine/history/archived-bodies.ts';
import { Archive } from '../../../engine/platform/archive/archive.ts';
import type { ArchiveStore } from '../../../engine/platform/archive/store.ts';
import { folderStore } from './folder-store.ts';
import type { ArchiveLocation } from './location.ts';
import { s3Store } from './s3-store.ts';

type Locations = {
  readonly archive: ArchiveLocation | null;
  readonly historyArchive: ArchiveLocation | null;
};

/** Opens the archive of the settings; null if there is none. Connects only when it is read or written. */
export const openArchive = ({ archive }: Pick<Locations, 'archive'>): Archive | null =>
  archive && new Archive(storeAt(archive));

/** Opens the archive of history and quotes likewise. Its reads wait only for each other. */
export const openHistoryArchive = ({
  historyArchive,
}: Pick<Locations, 'historyArchive'>): HistoryArchive | null =>
  historyArchive && new HistoryArchive(storeAt(historyArchive));

const storeAt = (location: ArchiveLocation): ArchiveStore =>
  location.kind === 'folder' ? folderStore(location.folder) : s3Store(location);

export type Archives = {
  /** Has the evidence of old orders, and old points of equity; null: they are in the database. */
  readonly archive: Archive | null;
  /** Has the bodies of old history and quotes; null: they are in the database. */
  readonly historyArchive: HistoryArchive | null;
};

export const openArchives = (locations: Locations): Archives => ({
  archive: openArchive(locations),
  historyArchive: openHistoryArchive(locations),
});
