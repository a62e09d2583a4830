import type { Logger } from '../kernel/logger.ts';
import { libraryLog } from './auth-log.ts';

const METHODS = ['debug', 'log', 'info', 'warn', 'error'] as const;
type Printing = Record<(typeof METHODS)[number], (...values: unknown[]) => void>;

/**
 * Logs prints of a library as one line: the sign-in framework's adapter prints an error with its stack, as plain text among
 * lines of JSON.
 */
export function captureConsole(log: Logger, printing: Printing = console): void {
  const report = libraryLog(log, 'console');
  for (const method of METHODS) {
    printing[method] = (...values: unknown[]) => {
      const [first] = values;
      const words = typeof first === 'string' ? first : 'a library printed an error';
      report(method, words, ...values);
    };
  }
}
