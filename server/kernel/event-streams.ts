import { accountMoving } from '../../engine/platform/account-lock.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import type { Principal } from '../../routers/principal.ts';
import { CAPACITY, TIMEOUTS } from './capacity.ts';

/** The session or key of a caller. */
type Credential = Pick<Principal, 'kind' | 'id'>;

/** Returns the ids of the sessions and keys that are still valid. */
export type FindValidCredentials = (credentials: readonly Credential[]) => Promise<ReadonlySet<string>>;

/** Returns those of the accounts that have moved to another cell. */
export type FindMovedAccounts = (accountIds: readonly string[]) => Promise<ReadonlySet<string>>;

type Stream = Credential & { accountId: string; ending: AbortController };

/**
 * The event streams of this process, limited per account and per key. Each lasts only as long as its session or key. All of
 * them are checked together once a second, while there is a stream.
 */
export class EventStreams {
  readonly #findLive: FindValidCredentials;
  readonly #findMoved: FindMovedAccounts;
  readonly #ofAccount = new Map<string, Set<Stream>>();
  #checkTimer: NodeJS.Timeout | null = null;

  constructor(findLive: FindValidCredentials, findMoved: FindMovedAccounts) {
    this.#findLive = findLive;
    this.#findMoved = findMoved;
  }

  /** The number of open streams. */
  get count(): number {
    return [...this.#ofAccount.values()].reduce((count, streams) => count + streams.size, 0);
  }

  /**
   * Opens a stream. Its signal aborts when it is over: with a `DomainError` if its session or key has ended, or its account
   * has moved.
   *
   * @param whenOver Calls back once the stream is over.
   * @throws DomainError `rate_limited` if the account, or the key, is at its maximum.
   */
  open(
    { accountId, kind, id }: Credential & { accountId: string },
    whenOver: (callback: () => void) => void,
  ): AbortSignal {
    const streams = this.#ofAccount.get(accountId) ?? new Set();
    if (streams.size >= CAPACITY.streamsPerAccount) throw tooMany('account', CAPACITY.streamsPerAccount);
    const own = [...streams].filter((each) => each.id === id).length;
    if (kind === 'key' && own >= CAPACITY.streamsPerKey) throw tooMany('key', CAPACITY.streamsPerKey);
    const stream = { accountId, kind, id, ending: new AbortController() };
    this.#ofAccount.set(accountId, streams.add(stream));
    whenOver(() => this.#close(accountId, stream));
    this.#checkTimer ??= setInterval(() => void this.#checkCredentials(), TIMEOUTS.sessionMs).unref();
    return stream.ending.signal;
  }

  #close(accountId: string, stream: Stream): void {
    stream.ending.abort();
    const streams = this.#ofAccount.get(accountId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#ofAccount.delete(accountId);
    if (this.#ofAccount.size > 0 || this.#checkTimer === null) return;
    clearInterval(this.#checkTimer);
    this.#checkTimer = null;
  }

  async #checkCredentials(): Promise<void> {
    const streams = [...this.#ofAccount.values()].flatMap((each) => [...each]);
    try {
      const live = await this.#findLive(distinct(streams));
      const over = streams.filter(({ id }) => !live.has(id));
      if (over.length === 0) return;
      const moved = await this.#findMoved(over.map(({ accountId }) => accountId));
      // A key stays good in the other cell: its reader connects again. A session is over.
      for (const { accountId, kind, ending } of over)
        ending.abort(kind === 'key' && moved.has(accountId) ? accountMoving() : ended(kind));
    } catch {
      // Without the database a stream gets no events either, and breaks off.
    }
  }
}

const distinct = (streams: readonly Stream[]): Credential[] => [
  ...new Map(streams.map(({ kind, id }) => [id, { kind, id }])).values(),
];

const ENDED = {
  session: 'The session has ended. Sign in again.',
  key: 'The key was revoked or has expired. Use another one.',
} as const satisfies Record<Principal['kind'], string>;

const ended = (kind: Principal['kind']) => new DomainError('credentials_invalid', ENDED[kind]);

const tooMany = (whose: 'account' | 'key', most: number) =>
  new DomainError(
    'rate_limited',
    `This ${whose} has ${most} event streams open. Close one, or share one among readers.`,
    { retryAfterSec: 5 },
  );
