/** Venues that accept nothing for a while, and markets that do: rows of a running service that trades live. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Venue } from '../../db/vocabulary.ts';
import { expectOk } from '../support/api.ts';
import { orderOf, propose, readConnection, waitForState, waitForStatus, waitUntil } from '../support/live.ts';
import { checkRow, type LiveTraderAtVenue, openLiveRows } from '../support/live-rows.ts';
import { openedForFile } from '../support/opened.ts';

/** The amount of each that its venue sells at once. */
const AMOUNTS: Readonly<Record<Venue, string>> = { 'venue-a': '4', 'venue-b': '110', crypto: '0.001' };

const rows = openedForFile(openLiveRows);

/** Buys some of what its venue trades. */
async function hold({ trader, venue }: LiveTraderAtVenue): Promise<void> {
  const { tokenId } = rows.wishes[venue];
  const { id } = await propose(rows.world, trader, { tokenId, amount: AMOUNTS[venue] });
  await waitForStatus(rows.world, id, 'filled');
}

/** Requests an exit of a part of the position, which would rest. */
const exit = ({ trader, venue }: LiveTraderAtVenue) => {
  const { tokenId } = rows.wishes[venue];
  const amount = String(Number(AMOUNTS[venue]) / 4);
  return propose(rows.world, trader, { tokenId, amount, side: 'sell', limitPrice: '0.99' });
};

/** Skips the thirty seconds until the order expires. */
const timeIsOver = (id: string) =>
  sql`update trade_order set expires_at = clock_timestamp() where id = ${id}`.execute(rows.world.db);

const paused = ({ trader, id }: LiveTraderAtVenue) =>
  waitUntil(
    () => readConnection(trader, id),
    ({ state, stateCode }) => state === 'reduce_only' && stateCode === 'venue_paused',
  );

/** Expects that exits stay queued until they expire, and that nothing of them is sent meanwhile. */
async function expectQueuedExits(traded: LiveTraderAtVenue): Promise<{ kept: string }> {
  const [late, kept] = [await exit(traded), await exit(traded)];
  expect([late.status, kept.status]).toEqual(['queued', 'queued']);
  await timeIsOver(late.id);
  expect(await waitForStatus(rows.world, late.id, 'expired')).toMatchObject({ reason_code: 'not_sent' });
  expect(await orderOf(rows.world, kept.id)).toMatchObject({ status: 'queued' });
  expect([...rows.atVenue(traded, late.id), ...rows.atVenue(traded, kept.id)]).toEqual([]);
  return { kept: kept.id };
}

describe('a venue that accepts nothing new', () => {
  test('row 54: venue A pauses: one entry is definitely refused, others are denied, cancels work, exits stay queued and are sent after the pause', {
    tags: ['long'],
  }, async () => {
    const traded = await rows.trading('venue-a');
    await hold(traded);
    const { id } = await rows.rest(traded);
    const { exchange } = rows.venueServerOf('venue-a').venue;
    exchange.pause = 'trading';
    try {
      const refused = await waitForStatus(rows.world, (await rows.bid(traded)).id, 'rejected');
      expect(refused.reason_code).toBe('trading_is_paused');
      await paused(traded);
      expect((await rows.bid(traded)).status).toBe('denied');
      expectOk(await rows.cancel(traded, id));
      await waitForStatus(rows.world, id, 'canceled');
      const { kept } = await expectQueuedExits(traded);
      exchange.pause = null;
      expectOk(await traded.trader.send('POST', `/api/venue-connections/${traded.id}/check`));
      await waitForStatus(rows.world, kept, 'open');
      expect(rows.atVenue(traded, kept)).toHaveLength(1);
      await waitForState(traded.trader, traded.id, 'ready');
    } finally {
      exchange.pause = null;
    }
  });

  test('row 58: venue B accepts only resting orders and states for how long: nothing is sent until then, its owner is notified, then exits and entries are', {
    tags: ['long'],
  }, async () => {
    const traded = await rows.trading('venue-b');
    await hold(traded);
    const body = { error: 'post-only mode', code: 'post_only_mode', retry_after_seconds: 4 };
    rows.venueServerOf('venue-b').faults.add({
      method: 'POST',
      path: 'order',
      isProcessed: false,
      answer: { status: 503, body },
    });
    const refused = await waitForStatus(rows.world, (await rows.bid(traded)).id, 'rejected');
    expect(refused.reason_code).toBe('post_only_mode');
    await paused(traded);
    expectOk(await traded.trader.send('POST', `/api/venue-connections/${traded.id}/check`));
    const connection = await waitUntil(
      () => readConnection(traded.trader, traded.id),
      (connection) => checkRow(connection, 'trading')?.state === 'grey',
    );
    expect(Date.parse(checkRow(connection, 'trading')?.value ?? '')).toBeGreaterThan(0);
    const { kept } = await expectQueuedExits(traded);
    await waitUntil(
      async () => {
        expectOk(await traded.trader.send('POST', `/api/venue-connections/${traded.id}/check`));
        return readConnection(traded.trader, traded.id);
      },
      (connection) => checkRow(connection, 'trading')?.state === 'green',
    );
    await waitForStatus(rows.world, kept, 'open');
    await waitForState(traded.trader, traded.id, 'ready');
    await waitForStatus(rows.world, (await rows.bid(traded)).id, 'open');
  });
});

describe('a venue that ends resting orders', () => {
  test.each([
    ['row 55: venue A stops and resumes', 'paused'],
    ['row 56: a market of venue A is inactive for a while', 'market_paused'],
  ])(
    '%s: it is canceled here for the reason that the venue says, is not sent again, and another rests after it',
    { tags: ['long'] },
    async (_, cause) => {
      const traded = await rows.trading('venue-a');
      const { id, there } = await rows.rest(traded);
      rows.venueServerOf('venue-a').venue.exchange.cancel(there, cause);
      const { reason_code } = await waitForStatus(rows.world, id, 'canceled');
      expect(reason_code).toBe('market_pause_cancel');
      await rows.rest(traded);
      expect(rows.atVenue(traded, id)).toHaveLength(1);
    },
  );
});
