import { create } from 'zustand';
import { persist } from 'zustand/middleware';

const RECENT_MAX = 8;
/** The maximum number of instruments in one price request. */
export const STARRED_MAX = 40;

type SavedInstruments = {
  /** Ids of the watchlist, in the order they were starred. */
  starred: readonly string[];
  /** Ids chosen recently, the latest first. */
  recent: readonly string[];
  toggle: (tokenId: string) => void;
  used: (tokenId: string) => void;
};

/** Starred and recent instruments, stored in this browser. */
export const useSavedInstruments = create<SavedInstruments>()(
  persist(
    (set) => ({
      starred: [],
      recent: [],
      toggle: (tokenId) =>
        set(({ starred }) => ({
          starred: starred.includes(tokenId)
            ? starred.filter((each) => each !== tokenId)
            : [...starred, tokenId].slice(-STARRED_MAX),
        })),
      used: (tokenId) =>
        set(({ recent }) => ({
          recent: [tokenId, ...recent.filter((each) => each !== tokenId)].slice(0, RECENT_MAX),
        })),
    }),
    { name: 'desk-instruments', version: 1 },
  ),
);
