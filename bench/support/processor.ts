/** Processor time of processes (Linux, proc(5)). */

import { readdirSync, readFileSync } from 'node:fs';

/** Fields after the program's name in `/proc/<pid>/stat`, and the kernel's clock ticks per second for them. */
const PARENT_FIELD = 1;
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;
const CHILDREN_USER_FIELD = 13;
const CHILDREN_SYSTEM_FIELD = 14;
const TICKS_PER_SEC = 100;

/** Returns the processor time that a process has used so far, in seconds; 0 once it has exited. */
export const processorSecondsOf = (pid: number): number => {
  const fields = statOf(pid);
  return (Number(fields[USER_FIELD] ?? 0) + Number(fields[SYSTEM_FIELD] ?? 0)) / TICKS_PER_SEC;
};

/** The same for a process and all its children, including those that have exited. */
export function processorSecondsOfFamily(parent: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)[PARENT_FIELD]) === parent);
  const living = [parent, ...children].reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
  const fields = statOf(parent);
  const ended = Number(fields[CHILDREN_USER_FIELD] ?? 0) + Number(fields[CHILDREN_SYSTEM_FIELD] ?? 0);
  return living + ended / TICKS_PER_SEC;
}

function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
