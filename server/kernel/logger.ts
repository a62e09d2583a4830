import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Fields that must never be in a log line, at any depth. Lines carry ids, never bodies. */
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

/** The process that a line belongs to. */
export type LoggedAbout = { version: string; role: string; pid: number };

/** Logs one JSON line per event; on a terminal, readable text in colours. */
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
