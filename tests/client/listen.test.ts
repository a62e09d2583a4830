import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { EXIT } from '../../client/src/cli/io.ts';
import { run } from '../../client/src/cli/run.ts';

const open: http.Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('listen posts each event in order, signed with a secret that is the same at every start', async () => {
  const enough = new AbortController();
  const service = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const id of [1, 2])
      response.write(
        `id: ${id}\nevent: order.changed\ndata: {"type":"order.changed","at":"2026-11-28T00:00:00.000Z","payload":{"n":${id}}}\n\n`,
      );
  });
  const received: { body: string; headers: http.IncomingHttpHeaders }[] = [];
  const program = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    response.writeHead(received.length === 1 ? 500 : 200).end();
  });
  let [out, err] = ['', ''];
  const io = {
    out: (text: string) => {
      out += text;
      if (out.split('\n').length > 2) enough.abort();
    },
    err: (text: string) => {
      err += text;
    },
    ask: null,
    lines: async function* () {},
    env: { TRADING_STRATEGY_URL: service, TRADING_STRATEGY_KEY: 'tsk_any' },
    signal: AbortSignal.any([enough.signal, AbortSignal.timeout(20_000)]),
  };
  expect(await run(['listen', '--forward-to', `${program}/hook`, '--json'], io)).toBe(EXIT.done);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { id: '1', type: 'order.changed', answer: 500 },
    { id: '2', type: 'order.changed', answer: 200 },
  ]);
  const secret = /whsec_\S+(?=,)/.exec(err)?.[0] ?? '';
  for (const { body, headers } of received)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  expect(received.map(({ body }) => JSON.parse(body).data)).toEqual([{ n: 1 }, { n: 2 }]);
  const first = err;
  err = '';
  enough.abort();
  await run(['listen', '--forward-to', program], { ...io, signal: AbortSignal.abort() });
  expect(err).toBe(first);
});

test.each([[[]], [['--forward-to', 'localhost:4000']]])(
  'listen needs the address of a program: %j',
  async (words) => {
    const err: string[] = [];
    const io = {
      out: () => {},
      err: (text: string) => void err.push(text),
      ask: null,
      lines: async function* () {},
      env: {},
      signal: AbortSignal.timeout(5_000),
    };
    expect(await run(['listen', ...words], io)).toBe(EXIT.usage);
    expect(err.join('')).toContain('--forward-to');
  },
);
