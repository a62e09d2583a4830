/**
 * Measures what callers pay: a compiler and a page for the client package, an agent for the list of tools.
 *
 *   node bench/clients.ts
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { compileClient } from '../client/build.ts';
import { SCOPE_NAMES } from '../routers/scopes.ts';
import { toolsFor } from '../server/mcp/tools.ts';
import { selectedToolsOf } from '../server/mcp/toolsets.ts';

/** A token of o200k has 3.9 characters in such lists. Assuming fewer errs on the safe side. */
const CHARS_PER_TOKEN = 3.5;
/** Upper bounds. Instantiations are those beyond an empty project's; a bundle is minified and compressed. */
const TARGETS = { toolTokens: 6_000, instantiations: 30_000, trpcBytes: 13_500, restBytes: 4_000 };
const MODULES = path.join(import.meta.dirname, '../node_modules');

const folder = mkdtempSync(path.join(tmpdir(), 'clients-bench-'));
try {
  openProject();
  const figures = {
    toolTokens: tokensOfTools(),
    instantiations: instantiationsOf('tour.ts') - instantiationsOf('empty.ts'),
    trpcBytes: await bytesOf(
      `import { createClient, follow } from 'trading-strategy';\nglobalThis.used = [createClient, follow];`,
    ),
    restBytes: await bytesOf(
      `import { createRestClient } from 'trading-strategy/rest';\nglobalThis.used = createRestClient;`,
    ),
  };
  const names = Object.keys(TARGETS) as (keyof typeof TARGETS)[];
  console.table(
    names.map((name) => ({ figure: name, measured: figures[name], target: `<= ${TARGETS[name]}` })),
  );
  const ok = names.every((name) => figures[name] <= TARGETS[name]);
  console.log(JSON.stringify({ bench: 'clients', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** A project with the package as it is packed, and its peers. */
function openProject(): void {
  const own = path.join(folder, 'node_modules/trading-strategy');
  mkdirSync(own, { recursive: true });
  cpSync(compileClient(), path.join(own, 'dist'), { recursive: true });
  cpSync(path.join(import.meta.dirname, '../client/package.json'), path.join(own, 'package.json'));
  for (const name of ['@trpc', 'eventsource-parser', 'openapi-fetch'])
    symlinkSync(path.join(MODULES, name), path.join(folder, 'node_modules', name));
  cpSync(path.join(import.meta.dirname, '../tests/clients/project'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'empty.ts'), 'export {};\n');
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
}

function tokensOfTools(): number {
  const selected = selectedToolsOf(new URLSearchParams());
  return Math.ceil(toolsFor({ scopes: new Set(SCOPE_NAMES) }, selected).chars / CHARS_PER_TOKEN);
}

function instantiationsOf(file: string): number {
  const configuration = path.join(folder, 'bench.json');
  writeFileSync(configuration, JSON.stringify({ extends: './tsconfig.json', include: [file] }));
  const options = ['-p', configuration, '--noEmit', '--extendedDiagnostics', '--singleThreaded'];
  const said = execFileSync(path.join(MODULES, '.bin/tsc'), options, { encoding: 'utf8' });
  return Number(/Instantiations:\s+(\d+)/.exec(said)?.[1]);
}

async function bytesOf(program: string): Promise<number> {
  const entry = path.join(folder, 'page.js');
  writeFileSync(entry, program);
  const options = { write: false, modulePreload: false, rolldownOptions: { input: entry } } as const;
  const built = await build({ root: folder, configFile: false, logLevel: 'silent', build: options });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  return outputs.reduce(
    (sum, each) => sum + gzipSync(each.type === 'chunk' ? each.code : each.source).length,
    0,
  );
}
