import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import { scopeOf, scopesOf, scopesTogether } from '../../routers/principal.ts';
import { CONTRACT_SCOPES, FURTHER_SCOPES, SCOPE_NAMES, type Scope } from '../../routers/scopes.ts';
import { bearer, exampleBody, expectRefusal, pathOf, titleOf } from '../support/api.ts';
import { dealer } from '../support/deal.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, type Answer, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';
const guarded = restRoutes.filter(({ open }) => !open).map((route) => [titleOf(route), route] as const);

const ofOneScope = guarded.filter(
  ([, { meta }]) => meta.access === undefined || scopesOf(meta.access).length <= 1,
);

/** The contract's list and table, and those of paths that it leaves open. Written out, not derived. */
const CONTRACT: Record<string, Scope> = {
  'GET /api/blueprints': 'blueprints:read',
  'POST /api/blueprints': 'blueprints:write',
  'PUT /api/blueprints/{id}': 'blueprints:write',
  'POST /api/blueprints/{id}/deploy': 'blueprints:deploy',
  'GET /api/orders': 'orders:read',
  'POST /api/orders/{id}/approve': 'orders:write',
  'GET /api/portfolio': 'portfolio:read',
  'POST /api/portfolio/positions/close': 'portfolio:write',
  'GET /api/risk-rules': 'risk:read',
  'PUT /api/risk-rules': 'risk:write',
  'DELETE /api/api-keys/{id}': 'api_keys:write',
  'GET /api/venue-a': 'market_data:read',
  'GET /api/venue-b': 'market_data:read',
  'GET /api/crypto': 'market_data:read',
  'GET /api/blueprints/{id}': 'blueprints:read',
  'POST /api/blueprints/{id}/stop': 'blueprints:deploy',
  'POST /api/blueprints/stop': 'blueprints:deploy',
  'DELETE /api/blueprints/{id}': 'blueprints:write',
  'POST /api/blueprints/{id}/validate': 'blueprints:read',
  'POST /api/blueprints/{id}/explain': 'blueprints:read',
  'GET /api/node-types': 'blueprints:read',
  'GET /api/orders/{id}': 'orders:read',
  'POST /api/orders/{id}/reject': 'orders:write',
  'POST /api/orders/{id}/cancel': 'orders:write',
  'GET /api/portfolio/positions': 'portfolio:read',
  'GET /api/api-keys': 'api_keys:write',
};

const world = openedForFile(openWorld);
let account: Account;
const single = new Map<Scope, string>();
const allBut = new Map<Scope, string>();

beforeAll(async () => {
  account = await world.account();
  for (const scope of SCOPE_NAMES) {
    single.set(scope, await keyWith([scope]));
    allBut.set(scope, await keyWith(SCOPE_NAMES.filter((other) => other !== scope)));
  }
});

async function keyWith(scopes: Scope[]): Promise<string> {
  const { key } = await createKey(account.work, { name: 'Test', scopes, createdBy: null });
  return key;
}

const call = (route: RestRoute, key: string | undefined): Promise<Answer> =>
  world.send(route.method, pathOf(route, MISSING), { headers: bearer(key ?? ''), ...exampleBody(route) });

test('the scopes are the eleven of the contract, and those of paths beyond it', () => {
  expect(Object.keys(CONTRACT_SCOPES).sort()).toEqual([...new Set(Object.values(CONTRACT))].sort());
  expect(Object.keys(FURTHER_SCOPES)).toEqual([
    'orders:place',
    'notifications:read',
    'notifications:write',
    'signals:read',
    'signals:write',
  ]);
  expect(SCOPE_NAMES).toHaveLength(16);
});

test('every documented operation requires the scope that the contract names', () => {
  const required = new Map(restRoutes.map((route) => [titleOf(route), route.meta.access]));
  for (const [title, scope] of Object.entries(CONTRACT)) {
    const access = required.get(title);
    expect({ title, scope: access && scopeOf(access) }).toEqual({ title, scope });
  }
});

/** The scopes of backtests, sweeps and histories by path: operations that change data require write. Written out as well. */
const COMPUTED: Record<string, Scope> = {
  'POST /api/backtests': 'blueprints:write',
  'GET /api/backtests': 'blueprints:read',
  'GET /api/backtests/compare': 'blueprints:read',
  'GET /api/backtests/{id}': 'blueprints:read',
  'PATCH /api/backtests/{id}': 'blueprints:write',
  'DELETE /api/backtests/{id}': 'blueprints:write',
  'POST /api/backtests/{id}/cancel': 'blueprints:write',
  'GET /api/backtests/{id}/trades': 'blueprints:read',
  'GET /api/backtests/{id}/orders': 'blueprints:read',
  'GET /api/backtests/{id}/log': 'blueprints:read',
  'GET /api/backtests/{id}/equity': 'blueprints:read',
  'GET /api/backtests/{id}/report.html': 'blueprints:read',
  'GET /api/backtests/{id}/trades.csv': 'blueprints:read',
  'GET /api/backtests/{id}/equity.csv': 'blueprints:read',
  'GET /api/backtests/{id}/result.json': 'blueprints:read',
  'POST /api/sweeps': 'blueprints:write',
  'GET /api/sweeps': 'blueprints:read',
  'GET /api/sweeps/{id}': 'blueprints:read',
  'DELETE /api/sweeps/{id}': 'blueprints:write',
  'POST /api/sweeps/{id}/cancel': 'blueprints:write',
  'POST /api/sweeps/{id}/apply': 'blueprints:write',
  'GET /api/sweeps/{id}/trials': 'blueprints:read',
  'GET /api/history/coverage': 'market_data:read',
  'POST /api/history/import': 'blueprints:write',
  'GET /api/history/export': 'market_data:read',
  'GET /api/history/imports': 'market_data:read',
  'POST /api/history/imports/{id}/cancel': 'blueprints:write',
  'GET /api/blueprints/{id}/statistics': 'portfolio:read',
  'GET /api/portfolio/statistics': 'portfolio:read',
};

test('row 32: each procedure of backtests, sweeps, histories and statistics requires the scope of its table, which lists all of them', () => {
  const about = /^\/api\/(backtests|sweeps|history)|\/statistics$/;
  const required = restRoutes
    .filter(({ path }) => about.test(path))
    .map((route) => [titleOf(route), route.meta.access && scopeOf(route.meta.access)]);
  expect(Object.fromEntries(required)).toEqual(COMPUTED);
});

/** Operations that need a second scope, beside the one of their table: they also do what another operation may. */
const SECOND: Record<string, Scope> = {
  'POST /api/blueprints/{id}/redeploy': 'blueprints:write',
  'GET /api/exports': 'orders:read',
};

describe('403 unless the key holds exactly the scope', () => {
  const dealt = dealer(SCOPE_NAMES);

  test.each(guarded)(
    '403: %s with a key of one scope that is not its own, else not',
    async (title, route) => {
      const needed = route.meta.access ? scopeOf(route.meta.access) : null;
      const own = route.meta.access ? scopesOf(route.meta.access) : [];
      for (const scope of new Set([...own, ...dealt()])) {
        const answer = await call(route, single.get(scope));
        const isItsOwn = own.includes(scope);
        if (isItsOwn && SECOND[title]) expectForbidden(answer, SECOND[title], route);
        else if (isItsOwn) expectAllowed(answer);
        else expectForbidden(answer, needed, route);
      }
    },
  );

  test('the streams alone take any of several scopes', () => {
    const several = guarded.filter((row) => !ofOneScope.includes(row));
    expect(several.map(([title]) => title)).toEqual(['GET /api/events', 'GET /api/stream']);
  });

  test.each(ofOneScope)('403: %s with a key of all scopes but its own', async (_title, route) => {
    const needed = route.meta.access ? scopeOf(route.meta.access) : null;
    const key = needed === null ? account.key : allBut.get(needed);
    expectForbidden(await call(route, key), needed, route);
  });

  test.each(ofOneScope)('403: %s comes before errors in the request', async (_title, route) => {
    const needed = route.meta.access ? scopeOf(route.meta.access) : null;
    const answer = await world.send(route.method, `${pathOf(route, 'no-uuid')}?unknown=1`, {
      headers: { ...bearer(allBut.get(needed ?? 'risk:read') ?? ''), 'content-type': 'text/plain' },
      ...(route.takesBody && { raw: '{broken' }),
    });
    expectForbidden(answer, needed, route);
  });
});

/** Expects a refusal for this scope; its challenge names all scopes that the operation needs together. */
function expectForbidden(answer: Answer, needed: Scope | null, { meta }: Pick<RestRoute, 'meta'>): void {
  if (needed === null) {
    expectRefusal(answer, 403, 'session_required');
    return;
  }
  const refusal = expectRefusal(answer, 403, 'insufficient_scope');
  expect(refusal.message).toContain(needed);
  const challenge = answer.headers.get('www-authenticate');
  const scopes = meta.access ? scopesTogether(meta.access).join(' ') : '';
  expect(challenge).toBe(`Bearer realm="api", error="insufficient_scope", scope="${scopes}"`);
}

/** Beyond the guard: the response does not concern credentials or scopes. */
function expectAllowed(answer: Answer): void {
  expect(answer.status).not.toBe(401);
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toMatch(/insufficient_scope|session_required/);
}
