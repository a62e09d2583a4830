/** The README's tour through both entries, as a project of its own. */
import {
  createClient,
  type ErrorCode,
  follow,
  isRefusedWith,
  type Order,
  type Outputs,
  problemOf,
} from 'trading-strategy';
import { createRestClient } from 'trading-strategy/rest';

declare const process: { argv: string[] };
declare const console: { log: (text: string) => void };

const [, , url = '', key = ''] = process.argv;
const check = (isSo: boolean, what: string) => {
  if (!isSo) throw new Error(what);
};

const visual = {
  nodes: [
    { id: 'price', type: 'crypto.price', data: { config: { symbol: 'BTCUSDT', field: 'ask' } } },
    { id: 'level', type: 'constant', data: { config: { value: 1000 } } },
    { id: 'above', type: 'compare', data: { config: { op: 'gt' } } },
    { id: 'amount', type: 'size', data: { config: { mode: 'notional', notional: 60 } } },
    { id: 'buy', type: 'order', data: { config: { instrument: 'BTCUSDT', side: 'buy', type: 'market' } } },
  ],
  edges: [
    { source: 'price', target: 'above', targetHandle: 'a' },
    { source: 'level', target: 'above', targetHandle: 'b' },
    { source: 'price', target: 'amount', targetHandle: 'price' },
    { source: 'above', target: 'buy', targetHandle: 'when' },
    { source: 'amount', target: 'buy', targetHandle: 'amount' },
  ],
};

const client = createClient({ url, key });
const made = await client.blueprints.create.mutate({ name: 'Over tRPC', visual });
const { valid } = await client.blueprints.validate.mutate({ id: made.id });
check(valid, 'the drawing is valid');
const rules: Outputs['riskRules']['read'] = await client.riskRules.update.mutate({ maxOrderSize: 80 });
check(rules.maxOrderSize === 80, 'the rules are changed');
const running = await client.blueprints.deploy.mutate({ id: made.id });
check(running.status === 'running', 'it runs');
const [orders, summary] = await Promise.all([
  client.orders.list.query({}),
  client.portfolio.summary.query({}),
]);
check(orders.length === 0 && typeof summary.totalPnl === 'number', 'nothing is bought yet');
for await (const { side } of client.orders.list.all({ limit: 1 })) check(side !== 'sell', 'nothing is sold');
const { data: limits, reply } = await client.riskRules.read.queryReply({});
check(limits.maxOrderSize === 80 && reply.version !== undefined, 'the rules say their version');
const code: ErrorCode = 'not_found';
const missing = await client.orders.read.query({ id: made.id }).catch((error: unknown) => error);
check(
  isRefusedWith(missing, code) && problemOf(missing)?.status === 404,
  'an order that is not there is refused',
);
// @ts-expect-error a procedure declares its input
client.blueprints.stop.mutate({ name: made.name }).catch(() => {});

// Types alone: the stream is for sessions of a browser.
export const follows = () =>
  client.events.subscribe({}, { onData: ({ id, data }) => console.log(`${id} ${data.type}`) });

// Types alone: an event's kind decides its payload.
export async function firstStatus(): Promise<Order['status'] | null> {
  for await (const event of follow({ url, key, kinds: ['order.changed', 'fill.applied'] })) {
    if (event.type === 'fill.applied') console.log(`${event.payload.fills} fills`);
    if (event.type === 'order.changed') return event.payload.status;
    // @ts-expect-error no event of this kind
    if (event.type === 'order.dreamt') return null;
  }
  return null;
}
// @ts-expect-error the console's own procedures are not in the client
export const ofTheConsole = () => client.console;

const rest = createRestClient({ url, key });
const { data: listed } = await rest.GET('/api/blueprints', { params: { query: { status: 'running' } } });
check(listed?.[0]?.id === made.id, 'REST finds it');
for await (const { id } of rest.ALL('/api/blueprints', { params: { query: { limit: 1 } } }))
  check(id === made.id, 'REST lists it page by page');
// @ts-expect-error only lists have pages
export const noPages = () => rest.ALL('/api/portfolio');
const stopped = await rest.POST('/api/blueprints/{id}/stop', { params: { path: { id: made.id } } });
check(stopped.data?.status === 'stopped', 'REST stops it');
const refused = await rest.POST('/api/blueprints/{id}/stop', { params: { path: { id: 'none' } } });
check(refused.error?.error.code === 'validation_failed', 'REST says why not');
// @ts-expect-error an operation declares its answer
check(listed?.[0]?.nope === undefined, 'nothing else');
console.log('toured');
