/** Six example blueprints that compile and run: a start for a strategy of one's own. */
import { accumulation } from './accumulation.ts';
import { dipBuyer } from './dip-buyer.ts';
import { meanReversion } from './mean-reversion.ts';
import { momentum } from './momentum.ts';
import { positionGuard } from './position-guard.ts';
import { probabilityEdge } from './probability-edge.ts';
import type { Template } from './template.ts';

export const TEMPLATES: readonly Template[] = [
  momentum,
  meanReversion,
  probabilityEdge,
  dipBuyer,
  positionGuard,
  accumulation,
];
