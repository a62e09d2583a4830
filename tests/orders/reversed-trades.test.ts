/** Trades that their venue reverses, as found by the comparison of its account with its books. */
import { expect, test } from 'vitest';
import { applyVenueEvent } from '../../engine/trading/orders/execution/venue-events.ts';
import {
  heldOf,
  liveAccounts,
  openDifferences,
  reconcile,
  reconcileQuiet,
  restingOrder,
} from '../support/live-accounts.ts';
import { YES } from '../support/trading-fixture.ts';

const { fixture, opened } = liveAccounts();

test('row 19: a trade reversed while its order could not be polled is polled until that is booked', async () => {
  const account = await opened();
  const id = await restingOrder(account);
  account.venue.fill(id, { amount: '4' });
  await reconcile(account);
  expect(await heldOf(account)).toEqual([[YES, '4']]);
  const [made] = account.venue.log;
  if (made === undefined) throw new Error('There is no trade.');
  const { fills, ...order } = account.venue.state(id);
  account.venue.log.push({ ...made, state: 'failed' });
  account.venue.isSure = false;
  const lag = [`fill:v-${id}:${id}-1`, 'lag'];
  for (const _ of ['told', 'asked for again']) {
    await reconcile(account);
    expect((await openDifferences(account)).map(({ subject, kind }) => [subject, kind])).toContainEqual(lag);
  }
  account.venue.isSure = true;
  account.venue.orders.set(id, { ...order, fills: fills.map((fill) => ({ ...fill, state: 'failed' })) });
  await reconcile(account);
  expect(await heldOf(account)).toEqual([]);
  expect((await openDifferences(account)).map(({ subject }) => subject)).not.toContain(lag[0]);
});

test('row 68: a trade booked from a report older than its failure is reversed, even once the list has moved on', async () => {
  const account = await opened();
  const { venue, work, connectionId } = account;
  const id = await restingOrder(account);
  venue.fill(id, { amount: '4', state: 'provisional' });
  const [made] = venue.log;
  if (made === undefined) throw new Error('There is no trade.');
  const { fills, ...order } = venue.state(id);
  venue.orders.set(id, { ...order, fills: fills.map((fill) => ({ ...fill, state: 'failed' })) });
  venue.log.push({ ...made, state: 'failed' });
  await reconcile(account);
  expect(await heldOf(account)).toEqual([]);
  await applyVenueEvent(work, connectionId, { kind: 'fill', fill: made });
  expect(await heldOf(account)).toEqual([[YES, '4']]);
  venue.isSure = false;
  await reconcile(account);
  venue.isSure = true;
  await reconcileQuiet(account);
  expect(await heldOf(account)).toEqual([]);
  expect((await fixture.order(id)).filled_amount).toBe('0.000000000000');
});

test.each(['by its order', 'by the list'])(
  'row 68: a trade that failed before it could be booked is no longer a difference, reported %s',
  async (how) => {
    const account = await opened();
    const { venue } = account;
    const id = await restingOrder(account);
    const before = venue.state(id);
    venue.fill(id, { amount: '4', state: 'provisional' });
    const { fills } = venue.state(id);
    venue.orders.set(id, before);
    await reconcile(account);
    expect((await openDifferences(account)).map(({ subject, kind }) => [subject, kind])).toContainEqual([
      `fill:v-${id}:${id}-1`,
      'lag',
    ]);
    const [made] = venue.log;
    if (made === undefined) throw new Error('There is no trade.');
    if (how === 'by the list') venue.log.push({ ...made, state: 'failed' });
    else venue.orders.set(id, { ...before, fills: fills.map((fill) => ({ ...fill, state: 'failed' })) });
    await reconcileQuiet(account, 61_000);
    const about = (await openDifferences(account)).map(({ subject }) => subject);
    expect(about.filter((subject) => subject.startsWith('fill:'))).toEqual([]);
    expect(await heldOf(account)).toEqual([]);
  },
);
