import type { Json } from '../../../../db/json.ts';
import type { Db } from '../../../../db/tables.ts';
import type { MarketData } from '../../../../venues/port.ts';
import { type CompileResult, compile } from '../../../strategy/graph/compile/compile.ts';
import { factsOf } from '../../../strategy/graph/instrument-facts.ts';
import type { InstrumentFacts, Issue } from '../../../strategy/graph/types.ts';
import { type Admit, freely, LOOK_UPS_MAX, lookUpInstruments } from './look-up.ts';

/** A compiled drawing and the instruments of it that exist. */
export type CompiledDrawing = CompileResult & { instruments: ReadonlyMap<string, InstrumentFacts> };

/**
 * Compiles a drawing with what the venues say of the instruments it names. Deploy and validate both come here,
 * so they give the same issues.
 *
 * @throws VenueError while a venue that has to be asked is in trouble, and what `admit` throws.
 */
export async function compileDrawing(
  db: Db,
  market: MarketData,
  visual: Json,
  admit: Admit = freely,
): Promise<CompiledDrawing> {
  const alone = compile(visual, new Map());
  const { needs } = alone;
  if (needs.instruments.length === 0) return { ...alone, instruments: new Map() };
  const found = await lookUpInstruments(db, market, needs.instruments, admit);
  if ('tooMany' in found) {
    const issues = [...alone.issues, tooManyUnknown(found.tooMany)];
    return { plan: null, issues, needs, instruments: new Map() };
  }
  const facts = [...found.facts].map(([tokenId, row]) => [tokenId, row && factsOf(row)] as const);
  const instruments = new Map(facts.flatMap(([tokenId, known]) => (known ? [[tokenId, known]] : [])));
  return { ...compile(visual, new Map(facts)), instruments };
}

const tooManyUnknown = (count: number): Issue => ({
  nodeId: null,
  path: '',
  code: 'too_many_unknown_instruments',
  severity: 'error',
  message: `This drawing names ${count} instruments that nobody here has used yet; ${LOOK_UPS_MAX} can be looked up at a time. Check how they are written, or split it.`,
});
