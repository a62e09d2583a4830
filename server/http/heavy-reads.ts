import { FairQueue, type Release, WaitedTooLong } from '../../db/fair-queue.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';

/**
 * Limits how many large answers of an account are in progress at once; further ones wait. An answer counts until the caller has
 * received it: an unread one is held in memory.
 */
export class HeavyReads {
  readonly #queue = new FairQueue({ slotsPerAccount: CAPACITY.heavyReadsPerAccount });

  /**
   * The slots of one request, which may be a batch of calls: it takes one, and may hold more than one answer.
   *
   * @param whenOver Calls back once the answer was sent, or the caller disconnected.
   */
  ofRequest(whenOver: (callback: () => void) => void): (accountId: string) => Promise<void> {
    let calls = 0;
    let turn: Promise<void> | null = null;
    return (accountId) => {
      calls++;
      if (calls > CAPACITY.heavyReadsPerRequest) throw tooManyInOne();
      turn ??= this.#begin(accountId).then((end) => whenOver(end));
      return turn;
    };
  }

  /** @throws DomainError `rate_limited` after {@link TIMEOUTS.heavyReadMs}. */
  #begin(accountId: string): Promise<Release> {
    return this.#queue.take(accountId, { waitMs: TIMEOUTS.heavyReadMs }).catch((error: unknown) => {
      throw error instanceof WaitedTooLong ? tooMany() : error;
    });
  }
}

const tooMany = () =>
  new DomainError(
    'rate_limited',
    `This account has ${CAPACITY.heavyReadsPerAccount} large answers under way. Read them, or ask for less at once.`,
    { retryAfterSec: 1 },
  );

const tooManyInOne = () =>
  new DomainError(
    'rate_limited',
    `One request may ask for ${CAPACITY.heavyReadsPerRequest} large answers. Send several.`,
    { retryAfterSec: 1 },
  );
