import { Registry } from 'prom-client';
import type { Pool } from '../../db/pool.ts';
import type { DomainError } from '../../engine/platform/errors.ts';
import type { Limits } from '../../routers/trpc.ts';
import type { Config } from '../kernel/config.ts';
import { dataDirOf } from '../kernel/connection.ts';
import type { Readiness } from '../kernel/readiness.ts';
import type { RunnerWatch } from '../kernel/runner-watch.ts';
import type { Streams } from '../kernel/streams.ts';
import { json, listenForProbes } from './listen.ts';
import { RESULTS, showDatabase } from './of-database.ts';
import { showProcess } from './of-process.ts';
import { countedLimits, countRequests, refusalCounter } from './of-requests.ts';
import { countWork } from './of-work.ts';

/** The address to serve at. */
export type Place = Pick<
  Config,
  'metricsHost' | 'metricsPort' | 'role' | 'version' | 'databaseUrl' | 'dataDir'
>;
/** Parts of this process that the metrics read. */
export type Parts = {
  pool: Pool;
  streams: Pick<Streams, 'count'>;
  runners: Pick<RunnerWatch, 'isMissing'>;
  readiness: Pick<Readiness, 'problem'>;
};

/** Counters that the service calls while it works. */
export type Counting = {
  limits: (limits: Limits) => Limits;
  onRefusal: (error: DomainError) => void;
};
/** Counts nothing; for processes without metrics. */
export const UNCOUNTED: Counting = { limits: (limits) => limits, onRefusal: () => {} };

/** The metrics of a process, from its start on. */
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

  /** Serves metrics and probes on a separate port. Returns the address, and a function that stops it. */
  async serve(
    { metricsHost, metricsPort, role, version, ...database }: Place,
    { pool, streams, runners, readiness }: Parts,
  ): Promise<Served> {
    const isRunnerMissing = () => runners.isMissing;
    const dataDir = database.databaseUrl === null ? dataDirOf(database) : null;
    const facts = { version, role, pool, dataDir, streams: () => streams.count, isRunnerMissing };
    showProcess(this.#register, facts);
    const inDatabase = showDatabase(this.#register, pool);
    const results = new Registry();
    const inBooks = showDatabase(results, pool, RESULTS);
    const visible = async (register: Registry, { ask }: typeof inBooks) => {
      await ask();
      return { status: 200, type: register.contentType, body: await register.metrics() };
    };
    const about = () => ({ role, version, pid: process.pid });
    const listening = await listenForProbes(
      { host: metricsHost, port: metricsPort ?? 0 },
      {
        '/metrics': () => visible(this.#register, inDatabase),
        '/metrics/results': () => visible(results, inBooks),
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
