/**
 * The cheapest server that gives the same answers with the key checked: bare `node:http` and prepared `pg`. Key and statements
 * go in one write, one round trip per request, without validation or headers.
 *
 * Reads `PORT` and `BENCH_DATABASE` (JSON for `pg`).
 */

import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import {
  blueprintCreate,
  blueprintRead,
  blueprintsList,
  keyStatement,
  type Operation,
  ordersPage,
  portfolioRead,
} from './http-routes.ts';

const pool = new pg.Pool({
  ...JSON.parse(process.env['BENCH_DATABASE'] ?? '{}'),
  pipeline: true,
  max: 20,
});

const server = createServer(async (request, response) => {
  try {
    if (request.url === '/health') return void response.end('{}');
    const body = await answerOf(await operationOf(request), request.headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch {
    // The load ends with half-sent requests; any other failure shows on the client's side.
    response.destroy();
  }
});
server.listen(Number(process.env['PORT']), '127.0.0.1');

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
  process.exit(0);
});

async function operationOf(request: IncomingMessage): Promise<Operation> {
  const [path = '', search = ''] = (request.url ?? '').split('?');
  if (request.method === 'POST') {
    const { name, visual } = JSON.parse(await text(request));
    return blueprintCreate(name, visual);
  }
  if (path === '/api/orders') return ordersPage(Number(new URLSearchParams(search).get('limit')));
  if (path === '/api/portfolio') return portfolioRead();
  if (path === '/api/blueprints') return blueprintsList();
  return blueprintRead(path.slice(path.lastIndexOf('/') + 1));
}

async function answerOf({ statements, isWrite, answer }: Operation, authorization: string): Promise<unknown> {
  const client = await pool.connect();
  try {
    const key = client.query(keyStatement(authorization));
    const sent = [
      ...(isWrite ? [client.query('begin')] : []),
      ...statements.map((statement) => client.query(statement)),
      ...(isWrite ? [client.query('commit')] : []),
    ];
    const [{ rows: keys }, ...results] = await Promise.all([key, ...sent]);
    if (!keys[0]?.account) throw new Error('There is no such key.');
    client.release();
    const last = results.at(isWrite ? -2 : -1);
    return answer(last?.rows ?? []);
  } catch (error) {
    client.release(true);
    throw error;
  }
}
