import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const UNIT = readFileSync(path.join(ROOT, 'ops/trading@.service'), 'utf8');
const lineOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';

test('the unit runs the Node.js that came with the packages, whatever the machine has', () => {
  const folder = lineOf('WorkingDirectory');
  expect(lineOf('ExecStart')).toBe('/usr/bin/env node server/start.mjs');
  const version = execFileSync('/usr/bin/env', ['node', '--version'], {
    env: { PATH: lineOf('Environment=PATH').replaceAll(folder, ROOT) },
    encoding: 'utf8',
  });
  expect(version.trim()).toBe(process.version);
});
