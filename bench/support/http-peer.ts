/**
 * The same API as a good engineer writes it by hand in an afternoon: Express, helmet, cors, zod and `pg` with prepared
 * statements. Each request reads its key, and rows are behind row-level security. A read takes two round trips.
 *
 * Reads `PORT` and `BENCH_DATABASE` (JSON for `pg`).
 */

import cors from 'cors';
import express, { type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import pg from 'pg';
import { z } from 'zod';
import {
  blueprintCreate,
  blueprintRead,
  blueprintsList,
  keyStatement,
  type Operation,
  ordersPage,
  portfolioRead,
} from './http-routes.ts';

const Page = z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(500) });
const Nothing = z.strictObject({});
const Id = z.strictObject({ id: z.uuid() });
const NewBlueprint = z.strictObject({ name: z.string().trim().min(1).max(120), visual: z.unknown() });

const pool = new pg.Pool({ ...JSON.parse(process.env['BENCH_DATABASE'] ?? '{}'), max: 20 });
const app = express();
app.use(helmet(), cors({ origin: [] }));
app.get('/health', (_request, response) => void response.json({}));
app.get(
  '/api/orders',
  guarded('orders:read', ({ query }) => ordersPage(Page.parse(query).limit)),
);
app.get(
  '/api/portfolio',
  guarded('portfolio:read', ({ query }) => {
    Nothing.parse(query);
    return portfolioRead();
  }),
);
app.get(
  '/api/blueprints',
  guarded('blueprints:read', ({ query }) => {
    Nothing.parse(query);
    return blueprintsList();
  }),
);
app.get(
  '/api/blueprints/:id',
  guarded('blueprints:read', ({ params }) => blueprintRead(Id.parse(params).id)),
);
app.post(
  '/api/blueprints',
  express.json({ limit: '280kb' }),
  guarded('blueprints:write', ({ body }) => {
    const { name, visual } = NewBlueprint.parse(body);
    return blueprintCreate(name, visual);
  }),
);
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
  process.exit(0);
});

function guarded(scope: string, ask: (request: Request) => Operation): RequestHandler {
  return async (request, response) => {
    const client = await pool.connect();
    try {
      const { rows } = await client.query(keyStatement(request.headers.authorization ?? ''));
      const [key] = rows;
      if (!key?.account) return void response.status(401).json({ error: 'There is no such key.' });
      if (!key.scopes.split(' ').includes(scope)) {
        return void response.status(403).json({ error: `The key lacks ${scope}.` });
      }
      response.json(await run(client, ask(request)));
    } finally {
      client.release();
    }
  };
}

async function run(client: pg.PoolClient, { statements, isWrite, answer }: Operation): Promise<unknown> {
  let last: pg.QueryResult | undefined;
  try {
    if (isWrite) await client.query('begin');
    for (const statement of statements) last = await client.query(statement);
    if (isWrite) await client.query('commit');
  } catch (error) {
    if (isWrite) await client.query('rollback');
    throw error;
  }
  return answer(last?.rows ?? []);
}
