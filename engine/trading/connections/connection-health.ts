import type { Broker } from '../../../venues/broker.ts';
import { VenueError, type VenueRefusal } from '../../../venues/errors.ts';

const REFUSED_WITHIN_MS = 60_000;

/** Facts that only the process knows that trades through the connection. */
export type HealthFacts = {
  /** Last message of the user stream; null if there was none yet. */
  readonly lastSeenAt: Date | null;
  /** Time of the first failed request since the last readable response; null if the last response was readable. */
  readonly unansweredSince: Date | null;
  /** Whether the last of these requests got a response that could not be parsed. */
  readonly isUnreadable: boolean;
  /** Rate limit responses of the venue within the last minute. */
  readonly limitedCalls: number;
  /** Refusals of the key within the last minute, for any request. */
  readonly keyRefusals: number;
  /** Reports within the last minute that another program sends heartbeats with the same key. */
  readonly contestedBeats: number;
};

/** Records a venue's responses, failures and refusals while a runner trades through a connection. */
export class ConnectionHealth {
  readonly #now: () => Date;
  #lastSeenAt: Date | null = null;
  #unansweredSince: Date | null = null;
  #isUnreadable = false;
  #refused: readonly { readonly refusal: VenueRefusal; readonly at: Date }[] = [];

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Returns the facts. Refusals before `since`, the last resume, do not count. */
  factsSince(since: Date | null): HealthFacts {
    const sinceMs = Math.max(this.#now().getTime() - REFUSED_WITHIN_MS, since?.getTime() ?? 0);
    this.#refused = this.#refused.filter(({ at }) => at.getTime() > sinceMs);
    const calls = (refusal: VenueRefusal) => this.#refused.filter((each) => each.refusal === refusal).length;
    return {
      lastSeenAt: this.#lastSeenAt,
      unansweredSince: this.#unansweredSince,
      isUnreadable: this.#isUnreadable,
      limitedCalls: calls('rate'),
      keyRefusals: calls('key'),
      contestedBeats: calls('heartbeat'),
    };
  }

  /** Records a message of the stream. */
  recordMessage(): void {
    this.#lastSeenAt = this.#now();
  }

  /** Wraps a broker so that its responses and failures are recorded. */
  observe(broker: Broker): Broker {
    const noticed =
      <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        try {
          const result = await ask(...args);
          this.#unansweredSince = null;
          this.#isUnreadable = false;
          return result;
        } catch (error) {
          this.#failed(error);
          throw error;
        }
      };
    const recordOpenOrders = broker.recordOpenOrders?.bind(broker);
    const beat = broker.sendHeartbeat?.bind(broker);
    const stream = broker.stream?.bind(broker);
    const terms = broker.terms?.bind(broker);
    const refusalOf = broker.refusalOf?.bind(broker);
    return {
      absenceProof: broker.absenceProof,
      prepare: broker.prepare.bind(broker),
      place: noticed(broker.place.bind(broker)),
      cancel: noticed(broker.cancel.bind(broker)),
      find: noticed(broker.find.bind(broker)),
      listOpen: noticed(broker.listOpen.bind(broker)),
      fillsSince: noticed(broker.fillsSince.bind(broker)),
      positions: noticed(broker.positions.bind(broker)),
      balances: noticed(broker.balances.bind(broker)),
      transfers: noticed(broker.transfers.bind(broker)),
      status: noticed(broker.status.bind(broker)),
      cancelAll: noticed(broker.cancelAll.bind(broker)),
      ...(recordOpenOrders && { recordOpenOrders: noticed(recordOpenOrders) }),
      ...(beat && { sendHeartbeat: noticed(beat) }),
      ...(terms && { terms: noticed(terms) }),
      ...(refusalOf && { refusalOf: noticed(refusalOf) }),
      ...(stream && {
        stream: (on: Parameters<typeof stream>[0]) =>
          stream((event) => {
            this.recordMessage();
            on(event);
          }),
      }),
    };
  }

  #failed(error: unknown): void {
    this.#unansweredSince ??= this.#now();
    this.#isUnreadable = error instanceof VenueError && error.isUnreadable;
    if (!(error instanceof VenueError) || error.refusal === null) return;
    this.#refused = [...this.#refused, { refusal: error.refusal, at: this.#now() }];
  }
}
