/** Clients of the API that retry through any failure, and remember every answer. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { draw } from '../runner/support.ts';
import { signUp } from '../support/sign-up.ts';
import { LOOSE_RULES } from '../support/trading-fixture.ts';

const TRY_WITHIN_MS = 20_000;
const PAUSE_MS = 150;
/** Maximum of blueprints of a client at a time. */
const KEPT = 5;
const SYMBOL = 'BTCUSDT';

/** Buys for 20 USD every ten seconds, the shortest interval of a schedule. */
const BUYER = draw({
  beat: { type: 'schedule', config: { mode: 'every', everySec: 10 } },
  ask: { type: 'crypto.price', config: { symbol: SYMBOL, field: 'ask' } },
  amount: { type: 'size', config: { mode: 'notional', notional: 20 }, inputs: { price: 'ask' } },
  buy: {
    type: 'order',
    config: { instrument: SYMBOL, side: 'buy', type: 'market' },
    inputs: { when: 'beat', amount: 'amount' },
  },
});

type Answered = { status: number; text: string; replayed: boolean };
type Tally = { operations: number; retried: number; wrong: string[] };
type Acknowledged = { key: string; path: string; body: unknown; text: string };

/** Types of a stream beside the account's events, with the number of the last event. */
const UNNUMBERED: ReadonlySet<string> = new Set(['account', 'beat', 'node_states', 'runner.changed']);

/** One account with a running strategy, a stream of its events, and clients that change it. */
export class FaultClient {
  readonly tally: Tally = { operations: 0, retried: 0, wrong: [] };
  readonly #base: string;
  readonly #cookie: string;
  #key = '';
  readonly #acknowledged: Acknowledged[] = [];
  /** Names of blueprints as last acknowledged; null if deleted. */
  readonly #names = new Map<string, string | null>();
  readonly #seqs: number[] = [];
  readonly #ending = new AbortController();
  readonly #loops: Promise<void>[] = [];

  private constructor(base: string, cookie: string) {
    this.#base = base;
    this.#cookie = cookie;
  }

  static async open(base: string): Promise<FaultClient> {
    const customer = new FaultClient(base, (await signUp(base)).cookie);
    await customer.#begin();
    return customer;
  }

  async #begin(): Promise<void> {
    const scopes = ['blueprints:read', 'blueprints:write', 'blueprints:deploy', 'risk:read', 'risk:write'];
    this.#key = await this.#newKey(scopes);
    await this.#done('PUT', '/api/risk-rules', LOOSE_RULES);
    this.#loops.push(this.#listen(), this.#changeUntilWrong(), this.#changeUntilWrong());
  }

  /** Retries while 503 is left of the former fault: such an answer holds no key. */
  async #newKey(scopes: readonly string[]): Promise<string> {
    for (;;) {
      const { status, text } = await this.#session('POST', '/api/api-keys', { name: 'Faults', scopes });
      if (status === 200) return (JSON.parse(text) as { key: string }).key;
      if (status !== 503) throw new Error(`A new key was answered with ${status}: ${text}`);
      await sleep(PAUSE_MS);
    }
  }

  /** Deploys a strategy that trades until the end. */
  async trade(): Promise<void> {
    const made = await this.#done('POST', '/api/blueprints', { name: 'Buyer', visual: BUYER });
    const { id } = JSON.parse(made.text) as { id: string };
    await this.#done('POST', `/api/blueprints/${id}/deploy`);
  }

  /** Starts no new operation and waits for those that run, with their retries. */
  async rest(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#loops);
  }

  /** Checks that acknowledged changes are stored and read back alike, no answer was 500, and the stream has no gap. */
  async check(): Promise<void> {
    expect(this.tally.wrong).toEqual([]);
    for (const [id, name] of this.#names) {
      const { status, text } = await this.#done('GET', `/api/blueprints/${id}`, undefined, [200, 404]);
      const found = status === 404 ? null : (JSON.parse(text) as { name: string }).name;
      expect({ id, name: found }).toEqual({ id, name });
    }
    for (const { key, path, body, text } of this.#acknowledged.slice(-20)) {
      const again = await this.#try('POST', path, body, key);
      expect({ path, again }).toEqual({ path, again: { status: 200, text, replayed: true } });
    }
    const first = this.#seqs[0] ?? 0;
    expect(this.#seqs).toEqual(this.#seqs.map((_seq, index) => first + index));
    expect(this.#seqs.length).toBeGreaterThan(0);
  }

  /** The status of one write without retries; undefined if no answer came. */
  async probe(): Promise<number | undefined> {
    const answered = await this.#try('POST', '/api/blueprints', { name: 'Probe' }, randomUUID());
    return answered?.status;
  }

  /** Whether the rules can be written, or read, in this time. */
  async isServed(method: 'PUT' | 'GET', withinMs: number): Promise<boolean> {
    const { ok } = await fetch(`${this.#base}/api/risk-rules`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      ...(method === 'PUT' && { body: JSON.stringify(LOOSE_RULES) }),
      signal: AbortSignal.timeout(withinMs),
    });
    return ok;
  }

  // The tally has recorded the error.
  #changeUntilWrong(): Promise<void> {
    return this.#change().catch((error: unknown) => {
      if (this.tally.wrong.length === 0) throw error;
    });
  }

  async #change(): Promise<void> {
    const mine: string[] = [];
    while (!this.#ending.signal.aborted) {
      const name = randomUUID();
      const { id } = JSON.parse((await this.#done('POST', '/api/blueprints', { name })).text) as {
        id: string;
      };
      mine.push(id);
      this.#names.set(id, name);
      const renamed = randomUUID();
      await this.#done('PUT', `/api/blueprints/${id}`, { name: renamed });
      this.#names.set(id, renamed);
      await this.#done('POST', `/api/blueprints/${id}/deploy`);
      await this.#done('POST', `/api/blueprints/${id}/stop`);
      const oldest = mine.length > KEPT ? mine.shift() : undefined;
      if (oldest === undefined) continue;
      // A second attempt may find that the first one succeeded.
      await this.#done('DELETE', `/api/blueprints/${oldest}`, undefined, [200, 404]);
      this.#names.set(oldest, null);
    }
  }

  /** Retries under one idempotency key until an answer comes. */
  async #done(method: string, path: string, body?: unknown, fine: number[] = [200]): Promise<Answered> {
    const key = randomUUID();
    this.tally.operations += 1;
    for (;;) {
      const answered = await this.#try(method, path, body, key);
      if (answered !== null && fine.includes(answered.status)) {
        if (method === 'POST') this.#acknowledged.push({ key, path, body, text: answered.text });
        return answered;
      }
      if (answered !== null && ![503, 409].includes(answered.status)) {
        this.tally.wrong.push(`${method} ${path}: ${answered.status} ${answered.text}`);
        throw new Error(this.tally.wrong.join('\n').slice(0, 1_000));
      }
      this.tally.retried += 1;
      await sleep(PAUSE_MS);
    }
  }

  /** Null if no answer came. */
  async #try(method: string, path: string, body: unknown, key: string): Promise<Answered | null> {
    try {
      return await this.#send(method, path, body, {
        authorization: `Bearer ${this.#key}`,
        ...(method === 'POST' && { 'idempotency-key': key }),
      });
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        this.tally.wrong.push(`${method} ${path}: no answer within ${TRY_WITHIN_MS} ms`);
      return null;
    }
  }

  #session(method: string, path: string, body: unknown): Promise<Answered> {
    return this.#send(method, path, body, { cookie: this.#cookie, origin: this.#base });
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answered> {
    const response = await fetch(this.#base + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TRY_WITHIN_MS),
    });
    const text = await response.text();
    if (response.status === 503 && response.headers.get('retry-after') === null)
      this.tally.wrong.push(`${method} ${path}: 503 without Retry-After`);
    return {
      status: response.status,
      text,
      replayed: response.headers.get('idempotent-replayed') === 'true',
    };
  }

  /** Follows the stream of events, and resumes where it broke off. */
  async #listen(): Promise<void> {
    let last: string | null = null;
    while (!this.#ending.signal.aborted) {
      try {
        last = await this.#listenOnce(last);
      } catch {
        await sleep(PAUSE_MS);
      }
      last = this.#seqs.at(-1)?.toString() ?? last;
    }
  }

  async #listenOnce(lastEventId: string | null): Promise<string | null> {
    const input = encodeURIComponent(JSON.stringify({ ...(lastEventId !== null && { lastEventId }) }));
    const response = await fetch(`${this.#base}/trpc/events?input=${input}`, {
      headers: { cookie: this.#cookie, accept: 'text/event-stream' },
      signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(TRY_WITHIN_MS)]),
    });
    if (!response.ok || response.body === null) throw new Error(`The stream answered ${response.status}`);
    let rest = '';
    let last = lastEventId;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) last = this.#hear(block) ?? last;
    }
    return last;
  }

  /** Snapshots and marks carry the number of the last event; a numbered event is one higher. */
  #hear(block: string): string | null {
    const id = /^id: ?(\d+)$/m.exec(block)?.[1];
    const type = /"type":"([a-z_.]+)"/.exec(block)?.[1];
    if (id === undefined || type === undefined || UNNUMBERED.has(type)) return id ?? null;
    if (type === 'resync') this.tally.wrong.push('the stream had to restart');
    this.#seqs.push(Number(id));
    return id;
  }
}
