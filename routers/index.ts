import { account } from './account/index.ts';
import { agentKeys } from './agent-keys/index.ts';
import { apiKeys } from './api-keys/index.ts';
import { audit } from './audit/index.ts';
import { backtests } from './backtests/index.ts';
import { blueprints } from './blueprints/index.ts';
import { careers } from './careers/index.ts';
import { webConsole } from './console/index.ts';
import { events } from './events/index.ts';
import { eventStream } from './events/stream.ts';
import { valueStream } from './events/value-stream.ts';
import { exports } from './exports/index.ts';
import { history } from './history/index.ts';
import { marketData } from './market-data/index.ts';
import { notifications } from './notifications/index.ts';
import { orders } from './orders/index.ts';
import { portfolio } from './portfolio/index.ts';
import { riskRules } from './risk-rules/index.ts';
import { signals } from './signals/index.ts';
import { sweeps } from './sweeps/index.ts';
import { system } from './system/index.ts';
import { router } from './trpc.ts';
import { venueConnections } from './venue-connections/index.ts';

/** The whole API, by tRPC names. The REST path of each procedure is in its own file. */
export const appRouter = router({
  system,
  marketData,
  history,
  blueprints,
  backtests,
  sweeps,
  signals,
  orders,
  portfolio,
  riskRules,
  apiKeys,
  agentKeys,
  venueConnections,
  account,
  exports,
  notifications,
  audit,
  careers,
  events,
  eventStream,
  valueStream,
  console: webConsole,
});

export type AppRouter = typeof appRouter;
