/** A Prometheus that evaluates the shipped alerts each second, and without their patience. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../e2e/support/service-process.ts';
import { ClusterProcess, waitUntil } from '../ha/cluster-process.ts';

const ALERTS = path.join(import.meta.dirname, '../../ops/alerts.yml');
const IS_READY_WITHIN_MS = 60_000;
/** Gauges of the database are read once in ten seconds, and windows are half a minute. */
const CHANGES_WITHIN_MS = 120_000;

type Answer = { data: { alerts: { state: string; labels: { alertname: string } }[] } };

type Found = { data: { result: unknown[] } };

type Job = 'trading' | 'patroni';

/** A group of rules: that of Patroni has its name, all others are about the service. */
const jobOf = (group: string): Job => (group.startsWith('  - name: patroni\n') ? 'patroni' : 'trading');

/**
 * The rules of these jobs, with `for` of a second, and windows of half a minute or as given. Thresholds and expressions stay. Of
 * a job without processes, alerts over what is absent would fire.
 */
function impatient(rules: string, jobs: readonly string[], window: string): string {
  const [head = '', ...groups] = rules.split(/^(?= {2}- name: )/m);
  return [head, ...groups.filter((group) => jobs.includes(jobOf(group)))]
    .join('')
    .replaceAll(/\bfor: \w+/g, 'for: 1s')
    .replaceAll('[1d:5m]', `[${window}:1s]`)
    .replaceAll(/\[\d+[mh]\]/g, `[${window}]`);
}

type Options = {
  /** Ports of this machine that are scraped, by job. */
  readonly jobs: Readonly<Partial<Record<Job, readonly number[]>>>;
  /** Replaces the windows of minutes, hours and a day. */
  readonly window?: string;
};

export type Prometheus = Awaited<ReturnType<typeof openPrometheus>>;

export async function openPrometheus(dir: string, { jobs, window = '30s' }: Options) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    path.join(dir, 'alerts.yml'),
    impatient(readFileSync(ALERTS, 'utf8'), Object.keys(jobs), window),
  );
  const scraped = Object.entries(jobs).map(([job, ports]) => {
    const targets = ports.map((port) => `"127.0.0.1:${port}"`).join(', ');
    return `  - { job_name: ${job}, static_configs: [{ targets: [${targets}] }] }\n`;
  });
  const config = path.join(dir, 'prometheus.yml');
  writeFileSync(
    config,
    `global: { scrape_interval: 4s, scrape_timeout: 4s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
${scraped.join('')}`,
  );
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = new ClusterProcess({
    command: [
      ...['prometheus', `--config.file=${config}`, `--storage.tsdb.path=${path.join(dir, 'data')}`],
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  });
  child.start();
  const isReady = async () => (await fetch(`${base}/-/ready`)).ok;
  await waitUntil('Prometheus is ready', isReady, { withinMs: IS_READY_WITHIN_MS }).catch((error: Error) => {
    throw new Error(`${error.message}\n${child.said}`);
  });
  /** Names of the alerts that fire now. */
  async function firing(): Promise<string[]> {
    const { data } = (await (await fetch(`${base}/api/v1/alerts`)).json()) as Answer;
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  }

  /** Waits until each has fired: a comparison with the time before soon ends again in windows of half a minute. */
  async function untilFired(alerts: readonly string[]): Promise<void> {
    const fired = new Set<string>();
    const haveAllFired = async () => {
      for (const alert of await firing()) fired.add(alert);
      return alerts.every((alert) => fired.has(alert));
    };
    await waitUntil(`fired: ${alerts.join(', ')}`, haveAllFired, { withinMs: CHANGES_WITHIN_MS }).catch(
      (error: Error) => {
        throw new Error(`${error.message}; instead: ${[...fired].join(', ')}`);
      },
    );
  }

  /** Waits until the only process was scraped that started now or later. Its metric has whole seconds. */
  async function untilScraped(sinceMs: number): Promise<void> {
    const query = encodeURIComponent(`max(process_start_time_seconds) >= ${Math.floor(sinceMs / 1_000)}`);
    const isScraped = async () => {
      const { data } = (await (await fetch(`${base}/api/v1/query?query=${query}`)).json()) as Found;
      return data.result.length > 0;
    };
    await waitUntil('the new process is scraped', isScraped, { withinMs: CHANGES_WITHIN_MS });
  }

  async function untilQuiet(): Promise<void> {
    let still: string[] = [];
    const isQuiet = async () => {
      still = await firing();
      return still.length === 0;
    };
    await waitUntil('no alert fires', isQuiet, { withinMs: CHANGES_WITHIN_MS }).catch((error: Error) => {
      throw new Error(`${error.message}; but: ${still.join(', ')}`);
    });
  }

  return {
    firing,
    untilFired,
    untilScraped,
    untilQuiet,
    /** Each of the alerts has to fire between the cause and its mend, and none before and after. */
    async expectAlerts(
      alerts: readonly string[],
      cause: () => Promise<unknown>,
      mend: () => Promise<unknown>,
    ): Promise<void> {
      await untilQuiet();
      try {
        await cause();
        await untilFired(alerts);
      } finally {
        await mend();
      }
      await untilQuiet();
    },
    [Symbol.asyncDispose]: () => child.stop('SIGKILL'),
  };
}
