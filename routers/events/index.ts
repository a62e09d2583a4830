import { tracked } from '@trpc/server';
import { z } from 'zod';
import type { Json } from '../../db/json.ts';
import { listPositions } from '../../engine/accounting/portfolio.ts';
import { watchBlueprint } from '../../engine/blueprints/watch.ts';
import type { Work } from '../../engine/context.ts';
import { eventsAfter, latestEventSeq } from '../../engine/event-stream.ts';
import { uuid } from '../schemas.ts';
import { sessionProcedure } from '../trpc.ts';

/** How often a quiet stream looks by itself: for marks and node states, and what a lost notification costs. */
const LOOK_MS = 2_000;

export type LiveEvent = { type: string; at: string; payload: Json };

/**
 * The account's live stream: order, fill, position, rule and blueprint events as numbered rows, resumable by
 * `lastEventId`; `resync` once where rows are not kept any more; node states of one watched blueprint and marks as
 * snapshots without a number.
 */
export const events = sessionProcedure()
  .input(
    z.strictObject({
      lastEventId: z
        .string()
        .regex(/^\d{1,15}$/)
        .nullish(),
      blueprintId: uuid.optional(),
    }),
  )
  .subscription(async function* ({ ctx, input, signal }) {
    const ended = AbortSignal.any([ctx.live.ended, ...(signal ? [signal] : [])]);
    const snapshots = new Snapshots(ctx.work, input.blueprintId);
    let seq = input.lastEventId ? Number(input.lastEventId) : await latestEventSeq(ctx.work);
    while (!ended.aborted) {
      const fresh = await eventsAfter(ctx.work, seq);
      if (fresh === null) {
        seq = await latestEventSeq(ctx.work);
        yield tracked(String(seq), liveEvent('resync', {}));
      }
      for (const event of fresh ?? []) {
        seq = event.seq;
        yield tracked(String(seq), { type: event.type, at: event.at, payload: event.payload } as LiveEvent);
      }
      for (const snapshot of await snapshots.changed()) yield tracked(String(seq), snapshot);
      if (fresh?.length === 0) await ctx.live.wake(ctx.work.accountId, LOOK_MS, ended);
    }
  });

const liveEvent = (type: string, payload: Json): LiveEvent => ({
  type,
  at: new Date().toISOString(),
  payload,
});

/** What is worth telling only when it changed, and only while somebody looks. */
class Snapshots {
  readonly #work: Work;
  readonly #blueprintId: string | undefined;
  readonly #told = new Map<string, string>();

  constructor(work: Work, blueprintId: string | undefined) {
    this.#work = work;
    this.#blueprintId = blueprintId;
  }

  async changed(): Promise<LiveEvent[]> {
    const snapshots = [await this.#marks(), ...(await this.#nodeStates())];
    return snapshots.filter(({ type, payload }) => {
      const text = JSON.stringify(payload);
      if (this.#told.get(type) === text) return false;
      this.#told.set(type, text);
      return true;
    });
  }

  async #marks(): Promise<LiveEvent> {
    const positions = await listPositions(this.#work);
    return liveEvent(
      'marks',
      positions.map(({ tokenId, blueprintId, markPrice, unrealizedPnl }) => ({
        tokenId,
        blueprintId,
        markPrice: markPrice === null ? null : Number(markPrice),
        unrealizedPnl: unrealizedPnl === null ? null : Number(unrealizedPnl),
      })),
    );
  }

  async #nodeStates(): Promise<LiveEvent[]> {
    if (this.#blueprintId === undefined) return [];
    const nodeStates = await watchBlueprint(this.#work, this.#blueprintId);
    return [liveEvent('node_states', { blueprintId: this.#blueprintId, nodeStates })];
  }
}
