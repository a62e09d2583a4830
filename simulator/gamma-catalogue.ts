/** The catalogue of venue B in the simulated world. A market's slug begins with its event's. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../venues/time.ts';
import type { CoinPath } from './world/crypto-path.ts';
import {
  Catalogue,
  capital,
  type EventSeries,
  eventWith,
  type MarketDraft,
  MONTH_NAMES,
  meetingOf,
  NEVER,
  nextMeetings,
  singleEventSeries,
} from './world/event-series.ts';
import { keyedRandom, keyOf } from './world/keyed-random.ts';
import type { PriceOverrides } from './world/price-overrides.ts';
import {
  fedOutcomes,
  gameOdds,
  marsOdds,
  partyOdds,
  QUARTER_MS,
  quarterOdds,
  recessionOdds,
  strikesOf,
} from './world/questions.ts';

const CENT = 0.01;
const MILL = 0.001;

/** Teams that meet in the game of the day. */
const TEAMS = ['Knicks', 'Celtics', 'Lakers', 'Bulls', 'Heat', 'Spurs', 'Nets', 'Suns'] as const;

export function gammaCatalogue(
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
      gameOfTheDay(seed),
    ],
    priceOverrides,
  );
}

/** Fields that most events here share. */
const base = (id: string, title: string, opensMs: number, closesMs: number) => ({
  id,
  series: id,
  title,
  subtitle: '',
  category: 'Simulated',
  exclusive: false,
  opensMs,
  closesMs,
  settlesAfterMs: 2 * MINUTE_MS,
});

function mars(seed: string): EventSeries {
  const closesMs = Date.UTC(2099, 7, 1);
  const title = 'Will Elon Musk visit Mars before August 2099?';
  const event = base('will-elon-musk-visit-mars-before-august-2099', title, Date.UTC(2025, 6, 1), closesMs);
  const odds = marsOdds(seed, event);
  return singleEventSeries(
    1,
    eventWith(event, [{ id: event.id, title, label: '', odds, tick: MILL, volumePerDay: 2_300 }]),
  );
}

/** An augmented group: beside the named outcomes it holds unnamed slots for others. */
function party(seed: string): EventSeries {
  const closesMs = Date.UTC(2028, 10, 8, 5);
  const title = 'Which party wins the 2028 US Presidential Election?';
  const event = {
    ...base('which-party-wins-the-2028-us-presidential-election', title, Date.UTC(2025, 4, 1), closesMs),
    exclusive: true,
  };
  const odds = partyOdds(seed, event);
  const named = ['Democratic', 'Republican', 'Other'].map(
    (label, row): MarketDraft => ({
      id: `${event.id}-${label.toLowerCase()}`,
      title: `Will the ${label} party win the 2028 US Presidential Election?`,
      label,
      odds: odds[row] ?? NEVER,
      tick: row === 2 ? MILL : CENT,
      volumePerDay: [420_000, 395_000, 31_000][row] ?? 0,
    }),
  );
  const unnamed = ['Party A', 'Party B'].map(
    (label): MarketDraft => ({
      id: `${event.id}-${label.toLowerCase().replace(' ', '-')}`,
      title: `Will ${label} win the 2028 US Presidential Election?`,
      label,
      odds: NEVER,
      tick: MILL,
      volumePerDay: 0,
      placeholder: true,
    }),
  );
  return singleEventSeries(2, eventWith(event, [...named, ...unnamed]));
}

function fedDecision(seed: string): EventSeries {
  const build = (month: number) => {
    const closesMs = meetingOf(month) ?? 0;
    const year = Math.floor(month / 12);
    const name = MONTH_NAMES[month % 12] ?? '';
    const title = `Fed decision in ${capital(name)} ${year}?`;
    const event = {
      ...base(`fed-decision-in-${name}-${year}`, title, closesMs - 300 * DAY_MS, closesMs),
      series: 'fed-decision',
      exclusive: true,
      settlesAfterMs: 30 * MINUTE_MS,
    };
    const busy = [40_000, 210_000, 900_000, 850_000, 120_000];
    const markets = fedOutcomes(seed, month, event).map(
      (outcome, row): MarketDraft => ({
        id: `${event.id}-${outcome.slug}`,
        title: `Fed decision in ${capital(name)} ${year}: ${outcome.title}?`,
        label: outcome.title,
        odds: outcome.odds,
        tick: MILL,
        volumePerDay: busy[row] ?? 0,
      }),
    );
    return eventWith(event, markets);
  };
  return {
    code: 3,
    indexOf: (id) => {
      const [, name, year] = /^fed-decision-in-([a-z]+)-(\d{4})(?:-|$)/.exec(id) ?? [];
      const month = MONTH_NAMES.indexOf(name ?? '');
      const index = Number(year) * 12 + month;
      return month < 0 || meetingOf(index) === null ? null : index;
    },
    build,
    listedAt: (timeMs) => nextMeetings(timeMs, 3),
  };
}

function recession(seed: string): EventSeries {
  const build = (year: number) => {
    const closesMs = Date.UTC(year + 1, 1, 1);
    const title = `US recession in ${year}?`;
    const event = {
      ...base(`us-recession-in-${year}`, title, Date.UTC(year - 1, 0, 5), closesMs),
      series: 'us-recession',
    };
    const odds = recessionOdds(seed, year, event);
    return eventWith(event, [{ id: event.id, title, label: '', odds, tick: CENT, volumePerDay: 38_000 }]);
  };
  return {
    code: 4,
    indexOf: (id) => {
      const [, year] = /^us-recession-in-(20\d{2})$/.exec(id) ?? [];
      return year === undefined ? null : Number(year);
    },
    build,
    listedAt: (timeMs) => {
      const year = new Date(timeMs).getUTCFullYear();
      return [year, year + 1];
    },
  };
}

/** A ladder: grouped, and yet not exclusive. It closes at 17:00 UTC and is numbered by that day. */
function bitcoinDaily(btc: () => CoinPath): EventSeries {
  const closeOf = (day: number) => day * DAY_MS + 17 * HOUR_MS;
  const build = (day: number) => {
    const closesMs = closeOf(day);
    const date = new Date(closesMs);
    const name = MONTH_NAMES[date.getUTCMonth()] ?? '';
    const when = `${name}-${date.getUTCDate()}-${date.getUTCFullYear()}`;
    const title = `Bitcoin above ___ on ${capital(name)} ${date.getUTCDate()}?`;
    const opensMs = closesMs - 2 * DAY_MS;
    const event = { ...base(`bitcoin-above-on-${when}`, title, opensMs, closesMs), series: 'bitcoin-above' };
    const markets = strikesOf(btc(), opensMs, closesMs, 9).map(
      ({ strike, odds }): MarketDraft => ({
        id: `${event.id}-${strike}`,
        title: `Will the price of Bitcoin be above $${strike.toLocaleString('en-US')} on ${capital(name)} ${date.getUTCDate()}?`,
        label: strike.toLocaleString('en-US'),
        odds,
        tick: CENT,
        volumePerDay: 160_000,
      }),
    );
    return eventWith(event, markets);
  };
  return {
    code: 5,
    indexOf: (id) => {
      const [, name, day, year] = /^bitcoin-above-on-([a-z]+)-(\d{1,2})-(\d{4})(?:-|$)/.exec(id) ?? [];
      const month = MONTH_NAMES.indexOf(name ?? '');
      return month < 0 ? null : Date.UTC(Number(year), month, Number(day)) / DAY_MS;
    },
    build,
    listedAt: (timeMs) => {
      const day = Math.floor((timeMs - 17 * HOUR_MS) / DAY_MS) + 1;
      return [day, day + 1];
    },
  };
}

/** Outcomes that are not Yes and No. Numbered by the quarter of an hour; the slug has its start in seconds. */
function bitcoinQuarter(btc: () => CoinPath): EventSeries {
  const build = (quarter: number) => {
    const opensMs = quarter * QUARTER_MS;
    const closesMs = opensMs + QUARTER_MS;
    const title = `Bitcoin Up or Down - ${new Date(opensMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const event = {
      ...base(`btc-updown-15m-${opensMs / 1_000}`, title, opensMs - DAY_MS, closesMs),
      series: 'btc-updown-15m',
    };
    const odds = quarterOdds(btc(), opensMs);
    const market = {
      id: event.id,
      title,
      label: '',
      outcomes: ['Up', 'Down'] as const,
      odds: (timeMs: number) => (timeMs < opensMs ? 0.5 : odds(timeMs)),
      tick: CENT,
      volumePerDay: 3_000_000,
    };
    return eventWith(event, [market]);
  };
  return {
    code: 6,
    indexOf: (id) => {
      const [, seconds] = /^btc-updown-15m-(\d{9,11})$/.exec(id) ?? [];
      const index = (Number(seconds) * 1_000) / QUARTER_MS;
      return Number.isInteger(index) ? index : null;
    },
    build,
    listedAt: (timeMs) => [Math.floor(timeMs / QUARTER_MS)],
  };
}

/** Outcomes that are team names. Numbered by the day; tip-off is at midnight UTC after it. */
function gameOfTheDay(seed: string): EventSeries {
  const build = (day: number) => {
    const closesMs = (day + 1) * DAY_MS + 2 * HOUR_MS;
    const first = Math.floor(keyedRandom(keyOf('teams'), day) * TEAMS.length);
    const home = TEAMS[first] ?? 'Knicks';
    const away = TEAMS[(first + 1 + (day % (TEAMS.length - 1))) % TEAMS.length] ?? 'Celtics';
    const title = `${home} vs. ${away}`;
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    const event = { ...base(`nba-game-${date}`, title, closesMs - 3 * DAY_MS, closesMs), series: 'nba-game' };
    const market = {
      id: event.id,
      title,
      label: '',
      outcomes: [home, away] as const,
      odds: gameOdds(seed, day, event),
      tick: CENT,
      volumePerDay: 240_000,
    };
    return eventWith(event, [market]);
  };
  return {
    code: 7,
    indexOf: (id) => {
      const [, date] = /^nba-game-(\d{4}-\d{2}-\d{2})$/.exec(id) ?? [];
      const dayMs = Date.parse(date ?? '');
      return Number.isNaN(dayMs) ? null : dayMs / DAY_MS;
    },
    build,
    listedAt: (timeMs) => {
      const day = Math.floor((timeMs - 2 * HOUR_MS) / DAY_MS);
      return [day, day + 1];
    },
  };
}
