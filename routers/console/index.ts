import { router } from '../trpc.ts';
import { account } from './account.ts';
import { activity } from './activity.ts';
import { approval } from './approval.ts';
import { backtestPicture } from './backtest-picture.ts';
import { backtestStep } from './backtest-step.ts';
import { backtestTrades } from './backtest-trades.ts';
import { blueprint } from './blueprint.ts';
import { blueprints } from './blueprints.ts';
import { closedTrades } from './closed-trades.ts';
import { connecting } from './connecting.ts';
import { curve } from './curve.ts';
import { days } from './days.ts';
import { deliveries } from './deliveries.ts';
import { demoConnections } from './demo-connections.ts';
import { deployUntried } from './deploy-untried.ts';
import { entrance } from './entrance.ts';
import { fills } from './fills.ts';
import { firings } from './firings.ts';
import { flattenPositions } from './flatten.ts';
import { indicators } from './indicators.ts';
import { instruments } from './instruments.ts';
import { leave } from './leave.ts';
import { market } from './market.ts';
import { nodeTypes } from './node-types.ts';
import { order } from './order.ts';
import { orders } from './orders.ts';
import { paperRun } from './paper-run.ts';
import { performance } from './performance.ts';
import { prices } from './prices.ts';
import { renameApiKey } from './rename-key.ts';
import { resetPaperAccount } from './reset-paper.ts';
import { rules } from './rules.ts';
import { sample } from './sample.ts';
import { sessions } from './sessions.ts';
import { sparks } from './sparks.ts';
import { sweepChange } from './sweep-change.ts';
import { sweepDrawing } from './sweep-drawing.ts';
import { sweepGrid } from './sweep-grid.ts';
import { tagBlueprints } from './tag-blueprints.ts';
import { templates } from './templates.ts';
import { toFlatten } from './to-flatten.ts';
import { trading } from './trading.ts';
import { tryStep } from './try-step.ts';
import { venues } from './venues.ts';
import { writeOff } from './write-off.ts';

/** What the web console reads in one call. REST clients have the same facts in calls of their own. */
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
  entrance,
  fills,
  firings,
  flatten: flattenPositions,
  indicators,
  instruments,
  leave,
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
