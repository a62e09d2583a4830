import { Registry } from 'prom-client';
import type { Pool } from '../../db/pool.ts';
import type { DomainError } from '../../engine/errors.ts';
import type { Limits } from '../../routers/trpc.ts';
import type { Config } from '../config.ts';
import type { Readiness } from '../readiness.ts';
import type { RunnerWatch } from '../runner-watch.ts';
import type { Streams } from '../streams.ts';
import { json, listenForProbes } from './listen.ts';
import { showDatabase } from './of-database.ts';
import { showProcess } from './of-process.ts';
import { countedLimits, countRequests, refusalCounter } from './of-requests.ts';
import { countWork } from './of-work.ts';

/** Where to serve. */
export type Place = Pick<Config, 'host' | 'metricsPort' | 'role' | 'version'>;
/** What of this process there is to see. */
export type Parts = {
  pool: Pool;
  streams: Pick<Streams, 'count'>;
  runners: Pick<RunnerWatch, 'isMissing'>;
  readiness: Pick<Readiness, 'problem'>;
};

/** What counts as the service works. */
export type Counting = {
  limits: (limits: Limits) => Limits;
  onRefusal: (error: DomainError) => void;
};
/** Where nobody asks nothing is counted. */
export const UNCOUNTED: Counting = { limits: (limits) => limits, onRefusal: () => {} };

/** The instruments of a process, from its start on. */
export class Metrics {
  readonly #register = new Registry();
  readonly #stops: (() => void)[];
  readonly counting: Counting;

  constructor() {
    this.#stops = [countRequests(this.#register), countWork(this.#register)];
    this.counting = {
      limits: (limits) => countedLimits(this.#register, limits),
      onRefusal: refusalCounter(this.#register),
    };
  }

  /** Serves them, and the probes, on a port of their own. Returns where, and what ends it. */
  async serve(
    { host, metricsPort, role, version }: Place,
    { pool, streams, runners, readiness }: Parts,
  ): Promise<Served> {
    const isRunnerMissing = () => runners.isMissing;
    showProcess(this.#register, { version, role, pool, streams: () => streams.count, isRunnerMissing });
    const database = showDatabase(this.#register, pool);
    const about = () => ({ role, version, pid: process.pid });
    const listening = await listenForProbes(
      { host, port: metricsPort ?? 0 },
      {
        '/metrics': async () => {
          await database.ask();
          const { contentType: type } = this.#register;
          return { status: 200, type, body: await this.#register.metrics() };
        },
        '/health': async () => json(200, { status: 'ok', ...about() }),
        '/health/ready': async () => {
          const problem = await readiness.problem();
          if (problem) return json(503, { status: 'not_ready', code: problem.code, ...about() });
          return json(200, { status: 'ready', isRunnerMissing: isRunnerMissing(), ...about() });
        },
      },
    );
    return {
      port: listening.port,
      stop: async () => {
        for (const stop of this.#stops) stop();
        this.#register.clear();
        listening.server.closeAllConnections();
        await new Promise((resolve) => listening.server.close(resolve));
      },
    };
  }
}

export type Served = { port: number; stop: () => Promise<void> };
