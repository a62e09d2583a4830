import { tracked } from '@trpc/server';
import { z } from 'zod';
import type { Json } from '../../db/json.ts';
import type { Work } from '../../engine/platform/context.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { latestEventSeq } from '../../engine/platform/events/event-stream.ts';
import { unfinishedBacktests } from '../../engine/research/backtests/read.ts';
import { unfinishedSweeps } from '../../engine/research/sweeps/list.ts';
import { readStatesAndMarkWatched } from '../../engine/usecases/blueprints/drafts/record-watched.ts';
import { accountSnapshot } from '../../engine/usecases/snapshots/account-snapshot.ts';
import { AccountView } from '../console/account/account-value.ts';
import type { AccountContext } from '../context.ts';
import { uuid } from '../schemas.ts';
import { sessionProcedure } from '../trpc.ts';
import { followEvents } from './follow-events.ts';

/** The interval of a beat on a quiet stream. By it a reader distinguishes a quiet stream from a broken one. */
const BEAT_MS = 5_000;
/** The most blueprints with node states on one stream: the tabs of one browser share a stream. */
const WATCHED_MAX = 8;

export type LiveEvent = { type: string; at: string; payload: Json };

/**
 * The account's live stream in the mode of the session. Numbered rows, resumable by `lastEventId`, are order, fill, position,
 * rule and blueprint events. `resync` comes once if rows are no longer stored. Other values are snapshots without a number:
 * - node states of the watched blueprints,
 * - the account: its value, positions, results and limits, all at one instant,
 * - backtests and sweeps that run,
 * - whether a runner is missing.
 *
 * `beat` comes after five seconds without another event.
 */
export const events = sessionProcedure()
  .input(
    z.strictObject({
      lastEventId: z
        .string()
        .regex(/^\d{1,15}$/)
        .nullish(),
      blueprintIds: z.array(uuid).max(WATCHED_MAX).optional(),
    }),
  )
  .use(({ ctx, next }) => next({ ctx: { sessionEnded: ctx.openStream(ctx.principal) } }))
  .subscription(async function* ({ ctx, input, signal }) {
    const ended = AbortSignal.any([ctx.live.ended, ctx.sessionEnded, ...(signal ? [signal] : [])]);
    const snapshots = new Snapshots(ctx, new Set(input.blueprintIds));
    const start = input.lastEventId ? Number(input.lastEventId) : await latestEventSeq(ctx.work);
    let saidAt = performance.now();
    for await (const { seq, events: fresh, isGap } of followEvents(ctx, start, ended)) {
      if (isGap) yield tracked(String(seq), liveEvent('resync', {}));
      for (const event of fresh) {
        yield tracked(String(event.seq), {
          type: event.type,
          at: event.at,
          payload: event.payload,
        } as LiveEvent);
      }
      const changed = await snapshots.changed();
      for (const snapshot of changed) yield tracked(String(seq), snapshot);
      if (isGap || fresh.length > 0 || changed.length > 0) saidAt = performance.now();
      if (performance.now() - saidAt >= BEAT_MS) {
        yield tracked(String(seq), liveEvent('beat', {}));
        saidAt = performance.now();
      }
    }
    const { reason } = ctx.sessionEnded;
    if (reason instanceof DomainError) throw reason;
  });

const liveEvent = (type: string, payload: Json): LiveEvent => ({
  type,
  at: new Date().toISOString(),
  payload,
});

type Watched = Pick<AccountContext, 'work' | 'isRunnerMissing'>;

/** Values that are sent only when they changed, and only while the stream is open. */
class Snapshots {
  readonly #work: Work;
  readonly #isRunnerMissing: () => boolean;
  readonly #blueprintIds: ReadonlySet<string>;
  readonly #lastSent = new Map<string, string>();

  constructor({ work, isRunnerMissing }: Watched, blueprintIds: ReadonlySet<string>) {
    this.#work = work;
    this.#isRunnerMissing = isRunnerMissing;
    this.#blueprintIds = blueprintIds;
  }

  async changed(): Promise<LiveEvent[]> {
    const changed = [this.#runner(), await this.#account(), await this.#backtests(), await this.#sweeps()];
    for (const id of this.#blueprintIds) changed.push(await this.#nodeStates(id));
    return changed.flat();
  }

  /** Sent once a runner is missing, and when one is back. */
  #runner(): LiveEvent[] {
    const isMissing = this.#isRunnerMissing();
    if (!isMissing && !this.#lastSent.has('runner')) return [];
    return this.#ifNew('runner', liveEvent('runner.changed', { isMissing }));
  }

  async #account(): Promise<LiveEvent[]> {
    const { asOf, ...values } = AccountView.parse(await accountSnapshot(this.#work));
    return this.#ifNew('account', liveEvent('account', { asOf, ...values } as Json), values as Json);
  }

  /** The progress of those that have not ended. */
  async #backtests(): Promise<LiveEvent[]> {
    const unfinished = await unfinishedBacktests(this.#work);
    if (unfinished.length === 0 && !this.#lastSent.has('backtests')) return [];
    return this.#ifNew('backtests', liveEvent('backtests', unfinished as Json));
  }

  async #sweeps(): Promise<LiveEvent[]> {
    const unfinished = await unfinishedSweeps(this.#work);
    if (unfinished.length === 0 && !this.#lastSent.has('sweeps')) return [];
    return this.#ifNew('sweeps', liveEvent('sweeps', unfinished as Json));
  }

  /** A blueprint that was deleted meanwhile has none, and does not end the stream. */
  async #nodeStates(blueprintId: string): Promise<LiveEvent[]> {
    try {
      const nodeStates = await readStatesAndMarkWatched(this.#work, blueprintId);
      return this.#ifNew(blueprintId, liveEvent('node_states', { blueprintId, nodeStates }));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return [];
      throw error;
    }
  }

  #ifNew(subject: string, event: LiveEvent, values = event.payload): LiveEvent[] {
    const text = JSON.stringify(values);
    if (this.#lastSent.get(subject) === text) return [];
    this.#lastSent.set(subject, text);
    return [event];
  }
}
