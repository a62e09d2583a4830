/** Races between people and ticks, repeated as a test asks. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { DomainError } from '../../engine/platform/errors.ts';
import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { begun } from '../support/begun.ts';
import { buyAbove, type Deployed, draw, type RunnerWorld } from './support.ts';

/** The maximum delay of the second action after the first: about as long as a tick takes. */
const STAGGER_MS = 12;

/** Fires in its first tick, so that each round has an intent under way when the stop comes. */
const EAGER = buyAbove(1);

export async function raceStopAndTick(world: RunnerWorld, rounds: number): Promise<void> {
  const runner = world.runner();
  let deployed = await world.deploy(EAGER);
  const counts = { canceled: 0, none: 0 };
  for (let round = 0; round < rounds; round++) {
    if (round > 0) deployed = await world.redeploy(deployed);
    await world.price('100');
    const ticking = begun(runner.tick());
    // On a slow machine a tick takes longer: the stop waits longer until a tick has won once.
    await sleep(Math.random() * (counts.canceled === 0 ? STAGGER_MS + 2 * round : STAGGER_MS));
    await world.stop(deployed);
    const answered = await world.orders(deployed);
    await ticking;
    await runner.sweep();
    const after = await world.orders(deployed);
    expect(after.map(({ id }) => id)).toEqual(answered.map(({ id }) => id));
    expect(after.every(({ status }) => status === 'canceled')).toBe(true);
    expect(await world.requests()).toEqual([]);
    counts[after.length === 0 ? 'none' : 'canceled'] += 1;
  }
  // Both sides must have won sometimes, otherwise there was no race.
  expect(counts.none).toBeGreaterThan(0);
  expect(counts.canceled).toBeGreaterThan(0);
}

/** A started runner ticks every 20 ms while blueprints are deployed, stopped and edited all at once. */
export async function raceDeployAndStop(world: RunnerWorld, rounds: number): Promise<void> {
  const runner = world.runner();
  runner.start();
  const first = await world.deploy(EAGER);
  const { accountId, blueprintId } = first;
  const work = () => world.workOf(accountId);
  for (let round = 0; round < rounds; round++) {
    await world.price('100');
    const results = await Promise.allSettled([
      after(() => world.redeploy(first)),
      after(() => world.stop(first)),
      after(() => updateBlueprint(work(), blueprintId, { visual: draw(buyAbove(1 + (round % 3))) })),
    ]);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
    }
    await expectLegal(world, first);
  }
  await world.stop(first);
  const answered = await countOrders(world, blueprintId);
  await sleep(100);
  expect(await countOrders(world, blueprintId)).toBe(answered);
}

async function after<Result>(task: () => Promise<Result>): Promise<Result> {
  await sleep(Math.random() * STAGGER_MS);
  return task();
}

/** Expects that deployment and status agree: a live one has one release, and an ended one can send no order. */
async function expectLegal(
  world: RunnerWorld,
  { blueprintId }: Pick<Deployed, 'blueprintId'>,
): Promise<void> {
  const { rows } = await sql<{ agrees: boolean; sendable: string }>`
    select (b.status = 'running') = exists (select 1 from deployment d where d.blueprint_id = b.id
        and d.id = b.deployment_id and d.ended_at is null) as agrees,
      (select count(*) from trade_order o join deployment d on d.id = o.deployment_id
        where o.blueprint_id = b.id and d.ended_at is not null and o.status in ('pending', 'queued')) as sendable
    from blueprint b where b.id = ${blueprintId}`.execute(world.db);
  expect(rows[0]).toEqual({ agrees: true, sendable: '0' });
}

async function countOrders(world: RunnerWorld, blueprintId: string): Promise<string> {
  const { rows } = await sql<{ orders: string }>`
    select count(*) as orders from trade_order where blueprint_id = ${blueprintId}`.execute(world.db);
  return rows[0]?.orders ?? '';
}
