import { DomainError } from '../../engine/platform/errors.ts';
import type { Principal } from '../../routers/principal.ts';
import { CAPACITY, PATIENCE } from './capacity.ts';

/** By what somebody is known. */
type Credential = Pick<Principal, 'kind' | 'id'>;

/** Ids of those of these sessions and keys that still hold. */
export type FindLive = (credentials: readonly Credential[]) => Promise<ReadonlySet<string>>;

type Stream = Credential & { ending: AbortController };

/**
 * The event streams of this process: so many per account and per key, each only for as long as the session or key behind it.
 * All of these are looked at together once a second, while there is a stream.
 */
export class Streams {
  readonly #findLive: FindLive;
  readonly #ofAccount = new Map<string, Set<Stream>>();
  #looking: NodeJS.Timeout | null = null;

  constructor(findLive: FindLive) {
    this.#findLive = findLive;
  }

  /** How many are open. */
  get count(): number {
    return [...this.#ofAccount.values()].reduce((count, streams) => count + streams.size, 0);
  }

  /**
   * Opens one. Its signal aborts once it is over, by a `DomainError` where what let it in has ended.
   *
   * @param whenOver Calls back once the stream is over.
   * @throws DomainError `rate_limited` where the account, or the key, has as many as it may.
   */
  open(
    { accountId, kind, id }: Credential & { accountId: string },
    whenOver: (callback: () => void) => void,
  ): AbortSignal {
    const streams = this.#ofAccount.get(accountId) ?? new Set();
    if (streams.size >= CAPACITY.streamsPerAccount) throw tooMany('account', CAPACITY.streamsPerAccount);
    const own = [...streams].filter((each) => each.id === id).length;
    if (kind === 'key' && own >= CAPACITY.streamsPerKey) throw tooMany('key', CAPACITY.streamsPerKey);
    const stream = { kind, id, ending: new AbortController() };
    this.#ofAccount.set(accountId, streams.add(stream));
    whenOver(() => this.#close(accountId, stream));
    this.#looking ??= setInterval(() => void this.#look(), PATIENCE.sessionMs).unref();
    return stream.ending.signal;
  }

  #close(accountId: string, stream: Stream): void {
    stream.ending.abort();
    const streams = this.#ofAccount.get(accountId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#ofAccount.delete(accountId);
    if (this.#ofAccount.size > 0 || this.#looking === null) return;
    clearInterval(this.#looking);
    this.#looking = null;
  }

  async #look(): Promise<void> {
    const streams = [...this.#ofAccount.values()].flatMap((each) => [...each]);
    try {
      const live = await this.#findLive(distinct(streams));
      for (const { kind, id, ending } of streams) if (!live.has(id)) ending.abort(ended(kind));
    } catch {
      // Without the database nothing is told on a stream either, and it breaks off by itself.
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
