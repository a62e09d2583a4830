import { setTimeout as sleep } from 'node:timers/promises';
import type { Guest } from './browser.ts';

const SYMBOL = 'BTCUSDT';
const WAIT_MS = 45_000;

/** Buys once for `notional` USD as soon as it is deployed. */
export const buysAtOnce = (notional: number) => ({
  nodes: [
    {
      id: 'price',
      type: 'crypto.price',
      position: { x: 0, y: 0 },
      data: { config: { symbol: SYMBOL, field: 'ask' } },
    },
    { id: 'floor', type: 'constant', position: { x: 0, y: 140 }, data: { config: { value: 1 } } },
    { id: 'above', type: 'compare', position: { x: 288, y: 0 }, data: { config: { op: 'gt' } } },
    {
      id: 'amount',
      type: 'size',
      position: { x: 288, y: 140 },
      data: { config: { mode: 'notional', notional } },
    },
    {
      id: 'buy',
      type: 'order',
      position: { x: 576, y: 0 },
      data: { label: 'Buy', config: { instrument: SYMBOL, side: 'buy', type: 'market' } },
    },
  ],
  edges: [
    { id: 'e1', source: 'price', sourceHandle: 'out', target: 'above', targetHandle: 'a' },
    { id: 'e2', source: 'floor', sourceHandle: 'out', target: 'above', targetHandle: 'b' },
    { id: 'e3', source: 'price', sourceHandle: 'out', target: 'amount', targetHandle: 'price' },
    { id: 'e4', source: 'above', sourceHandle: 'out', target: 'buy', targetHandle: 'when' },
    { id: 'e5', source: 'amount', sourceHandle: 'out', target: 'buy', targetHandle: 'amount' },
  ],
});

type Blueprint = { id: string; name: string };

export const drafted = (guest: Guest, visual: unknown, name = 'Test strategy'): Promise<Blueprint> =>
  guest.api('POST', '/api/blueprints', { name, visual });

export async function deployed(guest: Guest, visual: unknown, name?: string): Promise<Blueprint> {
  const blueprint = await drafted(guest, visual, name);
  await guest.api('POST', `/api/blueprints/${blueprint.id}/deploy`);
  return blueprint;
}

type Order = { id: string; status: string; amount: number };

/** Waits for the newest order to be in one of these statuses. */
export async function orderIn(guest: Guest, ...statuses: string[]): Promise<Order> {
  const deadline = performance.now() + WAIT_MS;
  let last: Order[] = [];
  while (performance.now() < deadline) {
    last = await guest.api<Order[]>('GET', '/api/orders');
    const found = last.find(({ status }) => statuses.includes(status));
    if (found) return found;
    await sleep(300);
  }
  const said = JSON.stringify(await strategiesOf(guest));
  throw new Error(`No order became ${statuses.join(' or ')}: ${JSON.stringify(last)}; strategies: ${said}`);
}

/** The state of each strategy, and of its nodes. */
async function strategiesOf(guest: Guest): Promise<unknown[]> {
  const listed = await guest.api<Blueprint[]>('GET', '/api/blueprints');
  return Promise.all(
    listed.map(async ({ id }) => {
      const { visual, ...said } = await guest.api<{ visual: unknown }>('GET', `/api/blueprints/${id}`);
      return said;
    }),
  );
}

/** An order over the approval limit, waiting. */
export async function pendingOrder(guest: Guest): Promise<Order> {
  await deployed(guest, buysAtOnce(80));
  return orderIn(guest, 'pending');
}

type TestGraph = ReturnType<typeof buysAtOnce>;

/** The same graph with an average and a strength index of the price added. */
export const withAverages = ({ nodes, edges }: TestGraph) => ({
  nodes: [
    ...nodes,
    {
      id: 'close',
      type: 'crypto.candle',
      position: { x: 0, y: 300 },
      data: { config: { symbol: SYMBOL, interval: '2h' } },
    },
    ...[
      { id: 'average', label: 'Average of 20', config: { kind: 'sma', period: 20 } },
      { id: 'strength', label: 'Strength', config: { kind: 'rsi', period: 14 } },
    ].map(({ id, ...data }, index) => ({
      id,
      type: 'indicator',
      position: { x: 288, y: 300 + 140 * index },
      data,
    })),
  ],
  edges: [
    ...edges,
    ...['average', 'strength'].map((target) => ({
      id: target,
      source: 'close',
      sourceHandle: 'out',
      target,
      targetHandle: 'in',
    })),
  ],
});

/** A position, bought under the approval limit. */
export async function heldPosition(guest: Guest): Promise<Order> {
  await deployed(guest, buysAtOnce(40));
  return orderIn(guest, 'filled');
}
