import { z } from 'zod';
import { TEMPLATES, type TemplateInstruments } from '../../engine/graph/templates/index.ts';
import type { Market, MarketData } from '../../venues/port.ts';
import { anyJson } from '../schemas.ts';
import { procedure } from '../trpc.ts';

/** Traded around the clock, and on every crypto venue. */
const CRYPTO = 'BTCUSDT';
/** Stand in where a venue does not answer: the drawing is whole, and its check says what to replace. */
const PLACEHOLDER = { outcomeA: 'CHOOSE-A-TICKER:yes', outcomeB: '10000' };
const LOOKED_AT = 5;

const Template = z.object({ key: z.string(), name: z.string(), summary: z.string(), visual: anyJson });

/** Example strategies, drawn on instruments that are traded now. */
export const templates = procedure({ scope: 'blueprints:read', bucket: 'market_data' })
  .input(z.strictObject({}))
  .output(z.array(Template))
  .query(async ({ ctx }) => {
    const instruments = await tradedNow(ctx.market);
    return TEMPLATES.map(({ key, name, summary, visual }) => ({
      key,
      name,
      summary,
      visual: visual(instruments),
    }));
  });

async function tradedNow({ venueA, venueB }: MarketData): Promise<TemplateInstruments> {
  const [a, b] = await Promise.allSettled([venueA.top(LOOKED_AT), venueB.top(LOOKED_AT)]);
  return {
    crypto: CRYPTO,
    outcomeA: (a.status === 'fulfilled' && firstToken(a.value.markets)) || PLACEHOLDER.outcomeA,
    outcomeB: (b.status === 'fulfilled' && firstToken(b.value.markets)) || PLACEHOLDER.outcomeB,
  };
}

const firstToken = (markets: readonly Market[]): string | null =>
  markets.find(({ status }) => status === 'open')?.outcomes[0]?.tokenId ?? null;
