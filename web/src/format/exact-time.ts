import { serviceNow } from '../api/clock.ts';
import { amount } from './number.ts';
import { dayPrefix, duration, formatter, type Zone, zoneName } from './time.ts';

/** The instant to the millisecond, with its day unless that is today: `12:04:31.250 UTC`. */
export function exactTime(at: Date, zone: Zone, now: Date = serviceNow()): string {
  const time = formatter(zone, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(at);
  return `${dayPrefix(at, zone, now)}${time} ${zoneName(zone, at)}`;
}

/** A span to the millisecond while it is short: `14 ms`, `2.4 s`, `5 m`. */
export function elapsed(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, ms)} ms`;
  return ms < MINUTE_MS ? `${amount(Math.floor(ms / TENTH_MS) / TENTHS)} s` : duration(ms);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const TENTH_MS = 100;
const TENTHS = 10;
