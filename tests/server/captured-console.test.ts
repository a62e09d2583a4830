import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { captureConsole } from '../../server/identity/captured-console.ts';
import { openLogger } from '../../server/kernel/logger.ts';

test('an error that a library prints is one line of the log, without its stack and without the values it quotes', () => {
  const lines: string[] = [];
  const write = (line: unknown, _encoding: unknown, done: () => void) => {
    lines.push(String(line));
    done();
  };
  const print = (..._values: unknown[]) => expect.unreachable('printed in plain text');
  const printing = { debug: print, log: print, info: print, warn: print, error: print };
  captureConsole(openLogger('debug', new Writable({ write })), printing);
  const { error, warn } = printing;
  error(new Error('Connection terminated unexpectedly'));
  error(new TypeError('a defect'));
  warn('Invalid thing: a secret value', { secret: true });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', from: 'console', error: 'Connection terminated unexpectedly' },
    { level: 'error', from: 'console', error: 'a defect' },
    { level: 'info', from: 'console', msg: 'Invalid thing' },
  ]);
  expect(lines.join('')).not.toMatch(/secret|\.ts:/);
});
