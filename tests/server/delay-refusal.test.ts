import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { delayRefusal } from '../../server/http-kit/delay-refusal.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';

const PAST = 50;

test('at most 500 refusals wait; the next are sent at once, and their connections end', async () => {
  const arrived: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    if (arrived.push(response) === CAPACITY.lateRefusals + PAST) void Promise.all(arrived.map(refuse));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });

  const answers = await Promise.all(
    Array.from({ length: CAPACITY.lateRefusals + PAST }, () => answerOf(port, agent)),
  );

  expect(answers.filter(({ headers }) => headers.connection === 'close')).toHaveLength(PAST);
  agent.destroy();
  server.close();
});

async function answerOf(port: number, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

async function refuse(response: ServerResponse): Promise<void> {
  await delayRefusal(response);
  response.writeHead(429).end();
}
