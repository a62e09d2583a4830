import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database, Db } from '../../db/tables.ts';
import type { MarketData } from '../../venues/port.ts';
import { compile } from '../graph/compile.ts';
import type { CompileResult, InstrumentFacts } from '../graph/types.ts';
import { ensureInstrument } from '../orders/instruments.ts';
import { ladderOf } from '../price-ladder.ts';

/** A compiled drawing and the instruments of it that exist. */
export type CompiledDrawing = CompileResult & { instruments: ReadonlyMap<string, InstrumentFacts> };

/**
 * Compiles a drawing with what the venues say of the instruments it names. Deploy and validate both come here,
 * so they give the same issues.
 */
export async function compileDrawing(db: Db, market: MarketData, visual: Json): Promise<CompiledDrawing> {
  const alone = compile(visual, new Map());
  const { needs } = alone;
  if (needs.instruments.length === 0) return { ...alone, instruments: new Map() };
  const facts = await Promise.all(
    needs.instruments.map(async (tokenId): Promise<[string, InstrumentFacts | null]> => {
      const row = await ensureInstrument(db, market, tokenId);
      return [tokenId, row && factsOf(row)];
    }),
  );
  const instruments = new Map(facts.flatMap(([tokenId, known]) => (known ? [[tokenId, known]] : [])));
  return { ...compile(visual, new Map(facts)), instruments };
}

/** An instrument as the graph needs it: what it takes to make a valid order. */
export const factsOf = (row: Selectable<Database['instrument']>): InstrumentFacts => ({
  tokenId: row.token_id,
  title: row.title,
  quoteCurrency: row.quote_currency,
  tradable: row.tradable,
  ...ladderOf(row),
  stepSize: row.step_size,
  minSize: row.min_size,
  minNotional: row.min_notional,
  closesAt: row.closes_at === null ? null : Date.parse(row.closes_at),
});
