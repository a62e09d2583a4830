/** Venue A's adapter against the simulated venue. Numbers in names are rows of the table of faults. */
import { describe, expect, test } from 'vitest';
import type { Found, Placed, VenueOrder } from '../../venues/broker.ts';
import { MARS, member } from './support/kalshi-trading.ts';

const taken = (placed: Placed): VenueOrder =>
  placed.kind === 'taken' ? placed.order : expect.unreachable(JSON.stringify(placed));
const found = (answer: Found): VenueOrder =>
  answer.kind === 'found' ? answer.order : expect.unreachable(JSON.stringify(answer));

describe('an order at venue A', () => {
  test('that rests is open, found by its client id, and listed', async () => {
    await using venue = await member();
    const { answer, ref, order } = await venue.place();
    const placed = taken(await answer);
    expect(placed).toMatchObject({ status: 'open', filledAmount: '0', fills: [] });
    expect(found(await venue.broker.find(ref))).toMatchObject({
      venueOrderId: placed.venueOrderId,
      status: 'open',
    });
    expect(await venue.broker.listOpen()).toMatchObject([
      { clientOrderId: order.id, tokenId: `${MARS}:yes`, amount: '10' },
    ]);
  });
});
