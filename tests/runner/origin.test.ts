import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '../../db/tables.ts';
import { collectDifferences, type Difference, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import { type Raised, Run } from '../../engine/strategy/graph/run/run.ts';
import { type ForeignIntentEvent, foreignIntents } from '../../server/kernel/rounds/runner-events.ts';
import { openedForEachTest } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { buyAbove, type Deployed, openRunnerWorld } from './support.ts';

const world = openedForEachTest(() => openRunnerWorld({ shardCount: 1 }));
afterEach(async () => {
  vi.restoreAllMocks();
});

const firings = async (deployed: Deployed) => {
  const { memory } = await world.state(deployed);
  return (memory as { nodes: { buy?: { n?: number } } } | null)?.nodes.buy?.n ?? 0;
};

describe('two accounts that run the same graph', () => {
  test('each have the orders that their own deployment fired, while one waits for approval and the other trades', async () => {
    const waiting = await world.deploy(buyAbove(100), await world.account({ requireApprovalAbove: 1 }));
    const free = await world.deploy(buyAbove(100));
    const runner = world.runner();
    for (const price of ['101', '99', '101', '99', '101']) {
      await world.price(price);
      await runner.tick();
      await world.fillQueued();
    }
    expect((await world.orders(waiting)).map(({ status }) => status)).toEqual(['pending']);
    expect((await world.orders(free)).map(({ status }) => status)).toEqual(['filled', 'filled', 'filled']);
    expect([await firings(waiting), await firings(free)]).toEqual([1, 3]);
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('an intent that is not a deployment’s own is not stored: the deployment is put in error with the reason, and no other is disturbed', async () => {
    const deployed = [];
    for (let i = 0; i < 3; i++) deployed.push(await world.deploy(buyAbove(100)));
    const found: ForeignIntentEvent[] = [];
    const note = (message: unknown) => void found.push(message as ForeignIntentEvent);
    foreignIntents.subscribe(note);
    leakOnce();
    const runner = world.runner();
    await world.price('101');
    await runner.tick();
    foreignIntents.unsubscribe(note);

    expect(found).toMatchObject([{ nodeId: 'buy', raised: 2, fired: 1 }]);
    const isForeign = ({ deploymentId }: Deployed) => deploymentId === found[0]?.deploymentId;
    const [foreign, ...none] = deployed.filter(isForeign);
    if (foreign === undefined || none.length > 0) throw new Error('One deployment was to be found.');
    for (const other of deployed.filter((each) => !isForeign(each))) {
      expect(await world.orders(other)).toHaveLength(1);
      expect(await world.blueprint(other)).toMatchObject({ status: 'running', error: null });
    }
    expect(await world.orders(foreign)).toEqual([]);
    expect((await world.state(foreign)).memory).toBeNull();
    const { status, error } = await world.blueprint(foreign);
    expect(status).toBe('error');
    expect(error).toContain('foreign_intent');
    const events = await world.events(foreign.accountId);
    expect(events.map(({ type, payload }) => [type, payload])).toContainEqual([
      'blueprint.changed',
      expect.objectContaining({ status: 'error', code: 'foreign_intent' }),
    ]);
    const { deploymentId } = foreign;
    expect(world.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { code: 'foreign_intent', deploymentId, raised: 2, fired: 1 } },
    ]);

    for (const price of ['99', '101']) {
      await world.price(price);
      await runner.tick();
    }
    expect(await world.orders(foreign)).toEqual([]);
    expect((await world.state(foreign)).memory).not.toBeNull();
  });
});

describe('orders without a firing', () => {
  test('are found by the ledger and by the command for operators, in each mode of memory and never among sound ones', async () => {
    const deployed = await world.deploy(buyAbove(100));
    const runner = world.runner();
    for (const price of ['101', '99', '101']) {
      await world.price(price);
      await runner.tick();
      await world.fillQueued();
    }
    const { memory } = await world.state(deployed);
    const orders = (text: string) => expect.objectContaining({ field: 'orders of node buy', actual: text });
    expect(await differencesWith(deployed, memory)).toEqual([]);
    expect(await differencesWith(deployed, changed(memory, { n: 1 }))).toEqual([orders('2')]);
    expect(await differencesWith(deployed, changed(memory, {}))).toEqual([orders('2')]);
    // A memory of the exits alone may replace it within a minute, with the deployment in error.
    expect(await differencesWith(deployed, { ...(memory as object), startedAt: Date.now() + 1_000 })).toEqual(
      [],
    );
    expect(await differencesWith(deployed, { ...(memory as object), nodes: {} })).toEqual([]);
    for (const damaged of [null, {}, { startedAt: 'x', nodes: {} }, { startedAt: 1, nodes: [] }]) {
      expect(await differencesWith(deployed, damaged)).toEqual([]);
      expect(await differencesWith(deployed, damaged, 61_000)).toEqual([orders('2')]);
    }
    const later = { startedAt: Date.now() + 3_600_000, candles: {}, nodes: {} };
    expect(await differencesWith(deployed, later, 61_000)).toEqual([orders('2')]);

    await remember(world.db, deployed, changed(memory, { n: 1 }));
    const foreign = await runCommand('find-foreign-orders', [], settingsOf(world.database));
    expect(foreign.code).toBe(1);
    expect(foreign.stdout).toContain(deployed.deploymentId);
    expect(foreign.stderr).toContain('What to do');
    await remember(world.db, deployed, memory);
    const sound = await runCommand('find-foreign-orders', [], settingsOf(world.database));
    expect(sound).toMatchObject({ code: 0, stderr: '' });
  });
});

const changed = (memory: unknown, count: { n?: number }) => {
  const { nodes, ...rest } = memory as { nodes: Record<string, { n: number }> };
  const { n: _, ...buy } = nodes['buy'] ?? { n: 0 };
  return { ...rest, nodes: { ...nodes, buy: { ...buy, ...count } } };
};

const remember = (db: Db, { deploymentId }: Deployed, memory: unknown) =>
  sql`update deployment_state set memory = ${JSON.stringify(memory)}::jsonb where deployment_id = ${deploymentId}`.execute(
    db,
  );

/** The differences while a deployment has another memory. */
async function differencesWith(deployed: Deployed, memory: unknown, laterMs = 0): Promise<Difference[]> {
  const trx = await world.db.startTransaction().execute();
  try {
    await remember(trx, deployed, memory);
    return await collectDifferences(
      walkAccount(trx, { accountId: deployed.accountId, mode: 'paper' }, new Date(Date.now() + laterMs)),
    );
  } finally {
    await trx.rollback().execute();
  }
}

/** Makes the second evaluation that raises an intent return the first one's, too. */
function leakOnce(): void {
  const { takeRaised } = Run.prototype;
  const firing: Raised[] = [];
  vi.spyOn(Run.prototype, 'takeRaised').mockImplementation(function (this: Run) {
    const own = takeRaised.call(this);
    if (own.intents.length === 0 || firing.push(own) !== 2) return own;
    return { ...own, intents: firing.flatMap(({ intents }) => intents) };
  });
}
