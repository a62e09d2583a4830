import type { Json } from '../../../../db/json.ts';
import type { Db } from '../../../../db/tables.ts';
import type { MarketData } from '../../../../venues/port.ts';
import { type CompileResult, compile } from '../../../strategy/graph/compile/compile.ts';
import { instrumentFactsOf } from '../../../strategy/graph/instrument-facts.ts';
import { type Members, withMembers } from '../../../strategy/graph/series-lists.ts';
import type { InstrumentFacts, Issue } from '../../../strategy/graph/types.ts';
import { resolveSeries, type SeriesSelection } from '../../series/resolve-series.ts';
import { type AdmitLookUp, admitAllLookUps, LOOK_UPS_MAX, lookUpGraphInstruments } from './look-up.ts';

/** A compiled graph, those of its instruments that exist, and the members of its lists that are series. */
export type CompiledGraph = CompileResult & {
  instruments: ReadonlyMap<string, InstrumentFacts>;
  members: Members;
};

/**
 * Compiles a graph with the venues' facts about the instruments it names. Deploy and validate both call it, so they
 * return the same issues. Lists that are series have the markets of a {@link SeriesSelection}.
 *
 * @throws VenueError while a venue that has to be asked does not respond, and the errors of `admit`.
 */
export async function compileWithFacts(
  db: Db,
  market: MarketData,
  visual: Json,
  admit: AdmitLookUp = admitAllLookUps,
  which: SeriesSelection = {},
): Promise<CompiledGraph> {
  const { members, issues: unresolved } = await resolveSeries(db, visual, { market, admit, ...which });
  const graph = withMembers(visual, members);
  const alone = compile(graph, new Map());
  const { needs } = alone;
  if (unresolved.length > 0)
    return { plan: null, issues: unresolved, needs, instruments: new Map(), members };
  if (needs.instruments.length === 0) return { ...alone, instruments: new Map(), members };
  const found = await lookUpGraphInstruments(db, market, needs.instruments, admit);
  if ('tooMany' in found) {
    const issues = [...alone.issues, tooManyUnknown(found.tooMany)];
    return { plan: null, issues, needs, instruments: new Map(), members };
  }
  const facts = [...found.facts].map(([tokenId, row]) => [tokenId, row && instrumentFactsOf(row)] as const);
  const instruments = new Map(facts.flatMap(([tokenId, known]) => (known ? [[tokenId, known]] : [])));
  return { ...compile(graph, new Map(facts)), instruments, members };
}

const tooManyUnknown = (count: number): Issue => ({
  nodeId: null,
  path: '',
  code: 'too_many_unknown_instruments',
  severity: 'error',
  message: `This graph names ${count} instruments that are not known here yet; at most ${LOOK_UPS_MAX} can be looked up at a time. Check their spelling, or split the graph.`,
});
