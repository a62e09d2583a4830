import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../../..');
/** Imports that exist at run time: types leave nothing behind. */
const IMPORT = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** Everything that a module loads, by its own imports and theirs: our files and names of packages. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    for (const [, target = ''] of text.matchAll(IMPORT)) {
      if (target.startsWith('.')) visit(path.join(path.dirname(file), target));
      else loaded.add(target);
    }
  };
  visit(entry);
  return loaded;
}

test('row 30: the thread of a backtest loads no database, no venue connector, no network and no secret', () => {
  const loaded = loadedBy('server/workers/research/worker.ts');
  const forbidden =
    /^(pg|kysely|@mikro-orm\/|ws$|node:(net|tls|https?|dgram|dns|child_process|cluster|fs|process))|^db\/(?!vocabulary|columns|json|entities)|venues\/(http|binance|kalshi|polymarket)\/|^simulator\/|server\/(?!workers\/research\/)|engine\/trading\/(connections|keys)\//;
  expect([...loaded].filter((name) => forbidden.test(name))).toEqual([]);
  expect(loaded).toContain('engine/research/playback/run-backtest.ts');
  expect(loaded.size).toBeGreaterThan(20);
});
