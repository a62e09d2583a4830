/** Events of a runner for measurement: channels of `node:diagnostics_channel`, free of cost without a subscriber. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { OrderStatus } from '../../../db/entities/order.ts';
import type { Venue } from '../../../db/vocabulary.ts';
import type { BooksKey } from '../../../engine/platform/context.ts';
import type { ForeignIntent } from '../../../engine/strategy/deployments/foreign-intent.ts';
import type { RaisedBy } from '../../../engine/trading/orders/diagnostics.ts';

/** One tick of one shard. */
export type Tick = {
  shard: number;
  fence: string;
  /** Instants missed before this one. */
  skipped: number;
  /** From its instant to the moment it was stored; null until then. */
  lagMs: number | null;
  deployments: number;
  /** Rows of states it wrote. */
  stored: number;
  raised: readonly RaisedBy[];
};
export const ticks = tracingChannel<Tick, Tick>('trading.tick');

/** The result of one intent, once it is committed. */
export type DecidedIntent = RaisedBy & {
  accountId: string;
  /** The status of its order; `refused`, or `nothing` if it was decided or ended before. */
  verdict: OrderStatus | 'refused' | 'nothing';
  /** The code of the denial, for a denied order. */
  deniedBy: string | null;
  orderId: string | null;
  ms: number;
};
export const decisions = channel<DecidedIntent, DecidedIntent>('trading.intent');

/** One answered poll of a venue; without instruments, there is nothing to poll here. */
export type VenuePoll = {
  venue: Venue;
  instruments: number;
  /** Age of their oldest confirmed quote; 0 without instruments. */
  oldestMs: number;
};
export const polls = channel<VenuePoll, VenuePoll>('trading.feed');

/** A check for work, and the kinds of rounds that continue after it. */
export type WorkCheck = { awake: readonly string[] };
export const workChecks = channel<WorkCheck, WorkCheck>('trading.look');

/** A step that raised an intent its deployment did not fire: nothing of it was stored. */
export type ForeignIntentEvent = BooksKey & ForeignIntent & { deploymentId: string };
export const foreignIntents = channel<ForeignIntentEvent, ForeignIntentEvent>('trading.foreign_intent');
