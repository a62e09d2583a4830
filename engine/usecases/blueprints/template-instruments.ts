import type { Market, MarketData } from '../../../venues/port.ts';
import { PLACEHOLDERS } from '../../strategy/graph/templates/graphs.ts';
import type { TemplateInstruments } from '../../strategy/graph/templates/template.ts';

const CANDIDATES_MAX = 50;
/** The market of a template must not settle while it is read. */
const OPEN_FOR_MS = 90 * 86_400_000;

/**
 * Picks the instruments of the templates: the busiest markets that stay open for a while. If a venue does not respond, those of
 * the texts remain.
 */
export async function pickTemplateInstruments(market: MarketData): Promise<TemplateInstruments> {
  const [a, b] = await Promise.allSettled([
    market.at('venue-a').top(CANDIDATES_MAX),
    market.at('venue-b').top(CANDIDATES_MAX),
  ]);
  const closesAfterMs = market.now() + OPEN_FOR_MS;
  return {
    outcomeA: (a.status === 'fulfilled' && lasting(a.value.markets, closesAfterMs)) || PLACEHOLDERS.outcomeA,
    outcomeB: (b.status === 'fulfilled' && lasting(b.value.markets, closesAfterMs)) || PLACEHOLDERS.outcomeB,
  };
}

const lasting = (markets: readonly Market[], closesAfterMs: number): string | null =>
  markets.find(
    ({ status, closesAt }) => status === 'open' && closesAt !== null && Date.parse(closesAt) >= closesAfterMs,
  )?.outcomes[0]?.tokenId ?? null;
