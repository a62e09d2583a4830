/** The Python package, generated from the description: checked and run as a caller does. */

import path from 'node:path';
import { expect, test } from 'vitest';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, pendingBuy } from '../support/trading.ts';
import { openWorld } from '../support/world.ts';
import { sh } from './sh.ts';
import { runTool } from './tools.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const world = openedForFile(openWorld);

test('the Python package tours the service: pages, versions, keys, errors, events', async () => {
  const account = await world.account();
  const blueprintId = await addBlueprint(account, 'Held', { nodes: [], edges: [] });
  for (let order = 0; order < 3; order++) await pendingBuy(world, account, { blueprintId, amount: '0.001' });
  const tour = path.join(import.meta.dirname, 'python/tour.py');
  const env = { ...process.env, PYTHONPATH: path.join(ROOT, 'client/python') };
  const { stdout } = await sh('python3', [tour, world.base, account.key], { env, timeout: 60_000 });
  expect(stdout).toBe('toured\n');
});

test('the Python package and its tour have no error under the strictest type checks', async () => {
  const { stdout } = await runTool('pyright', ['-p', path.join(import.meta.dirname, 'python')], ROOT);
  expect(stdout).toContain('0 errors, 0 warnings');
});
