import { BetterAuthError } from 'better-auth';
import { statusOf, toDomainError } from '../../routers/errors.ts';
import type { Logger } from '../kernel/logger.ts';

/** Characters of a framework's message that are read: the rest is text that a caller sent. */
const MESSAGE_CHARS_MAX = 500;

/** Logs the messages of the sign-in framework, with our levels and without text that a caller sent. */
export const authLog = (log: Logger) => libraryLog(log, 'auth');

/** The same for any library: `from` names it in each line. */
export const libraryLog =
  (log: Logger, from: string) =>
  (level: string, message: string, ...details: unknown[]): void => {
    const words = fixedPart(message);
    const error = details.find((detail) => detail instanceof Error);
    const about = { from, ...(error && { error: error.message.slice(0, MESSAGE_CHARS_MAX) }) };
    log[levelOf(level, words, error)](about, words);
  };

/**
 * Cuts a message before the value it quotes: the framework writes `Invalid callbackURL: …` with all the text that a stranger
 * sent. No regular expression runs over that value.
 */
function fixedPart(message: unknown): string {
  const words = String(message).slice(0, MESSAGE_CHARS_MAX);
  const at = words.indexOf(': ');
  return at === -1 ? words : words.slice(0, at);
}

/**
 * Returns `info` for messages about a caller's input: those without an error, or with one of the framework's own. Errors of an
 * unavailable database are warnings, because they are temporary.
 */
function levelOf(level: string, words: string, error: Error | undefined): 'info' | 'warn' | 'error' {
  if (statusOf(toDomainError(error ?? new Error(words))) === 503) return 'warn';
  if (error === undefined || error instanceof BetterAuthError || OF_A_BROWSER.has(words)) return 'info';
  return level === 'error' ? 'error' : 'warn';
}

/** Messages about a malformed passkey answer of a browser, which the framework reports as its own error. */
const OF_A_BROWSER: ReadonlySet<string> = new Set([
  'Failed to verify registration',
  'Failed to verify authentication',
]);
