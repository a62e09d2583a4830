/** One account as its owner, scripts and a browser use it together: all functions of the service, at a steady rate. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { draw, type Nodes } from '../support/draw-graph.ts';
import { signUp } from '../support/sign-up.ts';
import type { Tally } from './tally.ts';

const ANSWER_WITHIN_MS = 60_000;
const SYMBOL = 'BTCUSDT';
const HOUR_MS = 3_600_000;
/** Refuses nothing; orders above 50 USD wait for review. */
const RULES = {
  maxOrderSize: 1_000,
  maxDailyLoss: 1_000_000,
  maxOpenPositions: 1_000,
  maxOrdersPerMinute: 1_000,
  cooldownAfterLossSec: 0,
  requireApprovalAbove: 50,
};
/** Interval at which a stream is dropped and resumed. */
const RESUMED_AFTER_MS = 60_000;

const READS = [
  '/api/portfolio',
  '/api/portfolio/positions',
  '/api/portfolio/history',
  '/api/portfolio/statistics',
  '/api/orders?limit=50',
  '/api/blueprints',
  '/api/risk-rules/usage',
  '/api/node-types',
  '/api/crypto?symbol=BTCUSDT&type=trades',
  '/api/crypto?symbol=ETHUSDT&type=klines&interval=1m',
  '/api/venue-a?top=5',
  '/api/venue-b?top=5',
];
const CALLS = ['portfolio.summary', 'portfolio.positions', 'riskRules.read', 'blueprints.list'];

const buyer = (notional: number, everySec: number): Nodes => ({
  beat: { type: 'schedule', config: { mode: 'every', everySec } },
  ask: { type: 'crypto.price', config: { symbol: SYMBOL, field: 'ask' } },
  amount: { type: 'size', config: { mode: 'notional', notional }, inputs: { price: 'ask' } },
  buy: {
    type: 'order',
    config: { instrument: SYMBOL, side: 'buy', type: 'market' },
    inputs: { when: 'beat', amount: 'amount' },
  },
});

const CROSSING: Nodes = {
  close: { type: 'crypto.candle', config: { symbol: SYMBOL, interval: '1m', field: 'close' } },
  mean: { type: 'indicator', config: { kind: 'sma', period: 3 }, inputs: { in: 'close' } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'close', b: 'mean' } },
  below: { type: 'compare', config: { op: 'lt' }, inputs: { a: 'close', b: 'mean' } },
  amount: { type: 'constant', config: { value: 0.0002 } },
  buy: {
    type: 'order',
    config: { instrument: SYMBOL, side: 'buy', type: 'market' },
    inputs: { when: 'above', amount: 'amount' },
  },
  sell: {
    type: 'order',
    config: { instrument: SYMBOL, side: 'sell', type: 'market' },
    inputs: { when: 'below', amount: 'amount' },
  },
};

/** Runs and never trades, so that it can be deleted. */
const WATCHING: Nodes = {
  price: { type: 'crypto.price', config: { symbol: SYMBOL, field: 'last' } },
  level: { type: 'constant', config: { value: 1_000_000_000 } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
  amount: { type: 'constant', config: { value: 0.0002 } },
  buy: {
    type: 'order',
    config: { instrument: SYMBOL, side: 'buy', type: 'market' },
    inputs: { when: 'above', amount: 'amount' },
  },
};

/** Strategies that run all the time: two that buy by the clock, one of them for review, and one on candles. */
const STRATEGIES: Readonly<Record<string, Nodes>> = {
  'Buys every ten seconds': buyer(20, 10),
  'Waits for review': buyer(60, 20),
  'Crosses a mean of closed candles': CROSSING,
};

type RequestOptions = { body?: unknown; fine?: readonly number[] };

export class Trader {
  readonly #base: string;
  readonly #tally: Tally;
  readonly #ending: AbortSignal;
  #cookie = '';
  #key = '';
  #lastEvent: string | undefined;
  #reviewed = 0;
  #reads = 0;

  private constructor(base: string, { tally, ending }: { tally: Tally; ending: AbortSignal }) {
    this.#base = base;
    this.#tally = tally;
    this.#ending = ending;
  }

  static async open(base: string, options: { tally: Tally; ending: AbortSignal }): Promise<Trader> {
    const trader = new Trader(base, options);
    await trader.#signUp();
    await trader.#ask('PUT', '/api/risk-rules', { body: RULES });
    for (const [name, nodes] of Object.entries(STRATEGIES)) {
      const { id } = await trader.#ask<{ id: string }>('POST', '/api/blueprints', {
        body: { name, visual: draw(nodes) },
      });
      await trader.#ask('POST', `/api/blueprints/${id}/deploy`);
    }
    return trader;
  }

  /** Works until the end is requested. */
  async work(): Promise<void> {
    await Promise.all([
      this.#every(500, () => this.#read()),
      this.#every(2_000, () => this.#call()),
      this.#every(5_000, () => this.#draw()),
      this.#every(5_000, () => this.#review()),
      this.#every(20_000, () => this.#sell()),
      this.#every(60_000, () => this.#test()),
      this.#every(0, () => this.#follow()),
    ]);
  }

  async #every(periodMs: number, task: () => Promise<void>): Promise<void> {
    await this.#pause(Math.random() * periodMs);
    while (!this.#ending.aborted) {
      const dueMs = performance.now() + periodMs;
      await task().catch((error: unknown) => {
        if (!this.#ending.aborted) this.#tally.fail(String(error));
      });
      await this.#pause(Math.max(0, dueMs - performance.now()));
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#ending }).catch(() => undefined);
  }

  async #signUp(): Promise<void> {
    const headers = { 'content-type': 'application/json', origin: this.#base };
    this.#cookie = (await signUp(this.#base)).cookie;
    const scopes = ['blueprints', 'orders', 'portfolio', 'risk'].flatMap((what) => [
      `${what}:read`,
      `${what}:write`,
    ]);
    const made = await fetch(`${this.#base}/api/api-keys`, {
      method: 'POST',
      headers: { ...headers, cookie: this.#cookie },
      body: JSON.stringify({ name: 'Soak', scopes: [...scopes, 'blueprints:deploy', 'market_data:read'] }),
    });
    if (!made.ok) throw new Error(`Making a key answered ${made.status}: ${await made.text()}`);
    this.#key = ((await made.json()) as { key: string }).key;
  }

  async #read(): Promise<void> {
    this.#reads += 1;
    await this.#ask('GET', READS[this.#reads % READS.length] ?? '/health');
  }

  /** Sends a batch, as the console does. */
  async #call(): Promise<void> {
    const input = encodeURIComponent(JSON.stringify({ ...CALLS.map(() => ({})) }));
    const response = await fetch(`${this.#base}/trpc/${CALLS.join(',')}?batch=1&input=${input}`, {
      headers: { cookie: this.#cookie },
      signal: this.#limit(),
    });
    this.#tally.answered('tRPC batch', { status: response.status, text: await response.text(), fine: [200] });
  }

  /** Creates a graph, uses it and deletes it. */
  async #draw(): Promise<void> {
    const body = { name: randomUUID(), visual: draw(WATCHING) };
    const { id } = await this.#ask<{ id: string }>('POST', '/api/blueprints', { body });
    await this.#ask('PUT', `/api/blueprints/${id}`, { body: { name: `${body.name}, changed` } });
    await this.#ask('POST', `/api/blueprints/${id}/validate`);
    await this.#ask('POST', `/api/blueprints/${id}/deploy`);
    await this.#ask('GET', `/api/blueprints/${id}`);
    await this.#ask('POST', `/api/blueprints/${id}/stop`);
    await this.#ask('DELETE', `/api/blueprints/${id}`);
  }

  /** Approves and declines pending orders by turns; an order that changed since it was read is left for the next poll. */
  async #review(): Promise<void> {
    const orders = await this.#ask<{ id: string }[]>('GET', '/api/orders?status=pending&limit=20');
    for (const { id } of orders) {
      this.#reviewed += 1;
      const verdict = this.#reviewed % 2 === 0 ? 'approve' : 'reject';
      await this.#ask('POST', `/api/orders/${id}/${verdict}`, { fine: [200, 409, 422] });
    }
  }

  async #sell(): Promise<void> {
    const body = { tokenId: SYMBOL, amount: 0.0004 };
    // At the beginning nothing is held yet, or all of it is being sold.
    await this.#ask('POST', '/api/portfolio/positions/close', { body, fine: [200, 400, 404, 409, 422] });
  }

  async #test(): Promise<void> {
    const to = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
    const from = new Date(to.getTime() - 6 * HOUR_MS);
    const { id } = await this.#ask<{ id: string }>('POST', '/api/backtests', {
      body: { visual: draw(CROSSING), from, to, fresh: true },
      fine: [200, 429],
    });
    if (id === undefined) return;
    for (;;) {
      const { status } = await this.#ask<{ status: string }>('GET', `/api/backtests/${id}`);
      if (!['queued', 'running'].includes(status)) {
        if (status !== 'done') this.#tally.fail(`A backtest ended as ${status}`);
        break;
      }
      await this.#pause(1_000);
      if (this.#ending.aborted) return;
    }
    await this.#ask('GET', `/api/backtests/${id}/trades`);
    await this.#ask('DELETE', `/api/backtests/${id}`);
  }

  /** Follows the stream for a while, from its last event. Numbers only grow, and no event is reported missing. */
  async #follow(): Promise<void> {
    const response = await fetch(`${this.#base}/api/events`, {
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(this.#lastEvent !== undefined && { 'last-event-id': this.#lastEvent }),
      },
      signal: AbortSignal.any([this.#ending, AbortSignal.timeout(RESUMED_AFTER_MS)]),
    });
    if (!response.ok || response.body === null)
      throw new Error(`The stream answered ${response.status}: ${await response.text()}`);
    let rest = '';
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#hear(block);
      }
    } catch (error) {
      if (!(error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name))) throw error;
    }
  }

  #hear(block: string): void {
    if (/^event: (resync|end)$/m.test(block)) this.#tally.fail(`The stream said ${block.slice(0, 200)}`);
    const id = /^id: ?(\d+)$/m.exec(block)?.[1];
    // A block without a kind only states where a resumed stream continues.
    if (id === undefined || !/^event: /m.test(block)) return;
    if (Number(id) <= Number(this.#lastEvent ?? 0))
      this.#tally.fail(`The stream went from event ${this.#lastEvent} to ${id}`);
    this.#lastEvent = id;
    this.#tally.events += 1;
  }

  /** Sends a request with the key; returns the body of a `fine` answer, and records any other in the tally. */
  async #ask<Answer>(
    method: string,
    path: string,
    { body, fine = [200] }: RequestOptions = {},
  ): Promise<Answer> {
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: this.#limit(),
    });
    const text = await response.text();
    const what = `${method} ${path.replace(/[0-9a-f-]{36}/, '{id}').replace(/\?.*/, '')}`;
    this.#tally.answered(what, { status: response.status, text, fine });
    if (!fine.includes(response.status)) throw new Error(`${what} answered ${response.status}`);
    return JSON.parse(text || 'null') as Answer;
  }

  #limit(): AbortSignal {
    return AbortSignal.any([this.#ending, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  }
}
