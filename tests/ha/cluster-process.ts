import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const STOPPED_WITHIN_MS = 60_000;
/** The last lines of a process. */
const KEPT_OUTPUT = 4_000;

export type ProcessCommand = {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | null;
};

/** A process that can be started again with the same command. */
export class ClusterProcess {
  readonly #start: ProcessCommand;
  #child: ChildProcess | null = null;
  #said = '';

  constructor(start: ProcessCommand) {
    this.#start = start;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get said(): string {
    return this.#said;
  }

  start(): void {
    const { command, env, cwd, user } = this.#start;
    const [program = '', ...first] = command;
    const child = spawn(program, first, {
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(cwd !== undefined && { cwd }),
      ...user,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-KEPT_OUTPUT);
      });
    this.#child = child;
  }

  /** Waits until it has exited; null after a signal. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child?.exitCode ?? null;
  }

  /** Ends it, and waits until it has exited. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await gone;
    clearTimeout(late);
  }
}

/** A process and all its descendants, the oldest first. */
export function processTreeOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== null) parents.set(Number(name), parent);
  }
  const family = [pid];
  for (const one of family) for (const [child, parent] of parents) if (parent === one) family.push(child);
  return family;
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has exited already.
    }
  }
}

export function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** Polls until the condition holds. */
export async function waitUntil(
  what: string,
  isSo: () => Promise<boolean>,
  { withinMs = 180_000 }: { withinMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await isSo().catch(() => false)) return;
    await sleep(200);
  }
  throw new Error(`Not so within ${withinMs / 1_000} s: ${what}`);
}
