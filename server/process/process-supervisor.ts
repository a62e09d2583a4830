import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerLog } from '../kernel/rounds/options.ts';

/** The work of one of several processes. Those that serve requests share one port. */
export type ProcessWork = {
  readonly name: string;
  readonly role: 'api' | 'runner';
  /** Its own port, so that each is scraped separately; null for none. */
  readonly metricsPort: number | null;
};

/** A started process. */
export type Child = {
  readonly pid: number | undefined;
  /** Resolves once it serves; never if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number>;
  stop(): void;
};

export type ProcessSupervisorOptions = {
  readonly parts: readonly ProcessWork[];
  readonly start: (part: ProcessWork) => Child;
  readonly log: RunnerLog;
  /** The pause before a process that ended unexpectedly is restarted. It doubles until the process serves. */
  readonly restMs?: { readonly min: number; readonly max: number };
};

const REST_MS = { min: 1_000, max: 30_000 };

/**
 * Keeps the processes of one machine running: one that ends is restarted. On request all are replaced one after another, each
 * once its successor serves. A process that cannot start at first ends all.
 */
export class ProcessSupervisor {
  readonly #options: ProcessSupervisorOptions;
  readonly #running = new Map<ProcessWork, Child>();
  /** All live processes, including those about to replace another. */
  readonly #children = new Set<Child>();
  readonly #stopping = new AbortController();
  /** Whether every part has served. */
  #hasStarted = false;
  #replacing: Promise<void> | null = null;

  constructor(options: ProcessSupervisorOptions) {
    this.#options = options;
  }

  /** Starts all. Resolves with 0 once all serve, else with the exit code of the failed one; then all have ended. */
  async start(): Promise<number> {
    const { parts } = this.#options;
    const first = parts.map((part) => this.#install(part, this.#start(part)));
    const code = await Promise.race([
      Promise.all(first.map(({ ready }) => ready)).then(() => 0),
      ...first.map(({ ended }) => ended.then((ended) => (this.#isStopping ? 0 : ended || 1))),
    ]);
    if (code !== 0) await this.stop();
    this.#hasStarted = code === 0 && !this.#isStopping;
    return code;
  }

  /** Replaces one after another. If a successor does not serve, the old process and those after it stay. */
  replace(): Promise<void> {
    this.#replacing ??= this.#replaceAll().finally(() => {
      this.#replacing = null;
    });
    return this.#replacing;
  }

  /** Stops all gracefully. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const child of this.#children) child.stop();
    await Promise.all([...this.#children].map(({ ended }) => ended));
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #start(part: ProcessWork): Child {
    const child = this.#options.start(part);
    this.#children.add(child);
    void child.ended.then(() => this.#children.delete(child));
    return child;
  }

  /** Makes this process responsible for the part from now on. */
  #install(part: ProcessWork, child: Child): Child {
    this.#running.set(part, child);
    void this.#supervise(part, child);
    return child;
  }

  /** Waits for the end of a process, and starts another if it has no successor. */
  async #supervise(part: ProcessWork, first: Child): Promise<void> {
    const { log, restMs = REST_MS } = this.#options;
    let [child, rest] = [first, restMs.min];
    for (;;) {
      void child.ready.then(() => {
        rest = restMs.min;
      });
      const code = await child.ended;
      if (!this.#hasStarted || this.#isOver(part, child)) return;
      log.error(
        { process: part.name, pid: child.pid, code, restMs: rest },
        'a process ended and is started again',
      );
      await sleep(rest, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#isOver(part, child)) return;
      rest = Math.min(2 * rest, restMs.max);
      child = this.#start(part);
      this.#running.set(part, child);
    }
  }

  #isOver(part: ProcessWork, child: Child): boolean {
    return this.#isStopping || this.#running.get(part) !== child;
  }

  async #replaceAll(): Promise<void> {
    const { parts, log } = this.#options;
    for (const part of parts) {
      if (this.#isStopping) return;
      const next = this.#start(part);
      const code = await Promise.race([next.ready.then(() => null), next.ended]);
      if (code !== null) {
        log.error(
          { process: part.name, code },
          'the successor of a process cannot start: the old processes stay',
        );
        return;
      }
      const before = this.#running.get(part);
      this.#install(part, next);
      before?.stop();
      await before?.ended;
      log.info({ process: part.name, pid: next.pid }, 'a process was replaced');
    }
  }
}

/** Divides a service into its processes: those that serve requests, and for the role `all` also a runner. */
export function processesToStart(
  role: 'all' | 'api',
  apiProcesses: number,
  metricsPort: number | null,
): ProcessWork[] {
  const portOf = (at: number) => (metricsPort === null || metricsPort === 0 ? metricsPort : metricsPort + at);
  const answering = Array.from({ length: apiProcesses }, (_, at): ProcessWork => {
    return { name: `api ${at + 1}`, role: 'api', metricsPort: portOf(at) };
  });
  if (role === 'api') return answering;
  return [...answering, { name: 'runner', role: 'runner', metricsPort: portOf(apiProcesses) }];
}
