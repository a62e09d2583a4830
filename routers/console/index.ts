import { router } from '../trpc.ts';
import { accessRequest } from './account/access-request.ts';
import { account } from './account/account-value.ts';
import { deleteAccount } from './account/delete-account.ts';
import { grantClientAccess } from './account/grant-access.ts';
import { renameApiKey } from './account/rename-key.ts';
import { resetPaperAccount } from './account/reset-paper.ts';
import { sessions } from './account/sessions.ts';
import { signInOptions } from './account/sign-in-options.ts';
import { sample } from './account/start-sample.ts';
import { connecting } from './connections/connection-fields.ts';
import { demoConnections } from './connections/demo-connections.ts';
import { candles } from './markets/candles.ts';
import { histories } from './markets/histories.ts';
import { venues } from './markets/instrument-id-formats.ts';
import { instruments } from './markets/instruments.ts';
import { market } from './markets/market-detail.ts';
import { seriesMembers } from './markets/series-members.ts';
import { deliveries } from './notifications/delivery-log.ts';
import { operator } from './operator/index.ts';
import { approval } from './orders/approval-preview.ts';
import { order } from './orders/order.ts';
import { orders } from './orders/orders.ts';
import { rules } from './orders/risk-rule-texts.ts';
import { activity } from './overview/activity.ts';
import { trading } from './overview/blueprint-trading.ts';
import { days } from './overview/daily-results.ts';
import { curve } from './overview/performance-curve.ts';
import { prices } from './overview/price-source.ts';
import { sparks } from './overview/weekly-sparklines.ts';
import { flattenPositions } from './positions/flatten.ts';
import { toFlatten } from './positions/positions-to-flatten.ts';
import { writeOff } from './positions/write-off-terms.ts';
import { backtestPicture } from './research/backtest-charts.ts';
import { backtestStep } from './research/backtest-step.ts';
import { backtestTrades } from './research/backtest-trades.ts';
import { sweepChange } from './research/preview-trial-change.ts';
import { sweepDrawing } from './research/sweep-graph.ts';
import { sweepGrid } from './research/sweep-heat-map.ts';
import { blueprint } from './strategies/blueprint.ts';
import { blueprints } from './strategies/blueprint-names.ts';
import { closedTrades } from './strategies/closed-trades.ts';
import { deployUntried } from './strategies/deploy-untried.ts';
import { fills } from './strategies/fills.ts';
import { indicators } from './strategies/indicator-values.ts';
import { nodeTypes } from './strategies/node-types.ts';
import { nodeValues } from './strategies/node-values.ts';
import { paperRun } from './strategies/paper-run-status.ts';
import { share } from './strategies/share.ts';
import { shareLinks } from './strategies/share-links.ts';
import { shared } from './strategies/shared.ts';
import { firings } from './strategies/step-actions.ts';
import { tagBlueprints } from './strategies/tag-blueprints.ts';
import { templates } from './strategies/templates.ts';
import { tryStep } from './strategies/try-step.ts';
import { unshare } from './strategies/unshare.ts';

/** The calls that the web console reads. REST clients get the same facts from other calls. */
export const webConsole = router({
  accessRequest,
  account,
  activity,
  approval,
  backtestPicture,
  backtestStep,
  backtestTrades,
  blueprint,
  blueprints,
  candles,
  closedTrades,
  connecting,
  curve,
  days,
  deliveries,
  demoConnections,
  deployUntried,
  entrance: signInOptions,
  fills,
  firings,
  flatten: flattenPositions,
  grantAccess: grantClientAccess,
  histories,
  indicators,
  instruments,
  leave: deleteAccount,
  market,
  nodeTypes,
  nodeValues,
  operator,
  order,
  orders,
  paperRun,
  prices,
  renameKey: renameApiKey,
  resetPaper: resetPaperAccount,
  rules,
  sample,
  seriesMembers,
  sessions,
  share,
  shared,
  shareLinks,
  sparks,
  sweepChange,
  sweepDrawing,
  sweepGrid,
  tagBlueprints,
  templates,
  toFlatten,
  trading,
  tryStep,
  unshare,
  venues,
  writeOff,
});
