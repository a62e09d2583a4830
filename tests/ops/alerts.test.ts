import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DATABASE_GAUGES } from '../../server/metrics/database-metrics.ts';
import { ALERT_CASES, promtoolTests } from './alert-cases.ts';

const OPS = path.join(import.meta.dirname, '../../ops');
/** The text of each rule by the name of its alert. */
const ALERTS = new Map(
  readFileSync(path.join(OPS, 'alerts.yml'), 'utf8')
    .split('- alert: ')
    .slice(1)
    .map((rule) => [/^\w+/.exec(rule)?.[0] ?? '', rule]),
);
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

describe('the alerts', () => {
  if (!hasPromtool)
    process.stderr.write('promtool is not installed: whether alerts fire is not tried here.\n');

  test.skipIf(!hasPromtool)('fire where something stands still, and not where nothing does', () => {
    for (const [command, file] of [
      ['check', 'alerts.yml'],
      ['test', 'alerts.test.yml'],
    ] as const) {
      const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', file], {
        cwd: OPS,
        encoding: 'utf8',
      });
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
  });

  test.skipIf(!hasPromtool)(
    'fire with each series that is absent somewhere, or say that they need it',
    { tags: ['long'] },
    () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'alerts-'));
      const file = path.join(folder, 'cases.yml');
      writeFileSync(file, promtoolTests(path.join(OPS, 'alerts.yml')));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      expect(status, `${stdout}${stderr}`).toBe(0);
    },
  );

  test('each has a case with the series by which it fires', () => {
    expect(Object.keys(ALERT_CASES).sort()).toEqual([...ALERTS.keys()].sort());
  });

  test('each but those of Patroni is fired by its cause in `npm run test:alerts`', () => {
    const causes = readFileSync(path.join(import.meta.dirname, '../alerts/causes.alerts.ts'), 'utf8');
    const missing = [...ALERTS.keys()].filter((name) => !causes.includes(`'${name}'`));
    expect(missing).toEqual(['PatroniNoStandby', 'PatroniNodeDown']);
  });

  test('each fact of the database names the alert that watches it, and has a panel', () => {
    const dashboard = readFileSync(path.join(OPS, 'dashboard.json'), 'utf8');
    const isNamedIn = (name: string, text = '') => new RegExp(`\\b${name}\\b`).test(text);
    const unwatched = DATABASE_GAUGES.filter(
      ({ name, alert }) => alert !== null && !isNamedIn(name, ALERTS.get(alert)),
    );
    const unseen = DATABASE_GAUGES.filter(({ name }) => !isNamedIn(name, dashboard));
    expect({ unwatched, unseen }).toEqual({ unwatched: [], unseen: [] });
  });

  test('each states its severity and meaning, under a unique name', () => {
    const text = readFileSync(path.join(OPS, 'alerts.yml'), 'utf8');
    const names = [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(9);
    expect(new Set(names).size).toBe(names.length);
    expect(text.match(/severity: (page|warn)/g)).toHaveLength(names.length);
    expect(text.match(/summary: "/g)).toHaveLength(names.length);
  });
});

test('no file for operators holds a tab or a path of one machine', () => {
  for (const file of globSync('**/*', { cwd: OPS, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = readFileSync(path.join(file.parentPath, file.name), 'utf8');
    expect(text, file.name).not.toMatch(/\t|\/work\/|\/root\//);
  }
});
