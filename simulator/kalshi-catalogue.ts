/** The catalogue of venue A in the simulated world. Tickers are built like the venue's own; times in them are UTC − 5 hours. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../venues/time.ts';
import type { CoinPath } from './world/crypto-path.ts';
import {
  Catalogue,
  capital,
  type EventSeries,
  eventWith,
  type MarketDraft,
  MONTH_NAMES,
  MONTHS,
  meetingOf,
  nextMeetings,
  singleEventSeries,
} from './world/event-series.ts';
import type { PriceOverrides } from './world/price-overrides.ts';
import {
  fedOutcomes,
  marsOdds,
  partyOdds,
  QUARTER_MS,
  quarterOdds,
  recessionOdds,
  strikesOf,
  temperatureOdds,
} from './world/questions.ts';

const CENT = 0.01;
/** Prices near 0 and 1 move in tenths of a cent, as on many of the venue's markets. */
const TAPERED = { tick: CENT, edgeTick: 0.001 };
const ET_MS = -5 * HOUR_MS;

export function kalshiCatalogue(
  seed: string,
  btc: () => CoinPath,
  priceOverrides?: PriceOverrides,
): Catalogue {
  return new Catalogue(
    [
      mars(seed),
      party(seed),
      fedDecision(seed),
      recession(seed),
      bitcoinDaily(btc),
      bitcoinQuarter(btc),
      highTemperature(seed),
    ],
    priceOverrides,
  );
}

function mars(seed: string): EventSeries {
  const closesMs = Date.UTC(2099, 7, 1, 14);
  const title = 'Will Elon Musk visit Mars before Aug 1, 2099?';
  const event = {
    id: 'KXELONMARS-99',
    series: 'KXELONMARS',
    title,
    subtitle: 'Before Aug 1, 2099',
    category: 'World',
    exclusive: false,
    opensMs: Date.UTC(2025, 6, 1),
    closesMs,
    settlesAfterMs: HOUR_MS,
  };
  const market = {
    id: event.id,
    title,
    label: 'Before Aug 1, 2099',
    odds: marsOdds(seed, event),
    tick: CENT,
    volumePerDay: 61,
  };
  return singleEventSeries(1, eventWith(event, [market]));
}

function party(seed: string): EventSeries {
  const closesMs = Date.UTC(2029, 0, 20, 15);
  const title = 'Which party will win the 2028 presidential election?';
  const rows = [
    ['D', 'Democratic party'],
    ['R', 'Republican party'],
    ['O', 'Another party'],
  ] as const;
  const event = {
    id: 'KXPRESPARTY-2028',
    series: 'KXPRESPARTY',
    title,
    subtitle: 'In 2028',
    category: 'Politics',
    exclusive: true,
    opensMs: Date.UTC(2025, 0, 21),
    closesMs,
    settlesAfterMs: HOUR_MS,
  };
  const odds = partyOdds(seed, event);
  const markets = rows.map(
    ([code, label], row): MarketDraft => ({
      id: `${event.id}-${code}`,
      title: `Will the ${label} win the 2028 presidential election?`,
      label,
      odds: odds[row] ?? (() => 0),
      ...TAPERED,
      volumePerDay: [182_000, 176_000, 9_000][row] ?? 0,
    }),
  );
  return singleEventSeries(2, eventWith(event, markets));
}

function fedDecision(seed: string): EventSeries {
  const build = (month: number) => {
    const closesMs = meetingOf(month) ?? 0;
    const name = `${String(Math.floor(month / 12)).slice(2)}${MONTHS[month % 12]}`;
    const event = {
      id: `KXFEDDECISION-${name}`,
      series: 'KXFEDDECISION',
      title: `Fed decision in ${capital(MONTH_NAMES[month % 12] ?? '')} ${Math.floor(month / 12)}?`,
      subtitle: new Date(closesMs).toISOString().slice(0, 10),
      category: 'Economics',
      exclusive: true,
      opensMs: closesMs - 365 * DAY_MS,
      closesMs,
      settlesAfterMs: 30 * MINUTE_MS,
    };
    const busy = [12_000, 90_000, 380_000, 310_000, 30_000];
    const markets = fedOutcomes(seed, month, event).map(
      ({ code, title, odds }, row): MarketDraft => ({
        id: `${event.id}-${code}`,
        title: `Fed decision on ${event.subtitle}: **${title}**?`,
        label: title,
        odds,
        tick: CENT,
        volumePerDay: busy[row] ?? 0,
      }),
    );
    return eventWith(event, markets);
  };
  return {
    code: 3,
    indexOf: (id) => {
      const [, year, name] = /^KXFEDDECISION-(\d{2})([A-Z]{3})(?:-|$)/.exec(id) ?? [];
      const month = MONTHS.indexOf(name ?? '');
      const index = (2000 + Number(year)) * 12 + month;
      return month < 0 || meetingOf(index) === null ? null : index;
    },
    build,
    listedAt: (timeMs) => nextMeetings(timeMs, 4),
  };
}

function recession(seed: string): EventSeries {
  const build = (year: number) => {
    const closesMs = Date.UTC(year + 1, 0, 31, 15);
    const event = {
      id: `KXRECSSNBER-${String(year).slice(2)}`,
      series: 'KXRECSSNBER',
      title: `Recession in ${year}?`,
      subtitle: `In ${year}`,
      category: 'Economics',
      exclusive: false,
      opensMs: Date.UTC(year - 1, 0, 2),
      closesMs,
      settlesAfterMs: HOUR_MS,
    };
    const odds = recessionOdds(seed, year, event);
    const title = `Will there be a recession in ${year}?`;
    return eventWith(event, [
      { id: event.id, title, label: `In ${year}`, odds, tick: CENT, volumePerDay: 21_000 },
    ]);
  };
  return {
    code: 4,
    indexOf: (id) => {
      const [, year] = /^KXRECSSNBER-(\d{2})$/.exec(id) ?? [];
      return year === undefined ? null : 2000 + Number(year);
    },
    build,
    listedAt: (timeMs) => {
      const year = new Date(timeMs).getUTCFullYear();
      return [year, year + 1];
    },
  };
}

/** A day's ladder of strikes; it closes at 17:00 and is numbered by that day. */
function bitcoinDaily(btc: () => CoinPath): EventSeries {
  const closeOf = (day: number) => day * DAY_MS + 17 * HOUR_MS - ET_MS;
  const build = (day: number) => {
    const closesMs = closeOf(day);
    const opensMs = closesMs - DAY_MS;
    const event = {
      id: `KXBTCD-${stamp(closesMs, 'hour')}`,
      series: 'KXBTCD',
      title: `Bitcoin price on ${new Date(day * DAY_MS).toISOString().slice(0, 10)} at 5pm EST?`,
      subtitle: 'Above or below',
      category: 'Crypto',
      exclusive: false,
      opensMs,
      closesMs,
      settlesAfterMs: 10 * MINUTE_MS,
    };
    const markets = strikesOf(btc(), opensMs, closesMs, 11).map(
      ({ strike, odds }): MarketDraft => ({
        id: `${event.id}-T${(strike - 0.01).toFixed(2)}`,
        title: event.title,
        label: `$${strike.toLocaleString('en-US')} or above`,
        odds,
        tick: CENT,
        volumePerDay: 44_000,
      }),
    );
    return eventWith(event, markets);
  };
  return {
    code: 5,
    indexOf: (id) => {
      const closesMs = readStamp(/^KXBTCD-(\d{2}[A-Z]{3}\d{2}17)(?:-|$)/.exec(id)?.[1]);
      return closesMs === null ? null : Math.floor((closesMs + ET_MS) / DAY_MS);
    },
    build,
    listedAt: (timeMs) => {
      const day = Math.floor((timeMs + ET_MS - 17 * HOUR_MS) / DAY_MS) + 1;
      return [day, day + 1].filter((item) => closeOf(item) - DAY_MS <= timeMs);
    },
  };
}

/** Up or down in a quarter of an hour, numbered by the quarter; the next one opens when the previous one closes. */
function bitcoinQuarter(btc: () => CoinPath): EventSeries {
  const build = (quarter: number) => {
    const opensMs = quarter * QUARTER_MS;
    const closesMs = opensMs + QUARTER_MS;
    const event = {
      id: `KXBTC15M-${stamp(closesMs, 'minute')}`,
      series: 'KXBTC15M',
      title: 'BTC price up in next 15 mins?',
      subtitle: new Date(closesMs).toISOString().slice(0, 16),
      category: 'Crypto',
      exclusive: false,
      opensMs,
      closesMs,
      settlesAfterMs: MINUTE_MS,
    };
    const minute = String(new Date(closesMs).getUTCMinutes()).padStart(2, '0');
    const market = {
      id: `${event.id}-${minute}`,
      title: event.title,
      label: 'Up',
      odds: quarterOdds(btc(), opensMs),
      tick: 0.001,
      volumePerDay: 4_000_000,
    };
    return eventWith(event, [market]);
  };
  return {
    code: 6,
    indexOf: (id) => {
      const closesMs = readStamp(/^KXBTC15M-(\d{2}[A-Z]{3}\d{6})(?:-|$)/.exec(id)?.[1]);
      return closesMs === null || closesMs % QUARTER_MS !== 0 ? null : closesMs / QUARTER_MS - 1;
    },
    build,
    listedAt: (timeMs) => [Math.floor(timeMs / QUARTER_MS)],
  };
}

/** Six exclusive ranges of tomorrow's temperature, numbered by the day. */
function highTemperature(seed: string): EventSeries {
  const closeOf = (day: number) => (day + 1) * DAY_MS - ET_MS - MINUTE_MS;
  const build = (day: number) => {
    const closesMs = closeOf(day);
    const date = new Date(day * DAY_MS);
    // From 4 °C in January to 30 °C in July, in Fahrenheit.
    const season = Math.cos((2 * Math.PI * (date.getUTCMonth() - 6.5)) / 12);
    const middle = 2 * Math.round((63 + 23 * season) / 2);
    const event = {
      id: `KXHIGHNY-${stamp(day * DAY_MS - ET_MS, 'day')}`,
      series: 'KXHIGHNY',
      title: `Highest temperature in NYC on ${date.toISOString().slice(0, 10)}?`,
      subtitle: date.toISOString().slice(0, 10),
      category: 'Climate and Weather',
      exclusive: true,
      opensMs: closesMs - 38 * HOUR_MS,
      closesMs,
      settlesAfterMs: 12 * HOUR_MS,
    };
    const odds = temperatureOdds(seed, day, event);
    const markets = odds.map((own, row): MarketDraft => {
      const low = middle - 4 + 2 * (row - 1);
      const label =
        row === 0 ? `${low + 1}° or below` : row === 5 ? `${low}° or above` : `${low}° to ${low + 1}°`;
      const code = row === 0 ? `T${low + 2}` : row === 5 ? `T${low - 1}` : `B${low + 0.5}`;
      return {
        id: `${event.id}-${code}`,
        title: `Will the **high temp in NYC** be ${label} on ${event.subtitle}?`,
        label,
        odds: own,
        tick: CENT,
        volumePerDay: 14_000,
      };
    });
    return eventWith(event, markets);
  };
  return {
    code: 7,
    indexOf: (id) => {
      const dayMs = readStamp(/^KXHIGHNY-(\d{2}[A-Z]{3}\d{2})(?:-|$)/.exec(id)?.[1]);
      return dayMs === null ? null : Math.floor((dayMs + ET_MS) / DAY_MS);
    },
    build,
    listedAt: (timeMs) => {
      const today = Math.floor((timeMs + ET_MS) / DAY_MS);
      return [today, today + 1].filter(
        (day) => closeOf(day) - 38 * HOUR_MS <= timeMs && timeMs < closeOf(day),
      );
    },
  };
}

type Precision = 'day' | 'hour' | 'minute';

/** `26NOV20`, `26NOV2017`, `26NOV201715`: Eastern time. */
function stamp(timeMs: number, precision: Precision): string {
  const date = new Date(timeMs + ET_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${two(date.getUTCFullYear() % 100)}${MONTHS[date.getUTCMonth()]}${two(date.getUTCDate())}`;
  if (precision === 'day') return day;
  const hour = `${day}${two(date.getUTCHours())}`;
  return precision === 'hour' ? hour : `${hour}${two(date.getUTCMinutes())}`;
}

/** The time of a stamp, or null where it is none. */
function readStamp(text: string | undefined): number | null {
  const [, year, name, day, hour = '00', minute = '00'] =
    /^(\d{2})([A-Z]{3})(\d{2})(\d{2})?(\d{2})?$/.exec(text ?? '') ?? [];
  const month = MONTHS.indexOf(name ?? '');
  if (month < 0) return null;
  const timeMs = Date.UTC(2000 + Number(year), month, Number(day), Number(hour), Number(minute)) - ET_MS;
  const precision = text?.length === 7 ? 'day' : text?.length === 9 ? 'hour' : 'minute';
  return stamp(timeMs, precision) === text ? timeMs : null;
}
