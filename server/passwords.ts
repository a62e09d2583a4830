import { APIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import PQueue from 'p-queue';

/** Each hash takes a core for some 60 ms, 32 MiB, and one of the four threads files and names are read by too. */
const AT_ONCE = 2;
/** Passwords that may wait for their turn: about a second's work. */
const WAITING_MAX = 20;

export type PasswordHasher = {
  hash: (password: string) => Promise<string>;
  verify: (check: { hash: string; password: string }) => Promise<boolean>;
};

/** The framework's own: scrypt, slow on purpose. */
const SCRYPT: PasswordHasher = { hash: hashPassword, verify: verifyPassword };

/**
 * Hashes passwords, two at once in this process, whoever asks for it: sign-in, sign-up, change and reset. Past a
 * short queue whoever asks is sent away, so that no number of sign-ins takes the machine from people at work.
 *
 * @throws APIError 503 `overloaded` while too many wait.
 */
export function openPasswords(hasher: PasswordHasher = SCRYPT): PasswordHasher {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const inTurn = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (queue.size >= WAITING_MAX) throw tooManyPasswords();
    return queue.add(task);
  };
  return {
    hash: (password) => inTurn(() => hasher.hash(password)),
    verify: (check) => inTurn(() => hasher.verify(check)),
  };
}

/** The handler says the rest: to the framework it is a refusal of its own kind, so that nothing is stored. */
const tooManyPasswords = () =>
  new APIError('SERVICE_UNAVAILABLE', { message: 'Too many passwords at once.' });
