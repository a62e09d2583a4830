/** A person with a second factor who trades at the simulated venue. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { LedgerAccount } from '../../simulator/trading/ledger.ts';
import { createDemoAccount, demoConnectionOf, registerDemoAccount } from '../../venues/demo-accounts.ts';
import { waitUntil } from '../ha/cluster-process.ts';
import { signUp } from '../support/sign-up.ts';
import { codeAt } from '../support/totp-code.ts';
import { Browser, type Page } from './browser.ts';

const VENUE = 'crypto';
/** Its name at the simulator. */
const SIMULATED = 'binance';
/** Far below the market, and above the venue's least value of an order. */
const RESTING = { tokenId: 'BTCUSDT', side: 'buy', type: 'limit', amount: 0.0004, limitPrice: 50_000 };
/** Within the rules of a new account. */
const BOUGHT = 0.0002;
const TOTP_PERIOD_MS = 30_000;

type Urls = { readonly base: string; readonly simulator: string };
type Intent = { readonly intentId: string; readonly status: string };

export class LivePerson {
  /** Ids of the orders that the service has accepted. */
  readonly orderIds: string[] = [];
  readonly #browser: Browser;
  readonly #simulator: string;
  readonly #member = createDemoAccount(VENUE);
  #person = { email: '', password: '' };
  #authenticator = '';
  #lastCodePeriod = 0;

  private constructor({ base, simulator }: Urls) {
    this.#browser = new Browser(base);
    this.#simulator = simulator;
  }

  /** Signs up, connects a member of the venue, places an order that rests there, and sets the second factor up. */
  static async open(urls: Urls): Promise<LivePerson> {
    const person = new LivePerson(urls);
    const { email, password } = await signUp(urls.base);
    person.#person = { email, password };
    okOf(await person.#browser.signIn({ email, password }));
    await person.#connect();
    // Refused until the venue's balances are known and the market has a quote.
    await waitUntil('a live order is accepted', () => person.place());
    const enabled = okOf(await person.#browser.auth('two-factor/enable', { password }));
    person.#authenticator = (enabled as { totpURI: string }).totpURI;
    await person.#enterCode();
    await person.untilAllRest();
    return person;
  }

  /** Signs in by password and a code that was not used. */
  async signIn(): Promise<void> {
    const first = await this.#browser.signIn(this.#person);
    // A connection from before the reload is answered once more by the proxy of then, and closed.
    const half = first.status === 401 ? await this.#browser.signIn(this.#person) : first;
    expect(okOf(half)).toMatchObject({ twoFactorRedirect: true });
    await this.#enterCode();
  }

  /** Places an order once, and returns whether it was accepted. */
  async place(): Promise<boolean> {
    const page = await this.#browser.send('POST', '/live/trpc/orders.place', RESTING);
    if (page.status !== 200) return false;
    const { intentId, status } = resultOf<Intent>(page);
    if (status === 'pending')
      okOf(await this.#browser.send('POST', '/live/trpc/orders.approve', { id: intentId }));
    else if (status !== 'queued') return false;
    this.orderIds.push(intentId);
    return true;
  }

  /** Buys at the market, and waits until the order is filled. */
  async buy(): Promise<void> {
    const wish = { tokenId: RESTING.tokenId, side: 'buy', type: 'market', amount: BOUGHT };
    const { intentId, status } = resultOf<Intent>(
      await this.#browser.send('POST', '/live/trpc/orders.place', wish),
    );
    if (status === 'pending')
      okOf(await this.#browser.send('POST', '/live/trpc/orders.approve', { id: intentId }));
    await waitUntil('it is filled', () => this.#is(intentId, 'filled'));
  }

  /** Moves money at the venue, of which no record says why. */
  async correct(amount: string): Promise<void> {
    const correction = { venue: SIMULATED, account: this.#member.account.id, asset: 'USDT', amount };
    const answer = await fetch(`${this.#simulator}/simulator/trading/corrections`, {
      method: 'POST',
      body: JSON.stringify(correction),
    });
    expect(answer.status).toBe(200);
  }

  /** Waits until the venue and the person's cell state that every accepted order rests. The venue has no other order. */
  async untilAllRest(): Promise<void> {
    await waitUntil(
      'the orders rest at the venue',
      async () => (await this.#atVenue('open')) === this.orderIds.length,
    );
    await waitUntil('the orders rest', () => this.#areAll('open'));
    expect((await this.ordersAtVenue()).length).toBe(this.orderIds.length);
  }

  /** Cancels every order, and waits until the venue and the person's cell state it. */
  async cancelAll(): Promise<void> {
    for (const id of this.orderIds)
      okOf(await this.#browser.send('POST', '/live/trpc/orders.cancel', { id }));
    await waitUntil('the orders are canceled', () => this.#areAll('canceled'));
    expect(await this.#atVenue('canceled')).toBe(this.orderIds.length);
  }

  /** Every order of the member in the venue's own record. */
  async ordersAtVenue(): Promise<LedgerAccount['orders']> {
    const response = await fetch(`${this.#simulator}/simulator/ledger`);
    const ledgers = (await response.json()) as Record<string, LedgerAccount[]>;
    const accounts = Object.values(ledgers).flat();
    return accounts.filter(({ id }) => id === this.#member.account.id).flatMap(({ orders }) => orders);
  }

  async #connect(): Promise<void> {
    await this.#browser.send('GET', '/live/trpc/riskRules.read?input=%7B%7D'); // opens the live books
    await registerDemoAccount(this.#simulator, VENUE, this.#member);
    const body = { ...demoConnectionOf(VENUE, this.#member), password: this.#person.password };
    const { id } = okOf(await this.#browser.send('POST', '/api/venue-connections', body)) as { id: string };
    await waitUntil('the connection is ready', async () => {
      const page = await this.#browser.send('GET', `/api/venue-connections/${id}`);
      return (okOf(page) as { state: string }).state === 'ready';
    });
  }

  /** Each code is valid once; that of the next period is accepted already. */
  async #enterCode(): Promise<void> {
    const period = () => Math.floor(Date.now() / TOTP_PERIOD_MS);
    const next = Math.max(this.#lastCodePeriod + 1, period());
    while (next > period() + 1) await sleep(500);
    this.#lastCodePeriod = next;
    const code = codeAt(this.#authenticator, next * TOTP_PERIOD_MS);
    okOf(await this.#browser.auth('two-factor/verify-totp', { code }));
  }

  async #areAll(wanted: string): Promise<boolean> {
    for (const id of this.orderIds) if (!(await this.#is(id, wanted))) return false;
    return true;
  }

  async #is(id: string, wanted: string): Promise<boolean> {
    const input = encodeURIComponent(JSON.stringify({ id }));
    const page = await this.#browser.send('GET', `/live/trpc/orders.read?input=${input}`);
    return resultOf<{ status: string }>(page).status === wanted;
  }

  async #atVenue(wanted: string): Promise<number> {
    return (await this.ordersAtVenue()).filter(({ status }) => status === wanted).length;
  }
}

function okOf({ status, body }: Page): unknown {
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const resultOf = <Result>(page: Page): Result => (okOf(page) as { result: { data: Result } }).result.data;
