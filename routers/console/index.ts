import { router } from '../trpc.ts';
import { market } from './market.ts';
import { orders } from './orders.ts';
import { templates } from './templates.ts';

/** What the web console reads in one call. REST clients have the same facts in calls of their own. */
export const webConsole = router({ market, orders, templates });
