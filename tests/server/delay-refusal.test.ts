import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { delayRefusal } from '../../server/http-kit/delay-refusal.ts';
import { requestIds } from '../../server/http-kit/requests.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';

const PAST = 50;

test.each([
  { caller: 'behind a proxy', ip: '203.0.113.7', ended: PAST },
  { caller: 'that came directly', ip: '127.0.0.1', ended: 0 },
])(
  'of 550 refusals at once to callers $caller, $ended do not wait, and their connections end',
  async ({ ip, ended }) => {
    const arrived: ServerResponse[] = [];
    const server = createServer((request, response) => {
      requestIds(Object.assign(request, { ip }) as unknown as Request, response as Response, () => {});
      if (arrived.push(response) === CAPACITY.lateRefusals + PAST) void Promise.all(arrived.map(refuse));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });

    const answers = await Promise.all(
      Array.from({ length: CAPACITY.lateRefusals + PAST }, () => answerOf(port, agent)),
    );

    expect(answers.filter(({ headers }) => headers.connection === 'close')).toHaveLength(ended);
    agent.destroy();
    server.close();
  },
);

async function answerOf(port: number, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

async function refuse(response: ServerResponse): Promise<void> {
  await delayRefusal(response, 'anonymous');
  response.writeHead(429).end();
}
