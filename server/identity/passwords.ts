import { APIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { FairQueue, QueueFull } from '../../db/fair-queue.ts';

/**
 * Each hash takes one core for some 60 ms and 32 MiB. It also occupies one of the four threads that read files and resolve
 * names.
 */
const AT_ONCE = 2;
/** New passwords, and those of unknown e-mails, share one queue. A known user is identified by the stored hash. */
const NO_ACCOUNT = '';
/** The most passwords in the queue: about a second's work. */
const WAITING_MAX = 20;

export type PasswordHasher = {
  hash: (password: string) => Promise<string>;
  verify: (check: { hash: string; password: string }) => Promise<boolean>;
};

/** The framework's own: scrypt, slow on purpose. */
const SCRYPT: PasswordHasher = { hash: hashPassword, verify: verifyPassword };

/**
 * Hashes passwords, two at once in this process: sign-in, sign-up, change and reset. Users take turns. Past a short queue a
 * request is refused, so that no number of sign-ins takes the machine from signed-in users.
 *
 * @throws APIError 503 `overloaded` while too many wait.
 */
export function openPasswords(hasher: PasswordHasher = SCRYPT): PasswordHasher {
  const queue = new FairQueue({ slots: AT_ONCE, waiting: WAITING_MAX });
  const inTurn = <Result>(account: string, task: () => Promise<Result>): Promise<Result> =>
    queue.run(account, task).catch((error: unknown) => {
      throw error instanceof QueueFull ? tooManyPasswords() : error;
    });
  return {
    hash: (password) => inTurn(NO_ACCOUNT, () => hasher.hash(password)),
    verify: (check) => inTurn(check.hash, () => hasher.verify(check)),
  };
}

/** The handler adds the details: for the framework it is a refusal of its own kind, so that nothing is stored. */
const tooManyPasswords = () =>
  new APIError('SERVICE_UNAVAILABLE', { message: 'Too many passwords at once.' });
