import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** What must never be in a line, wherever it hides. Lines carry ids, never bodies. */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'key',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.token',
  '*.secret',
  '*.key',
];

/** Which process a line is of. */
export type LoggedAbout = { version: string; role: string; pid: number };

/** One JSON line an event; for a person at a terminal, the same in words and colours. */
export function openLogger(
  level: string,
  destination: DestinationStream | 'terminal' | 'stdout',
  about: LoggedAbout | null = null,
): Logger {
  const options = {
    level,
    base: about,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS, censor: '[secret]' },
  };
  if (destination === 'terminal') {
    const { formatters: _inWords, ...plain } = options;
    return pino({
      ...plain,
      transport: {
        target: 'pino-pretty',
        options: { ignore: 'pid,version,role,hostname', translateTime: 'HH:MM:ss.l' },
      },
    });
  }
  return destination === 'stdout' ? pino(options) : pino(options, destination);
}
