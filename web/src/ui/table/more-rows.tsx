import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  pages: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  label: string;
  children?: ReactNode;
};

/** Loads the next page of a list, while there is one. */
export const MoreRows = ({ pages, label, children }: Props) =>
  pages.hasNextPage ? (
    <div className="empty">
      <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {label}
      </Button>
      {children}
    </div>
  ) : null;
