/** Live orders that were queued and wait for their request slot at the venue, while a stop takes effect. */

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { haltConnection } from '../../engine/trading/connections/change.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { Brokers, HeldConnections } from '../../engine/trading/orders/execution/brokers.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { begun } from '../support/begun.ts';
import { type Account, openAccount } from '../support/live-accounts.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, LIVE_SETTINGS, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeAll(() => fixture.quote(YES));

type Waiting = Account & { id: string; held: { isHeld: boolean; isLiveOn: boolean } };

/** Ends the deployment of the order, or halts its entries. No order was canceled yet. */
const fence =
  (column: string) =>
  async ({ id }: Waiting) => {
    const { deployment_id } = await fixture.order(id);
    if (column === 'ended') {
      await fixture.endDeployment(deployment_id ?? '');
    } else {
      const halted = { halted: true };
      await fixture.db
        .updateTable('deployment_state')
        .set(halted)
        .where('deployment_id', '=', deployment_id)
        .execute();
    }
  };

const BRAKES: Record<string, { pull: (waiting: Waiting) => Promise<unknown>; code: string }> = {
  'a halt of its connection': {
    pull: ({ work, connectionId }) => haltConnection(work, connectionId, 'halted'),
    code: 'connection_halted',
  },
  'a stop of entries': {
    pull: ({ work, connectionId }) => haltConnection(work, connectionId, 'reduce_only'),
    code: 'connection_reduce_only',
  },
  'a cancel': { pull: ({ work, id }) => cancelOrder(work, id), code: 'canceled' },
  'the kill switch of another process': {
    pull: ({ work, connectionId }) =>
      haltConnection({ ...work, actor: 'operator:kill-switch' }, connectionId, 'halted'),
    code: 'connection_halted',
  },
  'a lease that another process took': {
    pull: ({ connectionId }) =>
      sql`update venue_connection set lease_epoch = lease_epoch + 1 where id = ${connectionId}`.execute(
        fixture.db,
      ),
    code: 'lease_lost',
  },
  'a lease that ran out by this process alone': {
    pull: async ({ held }) => {
      held.isHeld = false;
    },
    code: 'lease_lost',
  },
  'a buy taken back by the rules, as the latches do': {
    pull: ({ work }) => updateRules(work, { maxOrderSize: 1 }),
    code: 'rule_changed',
  },
  'the end of its deployment': { pull: fence('ended'), code: 'deployment_ended' },
  'a stop of the entries of its deployment': { pull: fence('halted'), code: 'deployment_ended' },
  'LIVE_TRADING=off': {
    pull: async ({ held }) => {
      held.isLiveOn = false;
    },
    code: 'live_trading_off',
  },
};

test.each(Object.entries(BRAKES))(
  '%s stops an order that waits for its request slot at the venue',
  async (_, { pull, code }) => {
    const account = await openAccount(fixture);
    const { work, trader, venue, connectionId } = account;
    await sql`update venue_connection set lease_epoch = 7, leased_until = clock_timestamp() + interval '1 hour'
    where id = ${connectionId}`.execute(fixture.db);
    const held = { isLiveOn: true, isHeld: true };
    const holding: HeldConnections = {
      get isLiveOn() {
        return held.isLiveOn;
      },
      ids: () => [connectionId],
      epochOf: () => (held.isHeld ? '7' : null),
      comparedFrom: () => new Date(0),
      isPaused: () => false,
    };
    const deploymentId = await fixture.addDeployment(trader, undefined, 'live');
    const raised = { deploymentId, nodeId: 'n', stepAt: fixture.now() };
    const { id } = await proposeIntent(work, intentOf(trader, raised), LIVE_SETTINGS);
    const turn = Promise.withResolvers<void>();
    venue.turn = turn.promise;
    const brokers: Brokers = { of: () => venue, held: holding };
    const sending = begun(sendOrder(work, brokers, id, LIVE_SETTINGS));
    await expect.poll(async () => (await fixture.order(id)).status).toBe('submitted');
    await pull({ ...account, id, held });
    turn.resolve();
    await sending;
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason_code: code });
    expect(venue.placed).toEqual([]);
  },
);
