/** A suspended account gets out of everything, and into nothing: by whatever way, in every process, at once. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { accountDb } from '../../db/pool.ts';
import { systemWork, type Work } from '../../engine/platform/context.ts';
import { findAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { resumeAccount, suspendAccount } from '../../engine/usecases/operator/suspend.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy, proposeBuy, TOKEN } from '../support/trading.ts';
import { type Account, type Answer, ORIGIN, openWorld, sender } from '../support/world.ts';

const REASON = 'Unpaid since May';
const world = openedForFile(openWorld);

/** The account as an operator works on it. */
const asOperator = ({ work }: Account): Work => ({
  ...work,
  actor: 'operator:6f1c2d1e-0000-4000-8000-000000000000',
});
const suspend = (account: Account) => suspendAccount(asOperator(account), REASON);
const resume = (account: Account) => resumeAccount(asOperator(account), 'Paid in June');

const GRAPH = {
  nodes: [
    {
      id: 'alert',
      type: 'signal',
      position: { x: 0, y: 0 },
      data: { config: { name: 'tv', kind: 'boolean' } },
    },
  ],
  edges: [],
};
const BUY = { tokenId: TOKEN, side: 'buy', type: 'market', amount: 0.001 };

const suspended = (answer: Answer) => expectRefusal(answer, 403, 'account_suspended');
const statusOf = async ({ work }: Account, id: string) =>
  work.db
    .selectFrom('trade_order')
    .select(['status', 'reason_code', 'reason'])
    .where('account_id', '=', work.accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('a suspended account', () => {
  let account: Account;
  let draft: string;
  let running: string;
  let resting: string;
  let pending: string;

  beforeAll(async () => {
    account = await world.account();
    draft = await addBlueprint(account, 'Draft', GRAPH);
    running = await addBlueprint(account, 'Running', GRAPH);
    expectOk(await account.http('POST', `/api/blueprints/${running}/deploy`));
    await hold(world, account, { blueprintId: running, amount: '0.01' });
    await updateRules(account.work, { requireApprovalAbove: 100_000 });
    resting = (await proposeBuy(world, account, { blueprintId: running, amount: '0.001' })).id;
    pending = (await pendingBuy(world, account, { blueprintId: running, amount: '0.001' })).id;
    await suspend(account);
  });

  test('has its buys canceled and those that wait declined, with the reason', async () => {
    const words = `An operator suspended the account: ${REASON}`;
    const payload = { reason_code: 'account_suspended', reason: words };
    expect(await statusOf(account, resting)).toEqual({ status: 'canceled', ...payload });
    expect(await statusOf(account, pending)).toEqual({ status: 'declined', ...payload });
  });

  test('buys, deploys and creates keys by no way over REST', async () => {
    await openMarket(world);
    suspended(await account.http('POST', '/api/orders', BUY));
    suspended(await account.http('POST', `/api/blueprints/${draft}/deploy`));
  });

  test('creates no key in a session of its own, and still signs in', async () => {
    const { cookie, userId, email, password } = await world.signUp();
    const accountId = (await findAccountOfUser(world.db, userId)) ?? '';
    await suspendAccount(systemWork(world.pool, { accountId, mode: 'paper' }), REASON);
    const headers = { cookie, origin: ORIGIN };
    suspended(
      await world.send('POST', '/api/api-keys', { headers, body: { name: 'New', scopes: ['orders:read'] } }),
    );
    const signedIn = await world.send('POST', '/api/auth/sign-in/email', {
      headers: { origin: ORIGIN },
      body: { email, password },
    });
    expect(signedIn.status).toBe(200);
  });

  test('nor over tRPC, in a batch, or by a tool of an agent', async () => {
    const batch = await account.http('POST', '/trpc/orders.place,blueprints.deploy?batch=1', {
      0: BUY,
      1: { id: draft },
    });
    expect(JSON.stringify(batch.body).match(/"code":"account_suspended"/g)).toHaveLength(2);

    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', world.base), {
        requestInit: { headers: { authorization: `Bearer ${account.key}` } },
      }) as Parameters<Client['connect']>[0],
    );
    const { content } = await client.callTool({ name: 'blueprints_deploy', arguments: { id: draft } });
    await client.close();
    expect(JSON.stringify(content)).toContain('account_suspended');
  });

  test('nor by its strategies, whose sells go on', async () => {
    await expect(proposeBuy(world, account, { blueprintId: running, amount: '0.001' })).rejects.toMatchObject(
      {
        code: 'account_suspended',
      },
    );
  });

  test('nor in another process, or one that starts later', async () => {
    const service = await world.another();
    const send = sender(`http://127.0.0.1:${service.address?.port}`);
    const headers = { authorization: `Bearer ${account.key}` };
    suspended(await send('POST', '/api/orders', { headers, body: BUY }));
    suspended(await send('POST', `/api/blueprints/${draft}/deploy`, { headers }));
    await service.stop();
  });

  test('reads, sells, closes, cancels, stops and tightens its rules as before', async () => {
    await openMarket(world);
    expectOk(await account.http('GET', '/api/portfolio'));
    const sold = expectOk(
      await account.http('POST', '/api/orders', { ...BUY, side: 'sell', amount: 0.001 }),
    ) as { intentId: string };
    expectOk(await account.http('POST', `/api/orders/${sold.intentId}/cancel`));
    expectOk(await account.http('POST', '/api/portfolio/positions/close', { tokenId: TOKEN, amount: 0.001 }));
    expectOk(await account.http('PUT', '/api/risk-rules', { maxOrderSize: 1 }));
    expectOk(await account.http('POST', `/api/blueprints/${running}/stop`));
    expectOk(await account.http('POST', '/api/blueprints/stop'));
  });

  test('sees who suspended it, when and why, in its own trail', async () => {
    const { rows } = await sql`select action, actor, subject_id, after from audit_event
      where account_id = ${account.accountId} and action like 'account.%'`.execute(world.db);
    expect(rows).toEqual([
      {
        action: 'account.suspended',
        actor: asOperator(account).actor,
        subject_id: account.accountId,
        after: { reason: REASON },
      },
    ]);
  });
});

describe('races', () => {
  test('of two suspensions one counts, and of two resumptions one', async () => {
    const account = await world.account();
    for (const act of [suspend, resume]) {
      const outcomes = await Promise.allSettled([act(account), act(account)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'invalid_state' },
      });
    }
    const blueprintId = await addBlueprint(account, 'Again', GRAPH);
    expectOk(await account.http('POST', `/api/blueprints/${blueprintId}/deploy`));
  });

  test('of a suspension and buys leave no buy that can still trade', async () => {
    const account = await world.account();
    const blueprintId = await addBlueprint(account);
    await updateRules(account.work, {
      requireApprovalAbove: 100_000,
      maxOrderSize: 100_000,
      maxOrdersPerMinute: 100,
    });
    await openMarket(world);
    const buy = () =>
      proposeBuy(world, account, { blueprintId, amount: '0.001' }).catch((error: unknown) => error);
    await Promise.all([buy(), buy(), buy(), suspend(account), buy(), buy()]);
    const { rows } = await sql`select status from trade_order where account_id = ${account.accountId}
      and status not in ('canceled', 'denied')`.execute(world.db);
    expect(rows).toEqual([]);
  });

  test('an account that moves is answered so, and is suspended neither half nor twice', async () => {
    const account = await world.account();
    await sql`update account set moving_to = 7 where id = ${account.accountId}`.execute(world.db);
    await expect(suspend(account)).rejects.toMatchObject({ code: 'account_moving' });
    await sql`update account set moving_to = null where id = ${account.accountId}`.execute(world.db);
    await suspend(account);
    const seen = await accountDb(world.pool, account.accountId)
      .selectFrom('account')
      .select('suspension_reason')
      .executeTakeFirst();
    expect(seen).toEqual({ suspension_reason: REASON });
  });
});
