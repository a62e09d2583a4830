import { writeFile } from 'node:fs/promises';
import { createClient, type Outputs } from '../client.ts';
import { type FollowOptions, follow } from '../events.ts';
import type { AccountEvent, OrdersReadOutput, StreamedValue } from '../generated/router.ts';
import { createRestClient } from '../rest.ts';
import { followValues } from '../values.ts';
import { forgetAccount, listProfiles, profileOf, storeAccount, withoutSlashes } from './account.ts';
import { APPLY_COMMANDS } from './apply.ts';
import { type Command, type CommandCall, clientOf, print, word } from './call.ts';
import { completionOf } from './completion.ts';
import { csvOf } from './csv.ts';
import { EXIT, type Exit, type Io, table, UsageError } from './io.ts';
import { LISTEN_COMMAND } from './listen.ts';
import { bridge } from './mcp.ts';
import { STRATEGY_COMMANDS } from './strategies.ts';

/** Refuses surplus arguments: a caller that names two strategies to stop must not have stopped one. */
export function checkWords({ usage, takes, takesMany = false }: Command, words: readonly string[]): void {
  if (takesMany || words.length <= (takes === undefined ? 0 : 1)) return;
  const quoted = words.map((each) => `“${each}”`).join(' and ');
  throw new UsageError(
    `${usage}: it takes ${takes === undefined ? 'no words' : `one ${takes}`}, not ${quoted}.`,
  );
}

/** Every command, as help lists them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    takes: 'address',
    usage: 'login <url>',
    does: 'store the key of an account, read from standard input',
    run: login,
  },
  logout: { usage: 'logout', does: 'forget it', run: logout },
  profiles: { usage: 'profiles', does: 'the sign-ins that are stored, for --profile', run: profiles },
  ...STRATEGY_COMMANDS,
  ...APPLY_COMMANDS,
  stop: { takes: 'strategy', usage: 'stop <id> | stop --all', does: 'stop a strategy, or all', run: stop },
  orders: { usage: 'orders [--status <status>]', does: 'the latest orders', run: orders },
  watch: { usage: 'watch [--kinds <kinds>]', does: 'orders and fills as they happen', run: watch },
  stream: {
    usage: 'stream [--prices <ids>] [--books <ids>] [--blueprints <ids>]',
    does: 'prices, order books and node values as they change',
    run: stream,
  },
  listen: LISTEN_COMMAND,
  approve: {
    takes: 'order',
    usage: 'approve <id> [--yes]',
    does: 'show the receipt of an order, and approve it',
    run: approve,
  },
  reject: { takes: 'order', usage: 'reject <id>', does: 'decline an order', run: reject },
  export: { usage: 'export [--out <file>]', does: 'all orders as CSV', run: exportOrders },
  mcp: { usage: 'mcp', does: 'speak the Model Context Protocol over standard input and output', run: mcp },
  completion: {
    takes: 'shell',
    usage: 'completion <bash|zsh|fish>',
    does: 'print the completion script of a shell',
    run: completion,
  },
};

async function login(call: CommandCall): Promise<Exit> {
  const url = withoutSlashes(word(call, 'address? Name the URL of the service'));
  const bare = url.replace(/^[a-z+]*:\/\//i, '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is not an address of the service. Use https://${bare} or http://${bare}.`);
  const { io } = call;
  const key = ((await io.ask?.('API key: ')) ?? (await firstLine(io))).trim();
  const rules = await createRestClient({ url, key }).GET('/api/orders', { params: { query: { limit: 1 } } });
  if (rules.response.status === 401) throw rules.error;
  const file = await storeAccount(io.env, { url, key }, profileOf(io.env, call.options['profile']));
  print(call, { url, file }, () => `Stored in ${file}, which only you can read.\n`);
  return EXIT.done;
}

async function firstLine(io: Io): Promise<string> {
  for await (const line of io.lines()) return line;
  return '';
}

async function logout({ io, options }: CommandCall): Promise<Exit> {
  await forgetAccount(io.env, profileOf(io.env, options['profile']));
  return EXIT.done;
}

async function profiles(call: CommandCall): Promise<Exit> {
  const found = await listProfiles(call.io.env);
  print(call, found, () => table(found.map(({ profile, url }) => [profile, url])));
  return EXIT.done;
}

async function stop(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  if (call.options['all']) {
    if (call.words.length > 0) throw new UsageError('stop: one strategy, or --all, not both.');
    const stopped = await client.blueprints.stopAll.mutate({});
    print(call, stopped, () => `${stopped.stopped} stopped\n`);
    return EXIT.done;
  }
  const { id, status } = await client.blueprints.stop.mutate({ id: word(call, 'strategy') });
  print(call, { id, status }, () => `${id}  ${status}\n`);
  return EXIT.done;
}

const ORDERS_SHOWN = 50;
const ORDER_HEAD = ['ID', 'STATUS', 'SIDE', 'AMOUNT', 'BLUEPRINT', 'CREATED'];

async function orders(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const { status } = call.options;
  const found = await client.orders.list.query({
    limit: ORDERS_SHOWN,
    ...(typeof status === 'string' && { status: status as Outputs['orders']['list'][number]['status'] }),
  });
  const rows = found.map(({ id, status: is, side, amount, blueprintId, createdAt }) => [
    id,
    is,
    side,
    String(amount),
    blueprintId,
    createdAt,
  ]);
  print(call, found, () => table([ORDER_HEAD, ...rows]));
  return EXIT.done;
}

async function watch(call: CommandCall): Promise<Exit> {
  const { io, options } = call;
  const { kinds = 'order.changed,fill.applied' } = options;
  const account = await call.account();
  // The service refuses unknown kinds and lists the known ones.
  const wanted = String(kinds).split(',') as NonNullable<FollowOptions['kinds']>;
  for await (const event of follow({ ...account, kinds: wanted, signal: io.signal })) {
    print(call, event, () => table([lineOf(event)]));
  }
  return EXIT.done;
}

function lineOf({ at, type, payload }: AccountEvent): string[] {
  const { id, status, side, tokenId } = { ...(payload as Readonly<Record<string, unknown>>) };
  return [
    at,
    type,
    ...[status, side, tokenId, id].flatMap((each) => (typeof each === 'string' ? [each] : [])),
  ];
}

async function stream(call: CommandCall): Promise<Exit> {
  const { io, options } = call;
  const account = await call.account();
  const [prices = [], books = [], blueprints = []] = [
    options['prices'],
    options['books'],
    options['blueprints'],
  ].map(idsOf);
  for await (const value of followValues({ ...account, prices, books, blueprints, signal: io.signal })) {
    print(call, value, () => table([valueLineOf(value)]));
  }
  return EXIT.done;
}

const idsOf = (list: string | boolean | undefined): string[] =>
  typeof list === 'string' ? list.split(',') : [];

function valueLineOf({ at, type, payload }: StreamedValue): string[] {
  switch (type) {
    case 'price':
      return [at, type, payload.tokenId, `bid ${payload.bid ?? '-'}`, `ask ${payload.ask ?? '-'}`];
    case 'book': {
      const [[bid], [ask]] = [payload.bids, payload.asks];
      return [at, type, payload.tokenId, `bid ${bid?.price ?? '-'}`, `ask ${ask?.price ?? '-'}`];
    }
    case 'nodes':
      return [at, type, payload.blueprintId, payload.status, JSON.stringify(payload.nodeStates)];
    case 'unavailable':
      return [at, type, payload.of, payload.id, payload.code];
  }
}

async function approve(call: CommandCall): Promise<Exit> {
  const { io, options } = call;
  const account = await call.account();
  const id = word(call, 'order');
  const client = createClient(account);
  const {
    data: order,
    reply: { version },
  } = await client.orders.read.queryReply({ id });
  if (!options['json']) io.out(receiptOf(order));
  const isWaiting = order.status === 'pending';
  if (isWaiting && !options['yes']) {
    if (io.ask === null)
      throw new UsageError('There is no terminal to ask on. Pass --yes to approve without a question.');
    if (!/^y(es)?$/i.test((await io.ask('Approve? [y/N] ')).trim())) return EXIT.failed;
  }
  if (version === undefined) throw new Error('The answer of the service lacks the version of the order.');
  const approved = await client.orders.approve.mutate({ id }, { context: { expectedVersion: version } });
  // An order approved before is a success of the service, and not of this command.
  print(call, approved, () =>
    isWaiting ? 'approved\n' : `nothing to approve: the order is ${order.status}\n`,
  );
  return EXIT.done;
}

function receiptOf({ side, amount, tokenId, status, receipt }: OrdersReadOutput): string {
  const lines = receipt?.lines ?? [];
  const rows = lines.map(({ rule, verdict, limit, actual }) => [
    rule,
    verdict,
    String(limit ?? ''),
    String(actual ?? ''),
  ]);
  return (
    table([[`${side} ${amount} ${tokenId} (${status})`]]) +
    table([['RULE', 'SAYS', 'LIMIT', 'VALUE'], ...rows])
  );
}

async function reject(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const rejected = await client.orders.reject.mutate({ id: word(call, 'order') });
  print(call, rejected, () => 'declined\n');
  return EXIT.done;
}

const PAGE = 1_000;

async function exportOrders(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const rows: object[] = [];
  for await (const order of client.orders.list.all({ limit: PAGE })) rows.push(order);
  const { out } = call.options;
  const text = call.options['json'] ? `${JSON.stringify(rows)}\n` : csvOf(rows);
  if (typeof out === 'string') await writeFile(out, text);
  else call.io.out(text);
  return EXIT.done;
}

async function mcp({ io, account }: CommandCall): Promise<Exit> {
  await bridge(io, await account());
  return EXIT.done;
}

async function completion(call: CommandCall): Promise<Exit> {
  call.io.out(completionOf(word(call, 'shell'), COMMANDS));
  return EXIT.done;
}
