import { readFile, writeFile } from 'node:fs/promises';
import { type Client, createClient, type Outputs } from '../client.ts';
import { type AccountEvent, follow } from '../events.ts';
import type { OrdersReadOutput } from '../generated/router.ts';
import { createRestClient } from '../rest.ts';
import { type Account, forgetAccount, keepAccount } from './account.ts';
import { completionOf } from './completion.ts';
import { csvOf } from './csv.ts';
import { EXIT, type Exit, type Io, table, UsageError } from './io.ts';
import { bridge } from './mcp.ts';

export type Options = Readonly<Record<string, string | boolean | undefined>>;
/** One call of a command. `account` signs in, and is asked for by those that need it. */
export type Asked = { io: Io; words: readonly string[]; options: Options; account: () => Promise<Account> };

/** @property takes the word it asks for, where it asks for one */
type Command = { usage: string; does: string; takes?: string; run: (asked: Asked) => Promise<Exit> };

const print = ({ io, options }: Asked, value: unknown, text: () => string): void =>
  io.out(options['json'] ? `${JSON.stringify(value)}\n` : text());

const word = ({ words }: Asked, what: string): string => {
  const [first] = words;
  if (first === undefined) throw new UsageError(`Which ${what}?`);
  return first;
};

/** Fails where more was said than would be done: who stops two strategies must not have stopped one. */
export function checkWords({ usage, takes }: Command, words: readonly string[]): void {
  if (words.length <= (takes === undefined ? 0 : 1)) return;
  const said = words.map((each) => `“${each}”`).join(' and ');
  throw new UsageError(
    `${usage}: it takes ${takes === undefined ? 'no words' : `one ${takes}`}, not ${said}.`,
  );
}

const clientOf = async ({ account }: Asked): Promise<Client> => createClient(await account());

/** Every command, as help lists them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    takes: 'address',
    usage: 'login <url>',
    does: 'keep the key of an account; it is read from the input',
    run: login,
  },
  logout: { usage: 'logout', does: 'forget it', run: logout },
  list: { usage: 'list', does: 'the strategies of the account', run: list },
  validate: {
    takes: 'file',
    usage: 'validate <file>',
    does: 'check a drawing without keeping it',
    run: validate,
  },
  deploy: {
    takes: 'file',
    usage: 'deploy <file> [--name <name>] [--id <id>]',
    does: 'keep a drawing and run it',
    run: deploy,
  },
  stop: { takes: 'strategy', usage: 'stop <id> | stop --all', does: 'stop a strategy, or all', run: stop },
  orders: { usage: 'orders [--status <status>]', does: 'the latest orders', run: orders },
  watch: { usage: 'watch [--kinds <kinds>]', does: 'orders and fills as they happen', run: watch },
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
    does: 'print what a shell completes by',
    run: completion,
  },
};

async function login(asked: Asked): Promise<Exit> {
  const url = word(asked, 'address? Say the URL of the service').replace(/\/+$/, '');
  const bare = url.replace(/^[a-z+]*:\/\//i, '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no address of the service: say https://${bare} or http://${bare}.`);
  const { io } = asked;
  const key = ((await io.ask?.('API key: ')) ?? (await firstLine(io))).trim();
  const rules = await createRestClient({ url, key }).GET('/api/orders', { params: { query: { limit: 1 } } });
  if (rules.response.status === 401) throw rules.error;
  const file = await keepAccount(io.env, { url, key });
  print(asked, { url, file }, () => `Kept in ${file}, which only you can read.\n`);
  return EXIT.done;
}

async function firstLine(io: Io): Promise<string> {
  for await (const line of io.lines()) return line;
  return '';
}

async function logout({ io }: Asked): Promise<Exit> {
  await forgetAccount(io.env);
  return EXIT.done;
}

async function list(asked: Asked): Promise<Exit> {
  const client = await clientOf(asked);
  const blueprints = await client.blueprints.list.query({});
  const rows = blueprints.map(({ id, status, name }) => [id, status, name]);
  print(asked, blueprints, () => table([['ID', 'STATUS', 'NAME'], ...rows]));
  return EXIT.done;
}

type Drawing = { name: string | null; visual: unknown };

/** A file holds a drawing, or a drawing with its name. */
async function readDrawing(asked: Asked): Promise<Drawing> {
  const file = word(asked, 'file');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  const read = parsed(text, file);
  const { name, visual = read } = read as { name?: unknown; visual?: unknown };
  const named = asked.options['name'] ?? name;
  return { name: typeof named === 'string' ? named : null, visual };
}

/** A new one without a name has that of its file. */
const created = async (asked: Asked, client: Client, { name, visual }: Drawing): Promise<{ id: string }> =>
  client.blueprints.create.mutate({
    name: name ?? word(asked, 'file').replace(/^.*[\\/]|\.json$/g, ''),
    visual,
  });

function parsed(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  throw new UsageError(`${file} holds no JSON object.`);
}

type Checked = Outputs['blueprints']['validate'];
const told = ({ valid, issues }: Checked): string =>
  `${valid ? 'valid' : 'not valid'}\n${table(issues.map(({ severity, path, message }) => [severity, path ?? '', message]))}`;

async function validate(asked: Asked): Promise<Exit> {
  const client = await clientOf(asked);
  const { id } = await created(asked, client, await readDrawing(asked));
  try {
    const checked = await client.blueprints.validate.mutate({ id });
    print(asked, checked, () => told(checked));
    return checked.valid ? EXIT.done : EXIT.invalid;
  } finally {
    await client.blueprints.delete.mutate({ id });
  }
}

async function deploy(asked: Asked): Promise<Exit> {
  const client = await clientOf(asked);
  const drawing = await readDrawing(asked);
  const { name, visual } = drawing;
  const known = asked.options['id'];
  const { id } =
    typeof known === 'string'
      ? await client.blueprints.update.mutate({ id: known, visual, ...(name !== null && { name }) })
      : await created(asked, client, drawing);
  const checked = await client.blueprints.validate.mutate({ id });
  if (!checked.valid) {
    print(asked, { id, ...checked }, () => told(checked));
    return EXIT.invalid;
  }
  const running = await client.blueprints.deploy.mutate({ id });
  print(asked, running, () => `${running.id}  ${running.status}  ${running.name}\n`);
  return EXIT.done;
}

async function stop(asked: Asked): Promise<Exit> {
  const client = await clientOf(asked);
  if (asked.options['all']) {
    if (asked.words.length > 0) throw new UsageError('stop: one strategy, or --all, not both.');
    const stopped = await client.blueprints.stopAll.mutate({});
    print(asked, stopped, () => `${stopped.stopped} stopped\n`);
    return EXIT.done;
  }
  const { id, status } = await client.blueprints.stop.mutate({ id: word(asked, 'strategy') });
  print(asked, { id, status }, () => `${id}  ${status}\n`);
  return EXIT.done;
}

const ORDERS_SHOWN = 50;
const ORDER_HEAD = ['ID', 'STATUS', 'SIDE', 'AMOUNT', 'BLUEPRINT', 'CREATED'];

async function orders(asked: Asked): Promise<Exit> {
  const client = await clientOf(asked);
  const { status } = asked.options;
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
  print(asked, found, () => table([ORDER_HEAD, ...rows]));
  return EXIT.done;
}

async function watch(asked: Asked): Promise<Exit> {
  const { io, options } = asked;
  const { kinds = 'order.changed,fill.applied' } = options;
  const account = await asked.account();
  for await (const event of follow({ ...account, kinds: String(kinds).split(','), signal: io.signal })) {
    print(asked, event, () => table([lineOf(event)]));
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

async function approve(asked: Asked): Promise<Exit> {
  const { io, options } = asked;
  const account = await asked.account();
  const id = word(asked, 'order');
  // REST says the version of what it shows.
  const {
    data: order,
    error,
    response,
  } = await createRestClient(account).GET('/api/orders/{id}', {
    params: { path: { id } },
  });
  if (order === undefined) throw error;
  if (!options['json']) io.out(receiptOf(order));
  const isWaiting = order.status === 'pending';
  if (isWaiting && !options['yes']) {
    if (io.ask === null)
      throw new UsageError('Nobody is there to ask: say --yes to approve without a question.');
    if (!/^y(es)?$/i.test((await io.ask('Approve? [y/N] ')).trim())) return EXIT.failed;
  }
  const ifMatch = response.headers.get('etag');
  if (ifMatch === null) throw new Error('The service does not say which version of the order this is.');
  const approved = await createClient(account).orders.approve.mutate({ id }, { context: { ifMatch } });
  // What was approved before is a success of the service, and none of this command.
  print(asked, approved, () =>
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

async function reject(asked: Asked): Promise<Exit> {
  const client = await clientOf(asked);
  const rejected = await client.orders.reject.mutate({ id: word(asked, 'order') });
  print(asked, rejected, () => 'declined\n');
  return EXIT.done;
}

const PAGE = 1_000;

/** Over REST, whose answers say where the list goes on. */
async function exportOrders(asked: Asked): Promise<Exit> {
  const rest = createRestClient(await asked.account());
  const rows: object[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const { data, error, response } = await rest.GET('/api/orders', { params: { query } });
    if (data === undefined) throw error;
    rows.push(...data);
    const next = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1];
    cursor = next && decodeURIComponent(next);
  }
  const { out } = asked.options;
  const text = asked.options['json'] ? `${JSON.stringify(rows)}\n` : csvOf(rows);
  if (typeof out === 'string') await writeFile(out, text);
  else asked.io.out(text);
  return EXIT.done;
}

async function mcp({ io, account }: Asked): Promise<Exit> {
  await bridge(io, await account());
  return EXIT.done;
}

async function completion(asked: Asked): Promise<Exit> {
  asked.io.out(completionOf(word(asked, 'shell'), Object.keys(COMMANDS)));
  return EXIT.done;
}
