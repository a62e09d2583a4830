import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../engine/errors.ts';
import { CAPACITY, PATIENCE } from './capacity.ts';

type Line = { held: number; waiting: (() => void)[] };

/**
 * Lets an account have a few large answers under way at once; further ones wait for their turn. One is under way until
 * the caller has it: what nobody reads is held in memory.
 */
export class HeavyReads {
  readonly #lines = new Map<string, Line>();

  /**
   * The turns of one request, which may be a batch of calls: it takes one, and may hold more than one answer.
   *
   * @param whenOver Calls back once the answer is away, or the caller is.
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

  async #begin(accountId: string): Promise<() => void> {
    const line = this.#lines.get(accountId) ?? { held: 0, waiting: [] };
    this.#lines.set(accountId, line);
    if (line.held < CAPACITY.heavyReadsPerAccount) line.held++;
    else await waitIn(line);
    return () => this.#end(accountId, line);
  }

  /** Whoever waits takes over what was held. */
  #end(accountId: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) next();
    else if (line.held > 1) line.held--;
    else this.#lines.delete(accountId);
  }
}

/** @throws DomainError `rate_limited` once it has waited long enough. */
async function waitIn({ waiting }: Line): Promise<void> {
  const turn = Promise.withResolvers<void>();
  waiting.push(turn.resolve);
  const impatience = new AbortController();
  const late = sleep(PATIENCE.heavyReadMs, 'late', impatience).catch(() => {});
  const outcome = await Promise.race([turn.promise, late]);
  impatience.abort();
  if (outcome !== 'late') return;
  const place = waiting.indexOf(turn.resolve);
  if (place === -1) return;
  waiting.splice(place, 1);
  throw tooMany();
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
