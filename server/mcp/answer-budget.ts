import { DomainError } from '../../engine/platform/errors.ts';

/** Characters of one answer: a model reads all of it. */
export const ANSWER_CHARS_MAX = 100_000;

/** The characters that the answers of one request share, which is as much as one answer may have. */
export class AnswerBudget {
  #left = ANSWER_CHARS_MAX;

  /** @throws DomainError `invalid_state` if the answers before this one left too little. */
  take(chars: number): void {
    if (chars > this.#left && this.#left < ANSWER_CHARS_MAX) throw sharedOut(chars, this.#left);
    this.#left -= chars;
  }
}

const sharedOut = (chars: number, left: number) =>
  new DomainError(
    'invalid_state',
    `The answer has ${chars} characters; ${Math.max(0, left)} of the ${ANSWER_CHARS_MAX} of this request are left. Send it in a request of its own.`,
  );
