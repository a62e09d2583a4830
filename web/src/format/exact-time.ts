import { serviceNow } from '../api/clock.ts';
import { dayPrefix, formatter, type Zone, zoneName } from './time.ts';

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
