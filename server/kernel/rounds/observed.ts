/** What a runner does, for whoever measures it: channels of `node:diagnostics_channel`, which cost nothing while nobody listens. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { OrderStatus } from '../../../db/entities/order.ts';
import type { Venue } from '../../../db/vocabulary.ts';
import type { BooksKey } from '../../../engine/platform/context.ts';
import type { Unfired } from '../../../engine/strategy/deployments/firings.ts';
import type { RaisedBy } from '../../../engine/trading/orders/observed.ts';

/** One tick of one shard. */
export type Tick = {
  shard: number;
  fence: string;
  /** Instants left out before this one. */
  skipped: number;
  /** Between its instant and the moment it was stored; null until it is. */
  lagMs: number | null;
  deployments: number;
  /** Rows of states it wrote. */
  stored: number;
  raised: readonly RaisedBy[];
};
export const ticks = tracingChannel<Tick, Tick>('trading.tick');

/** What a runner made of one intent, once that is committed. */
export type Decided = RaisedBy & {
  accountId: string;
  /** The status its order was given; `refused`, or `nothing` where it was decided or ended before. */
  verdict: OrderStatus | 'refused' | 'nothing';
  /** Of a denied order: the code of what denied it. */
  deniedBy: string | null;
  orderId: string | null;
  ms: number;
};
export const decisions = channel<Decided, Decided>('trading.intent');

/** One poll of a venue that was answered, or, without instruments, that there is nothing to poll here. */
export type Polled = {
  venue: Venue;
  instruments: number;
  /** Since the oldest of their quotes was confirmed; 0 without instruments. */
  oldestMs: number;
};
export const polls = channel<Polled, Polled>('trading.feed');

/** A look for something to do, and the kinds of rounds that go on after it. */
export type Look = { awake: readonly string[] };
export const looks = channel<Look, Look>('trading.look');

/** A step that raised what its deployment did not fire: nothing of it was stored. */
export type ForeignIntent = BooksKey & Unfired & { deploymentId: string };
export const foreignIntents = channel<ForeignIntent, ForeignIntent>('trading.foreign_intent');
