/** Memory as the machine sees it: shared pages are divided among the processes that share them (Linux, proc(5)). */

import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MIB = 1_024;
/** The parent's id among the fields of `/proc/<pid>/stat` that follow the program's name. */
const PARENT_FIELD = 1;

/** One process and the memory that is its own share, in MiB. */
export type ProcessMemory = {
  pid: number;
  name: string;
  pssMib: number;
};

/** The share of these processes and all their descendants. A process that ends meanwhile is left out. */
export function processTreeMemory(roots: number[]): ProcessMemory[] {
  const parents = readParents();
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return roots.includes(pid) || (parent !== undefined && isOurs(parent));
  };
  return [...parents.keys()].filter(isOurs).flatMap(readMemory);
}

/** The sum in MiB. */
export function totalPssMib(processes: ProcessMemory[]): number {
  return processes.reduce((sum, { pssMib }) => sum + pssMib, 0);
}

function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/stat`) : '';
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat) parents.set(Number(name), Number(fields[PARENT_FIELD]));
  }
  return parents;
}

function readMemory(pid: number): ProcessMemory[] {
  const pssKib = /^Pss:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
  if (pssKib === undefined) return [];
  const [program = ''] = readIfThere(`/proc/${pid}/cmdline`).split('\0');
  return [
    {
      pid,
      name: program.startsWith('/') ? program.replace(/^.*\//, '') : program,
      pssMib: Number(pssKib) / KIB_PER_MIB,
    },
  ];
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
