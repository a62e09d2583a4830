/**
 * The cheapest server for cached market data, which the service is measured against: bare `node:http` that serializes an object
 * in memory. Reads `PORT` and `FLOOR_ANSWERS` (JSON: answers by path and query).
 */

import { createServer } from 'node:http';

const answers = new Map<string, unknown>(Object.entries(JSON.parse(process.env['FLOOR_ANSWERS'] ?? '{}')));

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '') ?? { status: 'ok' };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
server.listen(Number(process.env['PORT']), '127.0.0.1');

process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
