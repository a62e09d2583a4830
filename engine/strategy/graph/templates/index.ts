/** Eight example blueprints that compile and run, as a start for a user's own strategy. */
import { accumulation } from './accumulation.ts';
import { dipBuyer } from './dip-buyer.ts';
import { meanReversion } from './mean-reversion.ts';
import { momentum } from './momentum.ts';
import { positionGuard } from './position-guard.ts';
import { probabilityEdge } from './probability-edge.ts';
import { rotation } from './rotation.ts';
import type { Template, TemplateBacktest } from './template.ts';
import BACKTESTS from './template-backtests.json' with { type: 'json' };
import { twoSidedQuoting } from './two-sided-quoting.ts';

export const TEMPLATES: readonly Template[] = [
  momentum,
  meanReversion,
  probabilityEdge,
  dipBuyer,
  positionGuard,
  accumulation,
  twoSidedQuoting,
  rotation,
];

/** By key of the template; none if no history of its instruments is shipped. */
export const TEMPLATE_BACKTESTS: Readonly<Record<string, TemplateBacktest>> = BACKTESTS;
