import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const OPS = path.join(import.meta.dirname, '../../ops');
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

  test('each says how grave it is and what it means, under a name of its own', () => {
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
