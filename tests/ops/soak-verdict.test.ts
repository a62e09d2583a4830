import { describe, expect, test } from 'vitest';
import type { Sample } from '../soak/sample.ts';
import { findGrowth } from '../soak/verdict.ts';

const sampleAt = (minute: number, of: Partial<Sample> = {}): Sample => ({
  minute,
  processes: { api: { rssMib: 300, heapMib: 100, files: 60 } },
  postgresMib: 200,
  connections: 40,
  folderFiles: 10,
  databaseMib: 20,
  walMib: minute,
  tables: { 'public.quote': { rows: 10, mib: 0.1 }, 'public.fill': { rows: minute, mib: minute } },
  ...of,
});
const run = (minutes: number, of: (minute: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: minutes }, (_, index) => sampleAt(index + 1, of(index + 1)));
const grown = (samples: readonly Sample[]): string[] =>
  findGrowth(samples)
    .filter(({ grew }) => grew)
    .map(({ what }) => what);

describe('the verdict of a soak', () => {
  test('passes a run in which only the ledger grows', () => {
    expect(grown(run(60, () => ({})))).toEqual([]);
  });

  test('names a process whose memory grows, and a table that is never purged', () => {
    const samples = run(60, (minute) => ({
      processes: { api: { rssMib: 300 + minute * 3, heapMib: 100, files: 60 + minute } },
      tables: { 'public.quote': { rows: minute, mib: minute }, 'public.fill': { rows: minute, mib: minute } },
    }));
    expect(grown(samples)).toEqual(['api: RSS, MiB', 'api: open files', 'public.quote, MiB']);
  });

  test('counts minutes: missing samples do not shift the result', () => {
    const settling = run(120, (minute) => ({ connections: minute <= 30 ? minute * 10 : 310 }));
    expect(grown(settling)).toEqual([]);
    expect(grown(settling.filter(({ minute }) => minute <= 60 || minute > 110))).toEqual([]);
  });

  test('names data retained for an hour that grow after it, however few samples there are', () => {
    const filling = (until: number) => (minute: number) => ({
      tables: { 'public.account_event': { rows: minute, mib: Math.min(minute, until) } },
    });
    const everyThird = (until: number) => run(150, filling(until)).filter(({ minute }) => minute % 3 === 0);
    expect(grown(everyThird(60))).toEqual([]);
    expect(grown(everyThird(150))).toEqual(['public.account_event, MiB']);
  });

  test('gives no verdict on a few minutes', () => {
    expect(grown(run(5, (minute) => ({ connections: minute * 100 })))).toEqual([]);
  });
});
