import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Download, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { readProblem } from '../../api/problem.ts';
import { t } from '../../language/language.ts';

type ExportProps<Row> = {
  label: string;
  /** A number of rows in words. */
  rowsWords: (count: number) => string;
  disabled?: boolean;
  /** The page after this row, or the first one; an empty one is the end. */
  page: (last: Row | undefined) => Promise<readonly Row[]>;
  save: (rows: readonly Row[]) => void;
};

/** Fetches all rows of the filter, page by page, and shows its progress; a second press cancels it. */
export function ExportButton<Row>({ label, rowsWords, disabled, page, save }: ExportProps<Row>) {
  const [count, setCount] = useState<number | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const begin = async () => {
    const run = new AbortController();
    control.current = run;
    const { signal } = run;
    setCount(0);
    try {
      const rows = await allPages(page, signal, setCount);
      if (signal.aborted) return;
      save(rows);
      notifications.show({ message: t('Saved {rows}.', { rows: rowsWords(rows.length) }) });
    } catch (error) {
      notifications.show({ color: 'red', message: readProblem(error).message });
    } finally {
      setCount(null);
    }
  };
  if (count !== null) {
    return (
      <Button
        variant="default"
        leftSection={<X size={14} aria-hidden />}
        onClick={() => control.current?.abort()}
      >
        {t('Cancel at {count}', { count: rowsWords(count) })}
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<Download size={14} aria-hidden />}
      disabled={disabled ?? false}
      onClick={() => void begin()}
    >
      {label}
    </Button>
  );
}

async function allPages<Row>(
  page: ExportProps<Row>['page'],
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (!signal.aborted) {
    const next = await inTime(() => page(rows.at(-1)), signal);
    if (next.length === 0) break;
    rows.push(...next);
    onCount(rows.length);
  }
  return rows;
}

/** Repeats a rate-limited request when the service allows it. */
async function inTime<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { status, retryAfterSec } = readProblem(error);
      if (status !== 429 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, (retryAfterSec ?? 1) * 1_000));
    }
  }
}
