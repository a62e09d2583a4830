import { DomainError } from '../engine/errors.ts';
import { CAPACITY, PATIENCE } from './capacity.ts';

/** Says which of these sessions are still there. */
export type FindSessions = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

type Stream = { sessionId: string; ending: AbortController };

/**
 * The event streams of this process: so many per account, each only for as long as the session behind it. All sessions
 * are looked at together once a second, while there is a stream.
 */
export class Streams {
  readonly #findSessions: FindSessions;
  readonly #ofAccount = new Map<string, Set<Stream>>();
  #looking: NodeJS.Timeout | null = null;

  constructor(findSessions: FindSessions) {
    this.#findSessions = findSessions;
  }

  /**
   * Opens one. Its signal aborts once the session has ended.
   *
   * @param whenOver Calls back once the stream is over.
   * @throws DomainError `rate_limited` where the account has as many as it may.
   */
  open(
    { accountId, id }: { accountId: string; id: string },
    whenOver: (callback: () => void) => void,
  ): AbortSignal {
    const streams = this.#ofAccount.get(accountId) ?? new Set();
    if (streams.size >= CAPACITY.streamsPerAccount) throw tooMany();
    const stream = { sessionId: id, ending: new AbortController() };
    this.#ofAccount.set(accountId, streams.add(stream));
    whenOver(() => this.#close(accountId, stream));
    this.#looking ??= setInterval(() => void this.#look(), PATIENCE.sessionMs).unref();
    return stream.ending.signal;
  }

  #close(accountId: string, stream: Stream): void {
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
      const live = await this.#findSessions([...new Set(streams.map(({ sessionId }) => sessionId))]);
      for (const { sessionId, ending } of streams) if (!live.has(sessionId)) ending.abort();
    } catch {
      // Without the database nothing is told on a stream either, and it breaks off by itself.
    }
  }
}

const tooMany = () =>
  new DomainError(
    'rate_limited',
    `This account has ${CAPACITY.streamsPerAccount} event streams open. Close one, or share one among tabs.`,
    { retryAfterSec: 5 },
  );
