import { router } from '../trpc.ts';
import { account } from './account/account.ts';
import { deleteAccount } from './account/delete-account.ts';
import { renameApiKey } from './account/rename-key.ts';
import { resetPaperAccount } from './account/reset-paper.ts';
import { sample } from './account/sample.ts';
import { sessions } from './account/sessions.ts';
import { signInOptions } from './account/sign-in-options.ts';
import { connecting } from './connections/connecting.ts';
import { deliveries } from './connections/deliveries.ts';
import { demoConnections } from './connections/demo-connections.ts';
import { instruments } from './markets/instruments.ts';
import { market } from './markets/market.ts';
import { venues } from './markets/venues.ts';
import { approval } from './orders/approval.ts';
import { flattenPositions } from './orders/flatten.ts';
import { order } from './orders/order.ts';
import { orders } from './orders/orders.ts';
import { rules } from './orders/rules.ts';
import { toFlatten } from './orders/to-flatten.ts';
import { writeOff } from './orders/write-off.ts';
import { activity } from './overview/activity.ts';
import { curve } from './overview/curve.ts';
import { days } from './overview/days.ts';
import { prices } from './overview/prices.ts';
import { sparks } from './overview/sparks.ts';
import { trading } from './overview/trading.ts';
import { backtestPicture } from './research/backtest-picture.ts';
import { backtestStep } from './research/backtest-step.ts';
import { backtestTrades } from './research/backtest-trades.ts';
import { sweepChange } from './research/sweep-change.ts';
import { sweepDrawing } from './research/sweep-drawing.ts';
import { sweepGrid } from './research/sweep-grid.ts';
import { blueprint } from './strategies/blueprint.ts';
import { blueprints } from './strategies/blueprints.ts';
import { closedTrades } from './strategies/closed-trades.ts';
import { deployUntried } from './strategies/deploy-untried.ts';
import { fills } from './strategies/fills.ts';
import { firings } from './strategies/firings.ts';
import { indicators } from './strategies/indicators.ts';
import { nodeTypes } from './strategies/node-types.ts';
import { paperRun } from './strategies/paper-run.ts';
import { performance } from './strategies/performance.ts';
import { tagBlueprints } from './strategies/tag-blueprints.ts';
import { templates } from './strategies/templates.ts';
import { tryStep } from './strategies/try-step.ts';

/** The calls that the web console reads. REST clients get the same facts from other calls. */
export const webConsole = router({
  account,
  activity,
  approval,
  backtestPicture,
  backtestStep,
  backtestTrades,
  blueprint,
  blueprints,
  closedTrades,
  connecting,
  curve,
  days,
  deliveries,
  demoConnections,
  deployUntried,
  performance,
  entrance: signInOptions,
  fills,
  firings,
  flatten: flattenPositions,
  indicators,
  instruments,
  leave: deleteAccount,
  market,
  nodeTypes,
  order,
  orders,
  paperRun,
  prices,
  renameKey: renameApiKey,
  resetPaper: resetPaperAccount,
  rules,
  sample,
  sessions,
  sparks,
  sweepChange,
  sweepDrawing,
  sweepGrid,
  tagBlueprints,
  templates,
  toFlatten,
  trading,
  tryStep,
  venues,
  writeOff,
});
