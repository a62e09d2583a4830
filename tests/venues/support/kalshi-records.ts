/** Recordings of venue A, and checks of their parsing. */
import { expect } from 'vitest';
import type { WantedOrder } from '../../../venues/kalshi/trading/answer.ts';
import type { CreateRequest } from '../../../venues/kalshi/trading/request.ts';
import * as wire from '../../../venues/kalshi/trading/wire.ts';
import { DAMAGES, damaged, type Path } from './damage.ts';
import { fixture } from './replay.ts';

export type Body = Record<string, unknown>;

export const RECORDED = fixture<{
  created: Record<'resting' | 'filled' | 'killed', Body>;
  canceled: Body;
  failures: Record<string, [number, Body]>;
  orders: Record<'resting' | 'executed' | 'expired', Body>;
  fill: Body;
  positions: { market_positions: Body[] };
  balance: Body;
  asOf: Body;
  exchange: Body;
  frames: Record<'order' | 'fill', { type: string; msg: Body }>;
}>('kalshi-trading.json');

export const ID = '5b0c5f06-9b62-4bb5-8d6c-0a4f5a1c2d3e';
export const VENUE_ID = 'a1f0c9d2-3b4e-4c5d-8e6f-708192a3b4c5';
export const TICKER = 'KXWTACHALLENGERMATCH-26JUN11AAABBB-AAA';
export const REQUEST: CreateRequest = {
  ticker: TICKER,
  client_order_id: ID,
  side: 'bid',
  count: '2.00',
  price: '0.5200',
  time_in_force: 'good_till_canceled',
  self_trade_prevention_type: 'taker_at_cross',
  cancel_order_on_pause: true,
  reduce_only: false,
};
export const AT = new Date('2026-06-11T06:29:20Z');
export const WANTED: WantedOrder = {
  id: ID,
  tokenId: `${TICKER}:yes`,
  prepared: { clientOrderId: ID, venueOrderId: null, request: REQUEST, signedFor: AT, arrivesBy: AT },
};
export const FILL = wire.WireFill.parse(RECORDED.fill);

/** The parsed value, or `throws` for a VenueError. */
export function outcomeOf<T>(reading: () => T): T | 'throws' {
  try {
    return reading();
  } catch (error) {
    expect(String(error)).toContain('venue A');
    return 'throws';
  }
}

/** Every field of a body, damaged in every way. */
export function eachDamage(body: Body, check: (damagedBody: Body, path: Path, what: string) => void): void {
  for (const name of Object.keys(body))
    for (const [what, value] of DAMAGES)
      check(
        damaged(body, [name], value === '@@1e400@@' ? Number.POSITIVE_INFINITY : value),
        [name],
        `${name}: ${what}`,
      );
}
