/** Figures of a process while a venue was in trouble, as rows to read. */
import { VENUE_IDS } from '../../db/vocabulary.ts';
import type { Fault } from '../../simulator/index.ts';
import type { Report } from './market-child.ts';

export type Figures = Record<string, string | number>;

/** One window of trouble: calls and upstream requests a second, and per venue their outcomes and longest call. */
export function figuresOf(host: string, fault: Fault, seen: readonly Report[], askedPerSec: number): Figures {
  const { kind, ...details } = fault;
  const row: Figures = {
    host,
    fault: `${kind} ${JSON.stringify(details).slice(0, 40)}`,
    'calls/s': Math.round(sum(seen.map(({ calls }) => calls)) / seen.length),
    'upstream/s': Number(askedPerSec.toFixed(1)),
  };
  for (const venue of VENUE_IDS) {
    const counts = seen.map(({ venues }) => venues[venue]);
    row[`${venue} fine`] = sum(counts.map(({ fine }) => fine));
    row[`${venue} stale`] = sum(counts.map(({ stale }) => stale));
    row[`${venue} 503`] = sum(counts.map(({ unavailable }) => unavailable));
    row[`${venue} longest ms`] = Math.round(Math.max(...counts.map(({ longestMs }) => longestMs)));
  }
  return row;
}

/** Prints the rows, and the memory of each minute (median, MB): of the process and of its heap. */
export function printFigures(rows: readonly Figures[], reports: readonly Report[]): void {
  console.table(rows);
  const minutes = Array.from({ length: Math.floor(reports.length / 60) }, (_, minute) =>
    reports.slice(minute * 60, minute * 60 + 60),
  );
  console.log(`RSS, MB per minute: ${minutes.map((ones) => tenths(ones.map((one) => one.rssMb)))}`);
  console.log(`Heap, MB per minute: ${minutes.map((ones) => tenths(ones.map((one) => one.heapMb)))}`);
}

/** The median: garbage comes and goes. */
export function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

const tenths = (samples: readonly number[]): string => median(samples).toFixed(1);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One figure of a run. */
export function printFigure(what: string, figure: string | number): void {
  console.log(`${what}: ${figure}`);
}
