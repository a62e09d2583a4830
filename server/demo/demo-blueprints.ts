import { templateGraph } from '../../engine/strategy/graph/templates/graphs.ts';
import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';
import type { NewBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { pickTemplateInstruments } from '../../engine/usecases/blueprints/template-instruments.ts';
import type { MarketData } from '../../venues/port.ts';

/** Keys of the templates that a demo shows. */
const EXAMPLES: ReadonlySet<string> = new Set([
  'momentum',
  'mean-reversion',
  'probability-edge',
  'dip-buyer',
  'position-guard',
  'accumulation',
  'two-sided-quoting',
  'rotation',
]);

/** Returns some templates as drafts, on instruments this market knows. */
export async function exampleDrafts(market: MarketData): Promise<NewBlueprint[]> {
  const instruments = await pickTemplateInstruments(market);
  return TEMPLATES.filter(({ key }) => EXAMPLES.has(key)).map(({ name, visual }) => ({
    name,
    visual: visual(instruments),
  }));
}

/** Examples of coins, whose history every market has. */
export const BACKTESTED: ReadonlySet<string> = new Set(['Momentum on candles', 'Mean reversion by RSI']);

/**
 * The blueprint that runs from the first start. It buys small amounts every minute, a larger one every five minutes that needs
 * approval, and exits at small profits. So a new user sees orders within minutes.
 */
export const firstRunningBlueprint: NewBlueprint = {
  name: 'First trades',
  visual: templateGraph('first-trades'),
};
