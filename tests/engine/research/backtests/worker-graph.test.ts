import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../../..');
/** Imports that are there when it runs: types leave nothing behind. */
const IMPORT = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** All that a module loads, by its own imports and theirs: files of ours and names of packages. */
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

test('row 30: the thread of a backtest loads no database, no venue that is asked, no network and no secret', () => {
  const loaded = loadedBy('server/workers/research/worker.ts');
  const forbidden =
    /^(pg|kysely|@mikro-orm\/|ws$|node:(net|tls|https?|dgram|dns|child_process|cluster|fs|process))|^db\/(?!vocabulary|columns|json|entities)|venues\/(http|binance|kalshi|polymarket)\/|^simulator\/|server\/(?!workers\/research\/)|engine\/trading\/(connections|keys)\//;
  expect([...loaded].filter((name) => forbidden.test(name))).toEqual([]);
  expect(loaded).toContain('engine/research/playback/driver.ts');
  expect(loaded.size).toBeGreaterThan(20);
});
