import { RowSkeleton } from './panel.tsx';
import { ProblemNotice } from './problem.tsx';

type Props = {
  query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
  rows: number;
  height: number;
};

/** Stands in for rows until a query has data: a placeholder of their size, or the error with a retry. */
export function PendingRows({ query: { data, error, refetch }, rows, height }: Props) {
  if (data) return null;
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  return <RowSkeleton rows={rows} height={height} />;
}
