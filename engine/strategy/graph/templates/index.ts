/** Example blueprints that compile and run, as a start for a user's own strategy. Their graphs are texts in `texts/`. */
import { DESCRIPTIONS } from './descriptions.ts';
import { templateGraph } from './graphs.ts';
import type { Template, TemplateBacktest } from './template.ts';
import BACKTESTS from './template-backtests.json' with { type: 'json' };

export const TEMPLATES: readonly Template[] = DESCRIPTIONS.map((description) => ({
  ...description,
  visual: (instruments) => templateGraph(description.key, instruments),
}));

/** By key of the template; none if no history of its instruments is shipped. */
export const TEMPLATE_BACKTESTS: Readonly<Record<string, TemplateBacktest>> = BACKTESTS as Readonly<
  Record<string, TemplateBacktest>
>;
