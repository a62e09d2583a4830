import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults that a venue's list can suffer on its way. */
const TROUBLES = ['429', '500', 'reset', 'truncated', 'duplicates', 'shuffled', 'cut', 'bad record'] as const;
export type ListFault = (typeof TROUBLES)[number];

export type FaultyVenue = AsyncDisposable & {
  readonly url: string;
  /** The number of requests, and the faults made of them. */
  readonly counts: Map<ListFault | 'requests', number>;
  /** Passes on every response unchanged from now on. */
  calm(): void;
};

/**
 * Passes requests on to a venue and spoils every `every`-th response, each time with the next kind of fault. It passes on lists
 * of candles.
 */
export async function openFaultyVenue(target: string, every: number): Promise<FaultyVenue> {
  const counts = new Map<ListFault | 'requests', number>();
  let isCalm = false;
  const count = (what: ListFault | 'requests') => counts.set(what, (counts.get(what) ?? 0) + 1);
  const server = createServer(async (request, response) => {
    count('requests');
    const requests = counts.get('requests') ?? 0;
    const isSpoiled = !isCalm && requests % every === 0;
    const trouble = isSpoiled ? TROUBLES[(requests / every) % TROUBLES.length] : undefined;
    if (trouble !== undefined) count(trouble);
    const answer = await fetch(`${target}${request.url}`);
    respond(response, trouble, answer.status, await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    calm: () => {
      isCalm = true;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function respond(
  response: ServerResponse,
  trouble: ListFault | undefined,
  status: number,
  text: string,
): void {
  const json = (body: string, code = status, headers = {}) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if (trouble === '429') json('{}', 429, { 'retry-after': '0' });
  else if (trouble === '500') json('{}', 500);
  else if (trouble === 'reset') response.destroy();
  else if (trouble === 'truncated') {
    response.writeHead(status, { 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  } else if (trouble === undefined) json(text);
  else json(JSON.stringify(spoiled(trouble, JSON.parse(text))));
}

function spoiled(trouble: ListFault, list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  if (trouble === 'duplicates') return list.flatMap((row, index) => (index % 7 === 0 ? [row, row] : [row]));
  if (trouble === 'shuffled') return list.toReversed();
  if (trouble === 'cut') return list.slice(0, Math.ceil(list.length / 3));
  if (trouble === 'bad record') return list.with(Math.floor(list.length / 2), ['not a candle']);
  return list;
}
