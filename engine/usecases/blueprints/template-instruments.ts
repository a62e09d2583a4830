import type { Market, MarketData } from '../../../venues/port.ts';
import type { TemplateInstruments } from '../../strategy/graph/templates/template.ts';

/** Traded around the clock, and on every crypto venue. */
const CRYPTO = 'BTCUSDT';
const COINS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
/** Used when a venue does not respond: a question open for many years, and a token whose check says to replace it. */
const PLACEHOLDER = { outcomeA: 'KXELONMARS-99:yes', outcomeB: '10000' };
const CANDIDATES_MAX = 50;
/** The market of a template must not settle while it is read. */
const OPEN_FOR_MS = 90 * 86_400_000;

/** Picks the instruments of the templates: the busiest markets that stay open for a while. */
export async function pickTemplateInstruments(market: MarketData): Promise<TemplateInstruments> {
  const [a, b] = await Promise.allSettled([
    market.at('venue-a').top(CANDIDATES_MAX),
    market.at('venue-b').top(CANDIDATES_MAX),
  ]);
  const closesAfterMs = market.now() + OPEN_FOR_MS;
  return {
    crypto: CRYPTO,
    coins: COINS,
    outcomeA: (a.status === 'fulfilled' && lasting(a.value.markets, closesAfterMs)) || PLACEHOLDER.outcomeA,
    outcomeB: (b.status === 'fulfilled' && lasting(b.value.markets, closesAfterMs)) || PLACEHOLDER.outcomeB,
  };
}

const lasting = (markets: readonly Market[], closesAfterMs: number): string | null =>
  markets.find(
    ({ status, closesAt }) => status === 'open' && closesAt !== null && Date.parse(closesAt) >= closesAfterMs,
  )?.outcomes[0]?.tokenId ?? null;
