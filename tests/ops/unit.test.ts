import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
/** Name under which a unit is tested: that of a template needs an instance. */
const UNITS = { 'trading@api.service': 'trading@.service', 'trading.service': 'trading.service' };
/** The maximum score of `systemd-analyze security`: 10 is unprotected. */
const EXPOSURE_MAX = 2.5;

describe.each(Object.entries(UNITS))('%s', (name, file) => {
  const unit = path.join(ROOT, 'ops', file);
  const text = readFileSync(unit, 'utf8');
  const lineOf = (setting: string): string => new RegExp(`^${setting}=(.*)$`, 'm').exec(text)?.[1] ?? '';

  test('runs the Node.js of the packages, whatever the machine has', () => {
    const folder = lineOf('WorkingDirectory');
    expect(lineOf('ExecStart')).toBe('/usr/bin/env node server/start.mjs');
    const version = execFileSync('/usr/bin/env', ['node', '--version'], {
      env: { PATH: lineOf('Environment=PATH').replaceAll(folder, ROOT) },
      encoding: 'utf8',
    });
    expect(version.trim()).toBe(process.version);
  });

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('exposes little of the machine', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'unit-'));
    try {
      copyFileSync(unit, path.join(dir, name));
      const options = ['security', '--offline=yes', `--threshold=${EXPOSURE_MAX * 10}`, path.join(dir, name)];
      execFileSync('systemd-analyze', options, { stdio: 'pipe' });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
