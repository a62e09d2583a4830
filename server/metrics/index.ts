import { Registry } from 'prom-client';
import type { Pool } from '../../db/pool.ts';
import type { DomainError } from '../../engine/platform/errors.ts';
import type { Limits } from '../../routers/context.ts';
import type { Config } from '../kernel/config.ts';
import { dataDirOf } from '../kernel/connect-database.ts';
import type { EventStreams } from '../kernel/event-streams.ts';
import type { Readiness } from '../kernel/readiness.ts';
import type { RunnerLiveness } from '../kernel/runner-liveness.ts';
import { serveDatabaseGauges, TRADING_RESULT_STATEMENTS } from './database-metrics.ts';
import { json, listenForProbes } from './listen-for-probes.ts';
import { reportProcessMetrics } from './process-metrics.ts';
import { countLimitRefusals, countRequests, refusalCounter } from './request-metrics.ts';
import { countTradingWork } from './trading-work-metrics.ts';

/** The address to serve at. */
export type MetricsOptions = Pick<
  Config,
  'metricsHost' | 'metricsPort' | 'role' | 'version' | 'databaseUrl' | 'dataDir'
>;
/** Parts of this process that the metrics read. */
export type MetricsSources = {
  pool: Pool;
  streams: Pick<EventStreams, 'count'>;
  runners: Pick<RunnerLiveness, 'isMissing'>;
  readiness: Pick<Readiness, 'problem'>;
};

/** Counters that the service calls while it works. */
export type RequestCounters = {
  limits: (limits: Limits) => Limits;
  onRefusal: (error: DomainError) => void;
};
/** Counts nothing; for processes without metrics. */
export const NO_COUNTERS: RequestCounters = { limits: (limits) => limits, onRefusal: () => {} };

/** The metrics of a process, from its start on. */
export class Metrics {
  readonly #register = new Registry();
  readonly #stops: (() => void)[];
  readonly counting: RequestCounters;

  constructor() {
    this.#stops = [countRequests(this.#register), countTradingWork(this.#register)];
    this.counting = {
      limits: (limits) => countLimitRefusals(this.#register, limits),
      onRefusal: refusalCounter(this.#register),
    };
  }

  /** Serves metrics and probes on a separate port. Returns the address, and a function that stops it. */
  async serve(
    { metricsHost, metricsPort, role, version, ...database }: MetricsOptions,
    { pool, streams, runners, readiness }: MetricsSources,
  ): Promise<Served> {
    const isRunnerMissing = () => runners.isMissing;
    const dataDir = database.databaseUrl === null ? dataDirOf(database) : null;
    const facts = { version, role, pool, dataDir, streams: () => streams.count, isRunnerMissing };
    reportProcessMetrics(this.#register, facts);
    const inDatabase = serveDatabaseGauges(this.#register, pool);
    const results = new Registry();
    const inBooks = serveDatabaseGauges(results, pool, TRADING_RESULT_STATEMENTS);
    const visible = async (register: Registry, { refresh }: typeof inBooks) => {
      await refresh();
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
