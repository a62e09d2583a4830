import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export const PAGE_SIZES = [25, 50, 100, 200] as const;
const PAGE_SIZE = 50;

type Tables = {
  /** Hidden columns, by table. */
  hidden: Readonly<Record<string, readonly string[]>>;
  /** Rows of a page, by table. */
  pageSizes: Readonly<Record<string, number>>;
};
type Store = Tables & {
  toggle: (table: string, column: string) => void;
  setPageSize: (table: string, size: number) => void;
};

/** The user's settings of each table, stored in this browser. */
export const useTables = create<Store>()(
  persist(
    (set) => ({
      hidden: { blueprints: ['id'] },
      pageSizes: {},
      toggle: (table, column) =>
        set(({ hidden }) => {
          const now = hidden[table] ?? [];
          const next = now.includes(column) ? now.filter((each) => each !== column) : [...now, column];
          return { hidden: { ...hidden, [table]: next } };
        }),
      setPageSize: (table, size) => set(({ pageSizes }) => ({ pageSizes: { ...pageSizes, [table]: size } })),
    }),
    { name: 'desk-tables', version: 1 },
  ),
);

const NONE: readonly string[] = [];

export const useHiddenColumns = (table: string): readonly string[] =>
  useTables(({ hidden }) => hidden[table] ?? NONE);

export const usePageSize = (table: string): number =>
  useTables(({ pageSizes }) => PAGE_SIZES.find((size) => size === pageSizes[table]) ?? PAGE_SIZE);
