import { useEffect, useState } from 'react';
import { serviceNow } from '../api/clock.ts';
import { age, clockTime, fullTime, minuteOf, relativeTime, type Zone, zoneName } from '../format/time.ts';
import { Trans } from '../language/trans.tsx';
import { useSettings } from '../settings/store.ts';

const TICK_MS = 1_000;

/** The current time, every second, for ages and countdowns. */
export function useNow(everyMs: number = TICK_MS): Date {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** An instant with its zone. Hovering shows the other zone and the age; copying gives ISO 8601. */
export function Time({ at, write = clockTime }: { at: string; write?: (at: Date, zone: Zone) => string }) {
  const zone = useSettings((settings) => settings.zone);
  const date = new Date(at);
  const other = zone === 'utc' ? 'local' : 'utc';
  return (
    <time
      dateTime={date.toISOString()}
      title={`${fullTime(date, zone)}\n${fullTime(date, other)}\n${relativeTime(date)}`}
      className="nowrap"
    >
      {write(date, zone)}
    </time>
  );
}

/** From one instant to another, both with their day: `23 Oct 2026 00:00 to 22 Nov 2026 00:00 UTC`. */
export function TimeSpan({ from, to }: { from: string; to: string }) {
  const zone = useSettings((settings) => settings.zone);
  const write = (at: string) => minuteOf(new Date(at), zone);
  return (
    <span>
      <Trans
        message="{span} to {span2}"
        values={{
          span: <span className="nowrap">{write(from)}</span>,
          span2: (
            <span className="nowrap">
              {write(to)} {zoneName(zone, new Date(to))}
            </span>
          ),
        }}
      />
    </span>
  );
}

/** How long ago something happened, updated every second. */
export const Age = ({ at }: { at: string }) => <Relative at={at} write={age} />;

/** The time left until an instant, then how long ago it was; updated every second. */
export const Until = ({ at }: { at: string }) => <Relative at={at} write={relativeTime} />;

function Relative({ at, write }: { at: string; write: (at: Date, now: Date) => string }) {
  const zone = useSettings((settings) => settings.zone);
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={fullTime(date, zone)} className="nowrap">
      {write(date, now)}
    </time>
  );
}

/** Copies a selection that is one instant as ISO 8601. */
export function copyTimesAsIso(): void {
  document.addEventListener('copy', (event) => {
    const selection = document.getSelection();
    const node = selection?.anchorNode;
    const element = node instanceof Element ? node : node?.parentElement;
    const time = element?.closest('time');
    if (!time || selection?.toString().trim() !== time.textContent?.trim()) return;
    event.clipboardData?.setData('text/plain', time.dateTime);
    event.preventDefault();
  });
}
