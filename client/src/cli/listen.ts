import { createHash, createHmac } from 'node:crypto';
import { type FollowOptions, follow } from '../events.ts';
import type { AccountEvent } from '../generated/router.ts';
import { type Command, type CommandCall, print } from './call.ts';
import { EXIT, type Exit, table, UsageError } from './io.ts';

export const LISTEN_COMMAND: Command = {
  usage: 'listen --forward-to <url> [--kinds <kinds>]',
  does: 'post each event to a program on this machine, signed as webhooks are',
  run: listen,
};

const ANSWER_MS = 10_000;

/** Forwards in order, each event once: a program that does not answer does not stop the others. */
async function listen(call: CommandCall): Promise<Exit> {
  const { io, options } = call;
  const { 'forward-to': to, kinds } = options;
  if (typeof to !== 'string' || !/^https?:$/.test(URL.parse(to)?.protocol ?? ''))
    throw new UsageError(
      'Where to? Pass --forward-to with the address of your program, such as http://localhost:4000/hook.',
    );
  const account = await call.account();
  const secret = createHash('sha256').update(`listen ${account.key}`).digest();
  io.err(`The secret is whsec_${secret.toString('base64')}, the same for this key at every start.\n`);
  // The service refuses unknown kinds and lists the known ones.
  const wanted =
    typeof kinds === 'string' ? { kinds: kinds.split(',') as NonNullable<FollowOptions['kinds']> } : {};
  for await (const event of follow({ ...account, ...wanted, signal: io.signal })) {
    const answer = await forward(event, { to, secret, signal: io.signal });
    const { id, type } = event;
    print(call, { id, type, answer }, () => table([[id, type, String(answer)]]));
  }
  return EXIT.done;
}

type Forwarding = { to: string; secret: Buffer; signal: AbortSignal };

/** Returns the status of the answer, or why there is none. */
async function forward(
  { id, at, type, payload }: AccountEvent,
  { to, secret, signal }: Forwarding,
): Promise<number | string> {
  const body = JSON.stringify({ type, timestamp: at, data: payload });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  try {
    const answer = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    await answer.body?.cancel(); // its connection is free for the next event
    return answer.status;
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  }
}
