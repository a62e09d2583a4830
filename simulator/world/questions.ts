/** Questions that both venues list, each in its own words: their subjects, and the odds of the answers. */
import { MINUTE_MS } from '../../venues/time.ts';
import type { CoinPath } from './crypto-path.ts';
import { aboveOdds, groupOdds, type MarketLifetime, type Odds, singleOdds, type Weight } from './odds.ts';

export const QUARTER_MS = 15 * MINUTE_MS;

export type FedOutcome = {
  /** Suffix of venue A's ticker. */
  code: string;
  title: string;
  slug: string;
  odds: Odds;
};

const FED = [
  ['H26', 'Hike >25bps', 'hike-more-than-25bps', 'PM248311', -3.2],
  ['H25', 'Hike 25bps', 'hike-25bps', 'PM248824', -1],
  ['H0', 'Fed maintains rate', 'no-change', 'PM249704', 0.9],
  ['C25', 'Cut 25bps', 'cut-25bps', 'PM248507', 0.5],
  ['C26', 'Cut >25bps', 'cut-more-than-25bps', 'PM248311', -2],
] as const;

/** The outcomes of the meeting of the Fed in a month (counted from year 0). */
export function fedOutcomes(seed: string, month: number, life: MarketLifetime): FedOutcome[] {
  const weights: Weight[] = FED.map(([code, , , series, shift]) => ({
    name: `fed/${month}/${code}`,
    series,
    shift,
  }));
  const odds = groupOdds(seed, weights, life);
  return FED.map(([code, title, slug], index) => ({ code, title, slug, odds: odds[index] ?? (() => 0) }));
}

/** Democrats, Republicans, others. */
export function partyOdds(seed: string, life: MarketLifetime): Odds[] {
  const weights = [
    { name: 'party/D', series: 'PM249704', shift: 0.5 },
    { name: 'party/R', series: 'PM249524', shift: 0.3 },
    { name: 'party/other', series: 'PM248311', shift: -2.5 },
  ];
  return groupOdds(seed, weights, life);
}

export const marsOdds = (seed: string, life: MarketLifetime): Odds =>
  singleOdds(seed, { name: 'mars', series: 'KXELONMARS-99', shift: 0 }, life);

export const recessionOdds = (seed: string, year: number, life: MarketLifetime): Odds =>
  singleOdds(seed, { name: `recession/${year}`, series: 'PM248824', shift: 0.6 }, life);

/** The odds that BTC is higher at the end of a quarter of an hour than at its start. */
export const quarterOdds = (btc: CoinPath, startMs: number): Odds =>
  aboveOdds(
    (timeMs) => btc.priceAt(timeMs),
    () => btc.priceAt(startMs),
    startMs + QUARTER_MS,
  );

/** Strikes around the price at the opening, and the odds that BTC ends at or above each. */
export function strikesOf(btc: CoinPath, opensMs: number, closesMs: number, count: number) {
  const price = btc.priceAt(opensMs);
  const step = price > 20_000 ? 500 : 50;
  const lowest = (Math.round(price / step) - Math.floor(count / 2)) * step;
  return Array.from({ length: count }, (_, row) => {
    const strike = lowest + row * step;
    return {
      strike,
      odds: aboveOdds(
        (timeMs) => btc.priceAt(timeMs),
        () => strike,
        closesMs,
      ),
    };
  });
}

/** A game of the day between two teams. */
export const gameOdds = (seed: string, day: number, life: MarketLifetime): Odds =>
  singleOdds(seed, { name: `game/${day}`, series: 'PM249524', shift: -0.3 }, life);

/** The day's highest temperature: six ranges. */
export function temperatureOdds(seed: string, day: number, life: MarketLifetime): Odds[] {
  const series = ['PM248311', 'PM248824', 'PM249524', 'PM249081', 'PM248824', 'PM248311'];
  const shifts = [-1.4, 0.4, 0.5, 0.3, 0.2, -1.6];
  const weights = series.map((name, row) => ({
    name: `high/${day}/${row}`,
    series: name,
    shift: shifts[row] ?? 0,
  }));
  return groupOdds(seed, weights, life);
}
