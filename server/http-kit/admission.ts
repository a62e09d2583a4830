import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { FairQueue, QueueFull, type Release, WaitedTooLong } from '../../db/fair-queue.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { AccountCpuMeter } from '../kernel/account-cpu-meter.ts';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import { CpuTimeBudget, type ProcessorLimit } from './cpu-time-budget.ts';

/** Bytes of a body that count as a millisecond, until the request ends and its cost is known. */
const BODY_BYTES_PER_MS = 5_000;
/** Bytes of an answer that count as a millisecond, in addition to the time it took. */
const ANSWER_BYTES_PER_MS = 100_000;

/** A body of this size or more is large: it takes the thread for milliseconds. */
const LARGE_BODY_BYTES = 16 * 1_024;

/** A slower request waits for a venue or a lock, not for the thread: its slot is freed. */
const SLOT_MS = 200;

const UNMETERED = new AccountCpuMeter(
  () => {},
  () => 0,
);

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/**
 * Decides when a request within its limits is processed. Urgent requests are processed at once. Others need a slot, and
 * accounts take turns. Large bodies of an account are processed one by one. Each runs in its own turn of the event loop, so
 * that other requests are read in between. An account that has spent its share of the thread is in debt. Its requests wait, one
 * after another, until time has repaid the debt.
 */
export class Admission {
  readonly meter: AccountCpuMeter;
  readonly #slots = new FairQueue({
    slots: CAPACITY.requestsAtOnce,
    slotsPerAccount: CAPACITY.requestsPerAccount,
    waiting: CAPACITY.requestsWaiting,
    waitingPerAccount: CAPACITY.requestsWaitingPerAccount,
  });
  readonly #inDebt = new FairQueue({
    slotsPerAccount: 1,
    waitingPerAccount: CAPACITY.requestsWaitingPerAccount,
  });
  readonly #largeBodies = new FairQueue({
    slotsPerAccount: CAPACITY.largeBodiesPerAccount,
    waitingPerAccount: CAPACITY.requestsWaitingPerAccount,
  });
  readonly #share: CpuTimeBudget | null;

  constructor(limit: ProcessorLimit | null) {
    this.#share = limit && new CpuTimeBudget(limit);
    const share = this.#share;
    this.meter = share ? new AccountCpuMeter((account, ms) => share.spend(account, ms)) : UNMETERED;
  }

  /**
   * Admits one request, which may be a batch of calls: it waits once, and ends with the answer.
   *
   * @throws DomainError `rate_limited` if the account stays in debt, `overloaded` if no slot becomes free.
   */
  ofRequest({ request, response }: Exchange, whenOver: (callback: () => void) => void) {
    let admitted: Promise<void> | null = null;
    let release: Release = () => {};
    const admit = async (account: string) => {
      release = await this.#admit(account, { request, response }, whenOver);
      whenOver(release);
    };
    return {
      enter: (account: string): Promise<void> => {
        admitted ??= admit(account);
        return admitted;
      },
      /** Ends the admission before the answer ends: an event stream mostly waits. */
      leave: () => release(),
    };
  }

  async #admit(
    account: string,
    { request, response }: Exchange,
    whenOver: (callback: () => void) => void,
  ): Promise<Release> {
    const share = this.#share;
    let turn: Release = () => {};
    if (share !== null) {
      if (share.waitMs(account) > 0) turn = await this.#payBack(account, share);
      const expectedMs = Number(request.headers['content-length'] ?? 0) / BODY_BYTES_PER_MS;
      const before = request.socket.bytesWritten;
      share.spend(account, expectedMs);
      whenOver(() => {
        const bytes = request.socket.bytesWritten - before + response.writableLength;
        share.spend(account, bytes / ANSWER_BYTES_PER_MS - expectedMs);
      });
    }
    try {
      const slot = await this.#takeSlot(account, isLarge(request));
      this.meter.mark(account);
      const late = setTimeout(slot, SLOT_MS).unref();
      return () => {
        clearTimeout(late);
        turn();
        slot();
      };
    } catch (error) {
      turn();
      throw refusalOf(error, overloaded);
    }
  }

  async #takeSlot(account: string, isLarge: boolean): Promise<Release> {
    if (!isLarge) return this.#slots.take(account, { waitMs: TIMEOUTS.slotMs });
    const alone = await this.#largeBodies.take(account, { waitMs: TIMEOUTS.slotMs });
    try {
      const slot = await this.#slots.take(account, { waitMs: TIMEOUTS.slotMs });
      await turnOfTheLoop();
      return () => {
        alone();
        slot();
      };
    } catch (error) {
      alone();
      throw error;
    }
  }

  /** Waits in the account's own queue until it is out of debt. The next request in the queue waits for this one to end. */
  async #payBack(account: string, share: CpuTimeBudget): Promise<Release> {
    const deadlineMs = performance.now() + TIMEOUTS.debtMs;
    const turn = await this.#inDebt
      .take(account, { waitMs: TIMEOUTS.debtMs })
      .catch((error: unknown) => Promise.reject(refusalOf(error, () => inDebt(share.waitMs(account)))));
    const waitMs = share.waitMs(account);
    if (performance.now() + waitMs > deadlineMs) {
      turn();
      throw inDebt(waitMs);
    }
    await sleep(waitMs);
    return turn;
  }
}

/** A body without a stated length may have any length. */
const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= LARGE_BODY_BYTES;

const refusalOf = (error: unknown, refusal: () => DomainError): unknown =>
  error instanceof QueueFull || error instanceof WaitedTooLong ? refusal() : error;

const overloaded = () => DomainError.of('overloaded', { retryAfterSec: 1 });

const inDebt = (waitMs: number) => {
  const retryAfterSec = Math.max(1, Math.ceil(waitMs / 1_000));
  return new DomainError(
    'rate_limited',
    `The requests of this account have taken more time of the processor than their share. Wait ${retryAfterSec} s, send smaller requests, or fewer at once.`,
    { retryAfterSec },
  );
};
