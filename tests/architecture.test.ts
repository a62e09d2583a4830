import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { appRouter } from '../routers/index.ts';
import type { RouteMeta } from '../routers/trpc.ts';

/** Allowed imports from other folders. `venues` imports nothing of ours; `db` imports only their vocabulary. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  db: ['venues'],
  venues: [],
  simulator: ['venues', 'db'],
  engine: ['db', 'venues'],
  routers: ['engine', 'db', 'venues'],
  openapi: ['routers', 'engine', 'venues'],
  server: ['openapi', 'routers', 'engine', 'db', 'venues', 'simulator', 'web'],
  web: ['client'],
  client: [],
};

type Procedure = { _def: { meta?: RouteMeta } };
type Import = { from: string; to: string; typeOnly: boolean };

const ROOT = path.join(import.meta.dirname, '..');
const IMPORT = /^(?:import|export)\s+(?:(type\s)?[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm;

const imports: readonly Import[] = globSync(`{${Object.keys(MAY_IMPORT).join()}}/**/*.{ts,tsx}`, {
  cwd: ROOT,
}).flatMap(importsOf);

function importsOf(from: string): Import[] {
  const text = readFileSync(path.join(ROOT, from), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, type, target = '']) => ({
    from,
    to: path.join(path.dirname(from), target),
    typeOnly: type !== undefined,
  }));
}

const folderOf = (file: string): string => file.split(path.sep)[0] ?? '';

test('folders import only what lies below them', () => {
  const strays = imports.filter(({ from, to }) => {
    const [own, other] = [folderOf(from), folderOf(to)];
    return own !== other && !MAY_IMPORT[own]?.includes(other);
  });
  expect(strays.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Imports between the files and folders of one folder, types included. */
function neighboursIn(folder: string): Map<string, Set<string>> {
  const neighbours = new Map<string, Set<string>>();
  const inside = folder === '.' ? '' : `${folder}/`;
  for (const { from, to } of imports) {
    if (!from.startsWith(inside) || !to.startsWith(inside)) continue;
    const [own = '', other = ''] = [from, to].map((file) => file.slice(inside.length).split('/')[0] ?? '');
    if (own !== other) neighbours.set(own, (neighbours.get(own) ?? new Set()).add(other));
  }
  return neighbours;
}

/** The names on one cycle of a graph, or null. */
function circleOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of graph.get(name) ?? []) {
      const circle = visit(next, [...trail, name]);
      if (circle) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of graph.keys()) {
    const circle = visit(name, []);
    if (circle) return circle;
  }
  return null;
}

test('in every folder, files and folders form layers: none imports itself through others, not even for types', () => {
  const parentsOf = (file: string): string[] => {
    const parent = path.dirname(file);
    return parent === '.' ? ['.'] : [parent, ...parentsOf(parent)];
  };
  const folders = new Set(imports.flatMap(({ from }) => parentsOf(from)));
  const circles = [...folders].flatMap((folder) => {
    const circle = circleOf(neighboursIn(folder));
    return circle ? [`${folder}: ${circle.join(' -> ')}`] : [];
  });
  expect(circles).toEqual([]);
});

test('the database imports nothing of venues but their vocabulary and their facts', () => {
  const taken = imports.filter(({ from, to }) => folderOf(from) === 'db' && folderOf(to) === 'venues');
  expect(new Set(taken.map(({ to }) => to))).toEqual(
    new Set(['venues/catalogue.ts', 'venues/vocabulary.ts']),
  );
  const reached = runsWith(taken.map(({ to }) => to)).filter((file) => !file.startsWith('venues/records/'));
  expect(reached).toEqual([
    'venues/catalogue.ts',
    'venues/history-source.ts',
    'venues/time.ts',
    'venues/vocabulary.ts',
  ]);
});

/** These files and all that they import, directly or through others, types left out. */
function runsWith(roots: readonly string[]): string[] {
  const found = new Set<string>(roots);
  for (const file of found) {
    for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) found.add(to);
  }
  return [...found].sort();
}

test('evaluating a strategy and deciding about its orders is pure: no clock, no randomness, no database, no network', () => {
  const pure = runsWith(
    globSync('engine/{strategy/graph,research/account,research/playback}/**/*.ts', { cwd: ROOT }),
  );
  expect(pure.length).toBeGreaterThan(100);
  for (const decided of [
    'entry/compose',
    'entry/plan-approve',
    'execution/plan-report',
    'lifecycle/plan-loss-stops',
  ]) {
    expect(pure).toContain(`engine/trading/orders/${decided}.ts`);
  }
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bMath\.random\b|\brandom(UUID|Bytes|Int)|\bfetch\(/;
  const strays = pure.filter((file) => impure.test(readFileSync(path.join(ROOT, file), 'utf8')));
  expect(strays).toEqual([]);
  const PACKAGE = /^(?:import|export)\s+(?!type\b)[^'";]*?from\s+'([^.'][^']*)'/gm;
  const packages = pure.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(PACKAGE)].map(([, name = '']) => name),
  );
  expect([...new Set(packages)].sort()).toEqual(['decimal.js', 'node:crypto', 'zod']);
  const FROM_CRYPTO = /^import\s+\{([^}]*)\}\s+from\s+'node:crypto'/gm;
  const hashing = pure.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(FROM_CRYPTO)].map(([, names = '']) => names),
  );
  expect(hashing.map((names) => names.trim()).sort()).toEqual(['createHash, type Hash', 'hash']);
});

test('the import scan finds the imports', () => {
  expect(imports.length).toBeGreaterThan(500);
  expect(imports).toContainEqual({ from: 'server/http/app.ts', to: 'openapi/facade.ts', typeOnly: false });
});

const SERVICE = '{server,openapi,routers,engine,db,venues,simulator}/**/*.ts';
const filesWith = (text: string | RegExp): string[] =>
  globSync(SERVICE, { cwd: ROOT })
    .filter((file) => readFileSync(path.join(ROOT, file), 'utf8').search(text) >= 0)
    .sort();

test('the environment is handed to readConfig at the entry points, and read nowhere else', () => {
  expect(filesWith(/process\.env/)).toEqual([
    // PostgreSQL's programs need parts of the environment, such as the user's cache folder.
    'db/embedded/binaries.ts',
    'db/embedded/programs.ts',
    // Reads the variables that a sample of the API reference names, as text.
    'openapi/samples.ts',
    'server/cli/administration.ts',
    'server/cli/backup.ts',
    'server/cli/command-resources.ts',
    'server/cli/find-foreign-orders.ts',
    'server/cli/restore.ts',
    'server/cli/venues-check.ts',
    'server/cli/verify-ledger.ts',
    'server/process/main.ts',
  ]);
});

test('work is bound to its account: code that works for all accounts, or for none, is listed here', () => {
  expect(filesWith(/\bsystemDb\(/)).toEqual([
    'engine/trading/orders/paper/broker.ts',
    'server/cli/account-move.ts',
    'server/cli/archive.ts',
    'server/cli/credentials.ts',
    'server/cli/db-copy.ts',
    'server/cli/find-foreign-orders.ts',
    'server/cli/history-import.ts',
    'server/cli/kill-switch.ts',
    'server/cli/shards-move.ts',
    // Makes operators, as the owner.
    'server/cli/users.ts',
    'server/cli/verify-ledger.ts',
    // Finds the account of a token.
    'server/http/signal-hook.ts',
    'server/identity/caller-resolver.ts',
    'server/identity/users/delete-account.ts',
    'server/identity/valid-credentials.ts',
    'server/kernel/rounds/options.ts',
    'server/mcp/oauth/routes.ts',
    'server/mcp/oauth/token.ts',
    'server/metrics/database-metrics.ts',
    'server/process/admin-broker.ts',
    'server/process/open-venues.ts',
    'server/process/operations.ts',
    'server/process/refuse-database.ts',
    'server/process/service.ts',
    'server/process/watchdog.ts',
    'server/workers/notifications/index.ts',
    'server/workers/notifications/open-sender.ts',
    'server/workers/research/import-missing-history.ts',
    'server/workers/research/index.ts',
    'server/workers/trading/connections/index.ts',
    'server/workers/trading/orders/order-work.ts',
    'server/workers/trading/rounds-idle-gate.ts',
  ]);
  expect(filesWith(/\bunscopedDb\(/)).toEqual([
    'engine/trading/accounts/provision-account.ts',
    'engine/usecases/blueprints/share-links.ts',
    'engine/usecases/careers/store-job-application.ts',
    'server/cli/account-move.ts',
    'server/cli/backup.ts',
    'server/cli/kill-switch.ts',
    'server/demo/demo.ts',
    'server/http/event-listener.ts',
    'server/identity/caller-resolver.ts',
    'server/identity/user-trail.ts',
    'server/identity/users/erase-user.ts',
    'server/identity/users/identity-data.ts',
    'server/identity/users/sessions.ts',
    'server/identity/users/users.ts',
    'server/kernel/readiness.ts',
    'server/kernel/runner-liveness.ts',
    'server/process/heartbeat.ts',
    'server/process/operators.ts',
  ]);
  // A work gets the handle of its account in one place; the other two are no works.
  expect(filesWith(/\baccountDb\(/)).toEqual([
    'engine/platform/context.ts',
    'engine/trading/accounts/provision-account.ts',
    'engine/trading/orders/paper/broker.ts',
  ]);
  expect(filesWith(/\.handle\(/)).toEqual(['db/pool.ts']);
  expect(filesWith(/\bpool\.(?:native|session)\b|getKysely|getNativeClient/)).toEqual([
    'server/kernel/rounds/lock-session.ts',
  ]);
});

test('a file of the API makes one procedure', () => {
  expect(filesWith(/= route\(/).length).toBeGreaterThan(30);
  expect(
    filesWith(/= (route|procedure|sessionProcedure)\([\s\S]*= (route|procedure|sessionProcedure)\(/),
  ).toEqual([]);
});

test('the mode of money is a value: no file of the engine or the runner writes a mode of its own', () => {
  const inCode = filesWith(/'paper'/).filter((file) => !file.startsWith('db/migrations/'));
  expect(inCode).toEqual([
    // A key trades paper money unless a person chooses otherwise.
    'db/entities/api-key.ts',
    // Every account starts with paper money, and only that is reset.
    'engine/books/accounting/reset-paper.ts',
    // Compares the paper venue's own records with the books of their mode.
    'engine/ledger/reading/read-stored-books.ts',
    // A backtest moves no account's money.
    'engine/research/playback/trader/simulated-execution.ts',
    'engine/trading/accounts/provision-account.ts',
    'engine/trading/keys/create.ts',
    'engine/trading/orders/paper/match-resting-orders.ts',
    // Live trading requires a run on paper first.
    'engine/usecases/blueprints/running/paper-run.ts',
    'routers/agent-keys/create.ts',
    'routers/agent-keys/list.ts',
    'routers/agent-keys/schemas.ts',
    'routers/signals/schemas.ts',
    'server/demo/demo.ts',
    // A session's mode follows from the route, and most routes are for paper money.
    'server/http/app.ts',
    'server/identity/user-trail.ts',
    // Erases a user in every mode.
    'server/identity/users/erase-user.ts',
    'server/mcp/oauth/token.ts',
    'venues/vocabulary.ts',
  ]);
});

test('tRPC is opened in one file', () => {
  expect(filesWith(/\binitTRPC\b/)).toEqual(['routers/trpc.ts']);
});

test('every procedure states which callers are allowed', () => {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);
  expect(procedures.length).toBeGreaterThan(30);
  for (const [name, { _def }] of procedures) {
    expect(['open', 'scope', 'session'], name).toContain(_def.meta?.access?.kind);
  }
});

test('finding 2: the framework stores its users without an adapter written for another version', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('better-auth-mikro-orm');
  expect(filesWith(/database: new pg\.Pool|database: pool,/)).toEqual(['server/identity/auth.ts']);
});

/**
 * Each queue and pool of the service, by its file. `tests/db/fair-turns.test.ts` proves the turns of those that serve several
 * accounts in this process; the reason stands beside the others.
 */
const QUEUES: Readonly<Record<string, string>> = {
  'db/pool.ts': 'shares of the pool: tests/db/fair-queue.test.ts',
  'engine/platform/account-lock.ts': 'one account each',
  'engine/platform/archive/archive.ts':
    'pages of old data, and runs over old history: a waiter is refused after 15 or 30 s',
  'engine/usecases/blueprints/running/look-up.ts': 'one request each',
  'server/http-kit/admission.ts':
    'slots of requests, lines of debt and of large bodies: tests/server/admission.test.ts',
  'server/identity/auth.ts': 'connections of sign-ins, which have no account yet: bounded by address',
  'server/workers/research/backtest-stepper.ts': 'fair-turns',
  'server/workers/research/worker-pool.ts': 'fair-turns',
  'server/http/heavy-reads.ts': 'fair-turns',
  'server/identity/passwords.ts': 'fair-turns',
  'server/identity/caller-resolver.ts':
    'lookups of sessions, by cookie, with a slot for brakes alone: tests/db/fair-queue.test.ts',
  'server/workers/trading/market/order-books.ts': 'market data, which are of no account',
  'server/workers/trading/orders/order-task-queue.ts': 'fair-turns',
  'server/workers/trading/runner.ts': 'one lane each, in which accounts take turns',
  'venues/binance/trading/trading-host.ts': 'one connection each',
  'venues/http/upstream.ts': 'market data, which are of no account; accounts are limited before',
};

test('every queue and pool of the service is in the list of queues', () => {
  expect(filesWith(/new (?:FairQueue|PQueue|pg\.Pool)\b/)).toEqual(Object.keys(QUEUES).sort());
});
