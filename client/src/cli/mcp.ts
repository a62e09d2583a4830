import type { Account } from './account.ts';
import type { Io } from './io.ts';

/**
 * Forwards each message of standard input to the service and writes its answer. For programs that start their MCP servers
 * themselves. An answer outside the protocol becomes an error, so that the client does not wait forever.
 */
export async function bridge(io: Io, { url, key }: Account): Promise<void> {
  const under = new Set<Promise<void>>();
  const session: Session = {};
  for await (const line of io.lines()) {
    if (line.trim() === '') continue;
    const handing = forward(io, line, { url, key, session });
    under.add(handing);
    void handing.then(() => under.delete(handing));
  }
  await Promise.all(under);
}

/** The session id of the service's first answer, which further messages carry. */
type Session = { id?: string };
type Target = Account & { session: Session };

async function forward(io: Io, line: string, target: Target): Promise<void> {
  const answer = await forwarded(line, target).catch((error: unknown) => failure(line, String(error)));
  if (answer !== '') io.out(`${answer}\n`);
}

async function forwarded(line: string, { url, key, session }: Target): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session.id !== undefined && { 'mcp-session-id': session.id }),
    },
    body: line,
  });
  const sessionId = response.headers.get('mcp-session-id');
  if (sessionId !== null) session.id = sessionId;
  const text = await response.text();
  return response.ok ? text : failure(line, text);
}

/** A notification has no id, so it has no answer. */
function failure(line: string, message: string): string {
  const id = idOf(line);
  return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message } });
}

function idOf(line: string): unknown {
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return null;
    return 'id' in message ? message.id : undefined;
  } catch {
    return null;
  }
}
