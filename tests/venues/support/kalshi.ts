/** Recorded markets of a Kalshi event, and one of them as the venue's only one. */
import { fixture } from './replay.ts';

export const API = '/kalshi/trade-api/v2';

export type Fields = Record<string, unknown>;
export const MARKETS = fixture<{ markets: Fields[] }>('kalshi-markets.json').markets;
export const HIKE = MARKETS.find((market) => market['ticker'] === 'KXFEDDECISION-26SEP-H25') ?? {};

export const EVENTS = {
  events: [
    {
      event_ticker: 'KXFEDDECISION-26SEP',
      series_ticker: 'KXFEDDECISION',
      title: 'Fed decision in September?',
      sub_title: 'Sep 16, 2026',
      mutually_exclusive: true,
      category: 'Economics',
      settlement_sources: [{ name: 'Federal Reserve', url: 'https://www.federalreserve.gov/' }],
    },
  ],
  cursor: '',
};

/** One market as the venue's only one, with some fields changed (undefined removes a field). */
export const withMarket = (changes: Fields) => ({
  [`${API}/markets/KXFEDDECISION-26SEP-H25`]: { market: { ...HIKE, ...changes } },
  [`${API}/events`]: EVENTS,
  [`${API}/series/KXFEDDECISION`]: { series: { fee_type: 'quadratic', fee_multiplier: 1 } },
});
