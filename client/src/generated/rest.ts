// From the code: npm run openapi
import type * as Api from './router.ts';

/** The body of every refusal. */
export type ErrorBody = { error: Api.Refusal; message: string };

type Headers = { 'Idempotency-Key'?: string; 'If-Match'?: string; 'Last-Event-ID'?: string };
type Answers<Media extends string, Output> = {
  200: { headers: { [name: string]: unknown }; content: Record<Media, Output> };
  default: { headers: { [name: string]: unknown }; content: { 'application/json': ErrorBody } };
};
type Sent<Body> = { content: { 'application/json': Body } };

/** The service's API over REST, in the form that openapi-fetch and openapi-typescript know. */
export type paths = {
  "/health": {
    /** Liveness. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SystemHealthOutput> };
  };
  "/health/ready": {
    /** Readiness. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SystemReadyOutput> };
  };
  "/api/venue-a": {
    /** Venue A search and lookup. */
    get: { parameters: { path?: never; query?: Pick<Api.MarketDataVenueAInput, "search" | "top" | "ticker" | "ref" | "interval" | "limit">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.MarketDataVenueAOutput> };
  };
  "/api/venue-b": {
    /** Venue B search and lookup. */
    get: { parameters: { path?: never; query?: Pick<Api.MarketDataVenueBInput, "search" | "slug" | "token" | "raw" | "book" | "trending" | "top" | "ref" | "interval" | "limit" | "expand">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.MarketDataVenueBOutput> };
  };
  "/api/crypto": {
    /** Crypto market data. */
    get: { parameters: { path?: never; query?: Pick<Api.MarketDataCryptoInput, "symbol" | "type" | "interval" | "limit" | "search">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.MarketDataCryptoOutput> };
  };
  "/api/history/coverage": {
    /** Read the recorded data of an instrument. */
    get: { parameters: { path?: never; query?: Pick<Api.HistoryCoverageInput, "tokenId" | "interval" | "from" | "to">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.HistoryCoverageOutput> };
  };
  "/api/history/import": {
    /** Import history of an instrument. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.HistoryImportInput, "tokenId" | "interval" | "from" | "to">>; responses: Answers<"application/json", Api.HistoryImportOutput> };
  };
  "/api/history/imports": {
    /** List imports of history and their progress. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.HistoryImportsOutput> };
  };
  "/api/history/imports/{id}/cancel": {
    /** Cancel an import of history. */
    post: { parameters: { path: Pick<Api.HistoryCancelImportInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.HistoryCancelImportOutput> };
  };
  "/api/history/export": {
    /** Export the stored history of an instrument as Parquet. */
    get: { parameters: { path?: never; query?: Pick<Api.HistoryExportFileInput, "tokenId" | "interval" | "from" | "to">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/vnd.apache.parquet", Api.HistoryExportFileOutput> };
  };
  "/api/blueprints": {
    /** List blueprints. */
    get: { parameters: { path?: never; query?: Pick<Api.BlueprintsListInput, "limit" | "cursor" | "status" | "thesisId">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsListOutput> };
    /** Create a blueprint. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.BlueprintsCreateInput, "name" | "visual" | "thesisId">>; responses: Answers<"application/json", Api.BlueprintsCreateOutput> };
  };
  "/api/blueprints/stop": {
    /** Stop everything. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsStopAllOutput> };
  };
  "/api/blueprints/tags": {
    /** List tags. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsTagsOutput> };
  };
  "/api/blueprints/validate": {
    /** Check a graph. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.BlueprintsValidateDrawingInput, "visual">>; responses: Answers<"application/json", Api.BlueprintsValidateDrawingOutput> };
  };
  "/api/blueprints/{id}": {
    /** Read a blueprint. */
    get: { parameters: { path: Pick<Api.BlueprintsReadInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsReadOutput> };
    /** Update a blueprint. */
    put: { parameters: { path: Pick<Api.BlueprintsUpdateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.BlueprintsUpdateInput, "name" | "visual">>; responses: Answers<"application/json", Api.BlueprintsUpdateOutput> };
    /** Delete a blueprint. */
    delete: { parameters: { path: Pick<Api.BlueprintsDeleteInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsDeleteOutput> };
  };
  "/api/blueprints/{id}/deploy": {
    /** Deploy a blueprint. */
    post: { parameters: { path: Pick<Api.BlueprintsDeployInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsDeployOutput> };
  };
  "/api/blueprints/{id}/redeploy": {
    /** Replace a running blueprint. */
    post: { parameters: { path: Pick<Api.BlueprintsRedeployInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.BlueprintsRedeployInput, "name" | "visual" | "parameters">>; responses: Answers<"application/json", Api.BlueprintsRedeployOutput> };
  };
  "/api/blueprints/{id}/stop": {
    /** Stop a blueprint. */
    post: { parameters: { path: Pick<Api.BlueprintsStopInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsStopOutput> };
  };
  "/api/blueprints/{id}/validate": {
    /** Check a blueprint. */
    post: { parameters: { path: Pick<Api.BlueprintsValidateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.BlueprintsValidateInput, "visual">>; responses: Answers<"application/json", Api.BlueprintsValidateOutput> };
  };
  "/api/blueprints/{id}/explain": {
    /** Explain a blueprint. */
    post: { parameters: { path: Pick<Api.BlueprintsExplainInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.BlueprintsExplainInput, "visual">>; responses: Answers<"application/json", Api.BlueprintsExplainOutput> };
  };
  "/api/node-types": {
    /** List node types. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsNodeTypesOutput> };
  };
  "/api/blueprints/{id}/releases": {
    /** List releases. */
    get: { parameters: { path: Pick<Api.BlueprintsReleasesInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsReleasesOutput> };
  };
  "/api/blueprints/{id}/releases/{n}": {
    /** Read a release. */
    get: { parameters: { path: Pick<Api.BlueprintsReleaseInput, "id" | "n">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsReleaseOutput> };
  };
  "/api/blueprints/{id}/releases/{n}/restore": {
    /** Restore a release. */
    post: { parameters: { path: Pick<Api.BlueprintsRestoreInput, "id" | "n">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsRestoreOutput> };
  };
  "/api/blueprints/{id}/tags": {
    /** Tag a blueprint. */
    put: { parameters: { path: Pick<Api.BlueprintsSetTagsInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.BlueprintsSetTagsInput, "tags">>; responses: Answers<"application/json", Api.BlueprintsSetTagsOutput> };
  };
  "/api/blueprints/{id}/performance": {
    /** Read a blueprint’s performance. */
    get: { parameters: { path: Pick<Api.BlueprintsPerformanceInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsPerformanceOutput> };
  };
  "/api/blueprints/{id}/statistics": {
    /** Read a blueprint’s statistics. */
    get: { parameters: { path: Pick<Api.BlueprintsStatisticsInput, "id">; query?: Pick<Api.BlueprintsStatisticsInput, "range">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BlueprintsStatisticsOutput> };
  };
  "/api/backtests": {
    /** List backtests. */
    get: { parameters: { path?: never; query?: Pick<Api.BacktestsListInput, "limit" | "cursor" | "blueprintId" | "status">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsListOutput> };
    /** Run a strategy over history. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.BacktestsStartInput, "blueprintId" | "release" | "visual" | "from" | "to" | "cash" | "seed" | "riskFree" | "fresh" | "data" | "fills" | "fees" | "risk" | "checks" | "sensitivity">>; responses: Answers<"application/json", Api.BacktestsStartOutput> };
  };
  "/api/backtests/compare": {
    /** Compare backtests. */
    get: { parameters: { path?: never; query?: Pick<Api.BacktestsCompareInput, "ids">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsCompareOutput> };
  };
  "/api/backtests/{id}": {
    /** Read a backtest. */
    get: { parameters: { path: Pick<Api.BacktestsReadInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsReadOutput> };
    /** Note or pin a backtest. */
    patch: { parameters: { path: Pick<Api.BacktestsUpdateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.BacktestsUpdateInput, "notes" | "pinned">>; responses: Answers<"application/json", Api.BacktestsUpdateOutput> };
    /** Delete a backtest. */
    delete: { parameters: { path: Pick<Api.BacktestsDeleteInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsDeleteOutput> };
  };
  "/api/backtests/{id}/cancel": {
    /** Cancel a backtest. */
    post: { parameters: { path: Pick<Api.BacktestsCancelInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsCancelOutput> };
  };
  "/api/backtests/{id}/trades": {
    /** The trades of a backtest. */
    get: { parameters: { path: Pick<Api.BacktestsTradesInput, "id">; query?: Pick<Api.BacktestsTradesInput, "limit" | "cursor">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsTradesOutput> };
  };
  "/api/backtests/{id}/orders": {
    /** The orders of a backtest. */
    get: { parameters: { path: Pick<Api.BacktestsOrdersInput, "id">; query?: Pick<Api.BacktestsOrdersInput, "limit" | "cursor">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsOrdersOutput> };
  };
  "/api/backtests/{id}/log": {
    /** The log of a backtest. */
    get: { parameters: { path: Pick<Api.BacktestsLogInput, "id">; query?: Pick<Api.BacktestsLogInput, "limit" | "cursor">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsLogOutput> };
  };
  "/api/backtests/{id}/equity": {
    /** The equity of a backtest. */
    get: { parameters: { path: Pick<Api.BacktestsEquityInput, "id">; query?: Pick<Api.BacktestsEquityInput, "points">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsEquityOutput> };
  };
  "/api/backtests/{id}/report.html": {
    /** The report of a backtest. */
    get: { parameters: { path: Pick<Api.BacktestsReportInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"text/html", Api.BacktestsReportOutput> };
  };
  "/api/backtests/{id}/trades.csv": {
    /** The trades of a backtest as CSV. */
    get: { parameters: { path: Pick<Api.BacktestsTradesFileInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"text/csv", Api.BacktestsTradesFileOutput> };
  };
  "/api/backtests/{id}/equity.csv": {
    /** The equity of a backtest as CSV. */
    get: { parameters: { path: Pick<Api.BacktestsEquityFileInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"text/csv", Api.BacktestsEquityFileOutput> };
  };
  "/api/backtests/{id}/result.json": {
    /** All of a backtest as JSON. */
    get: { parameters: { path: Pick<Api.BacktestsResultFileInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.BacktestsResultFileOutput> };
  };
  "/api/sweeps": {
    /** List sweeps. */
    get: { parameters: { path?: never; query?: Pick<Api.SweepsListInput, "limit" | "cursor" | "blueprintId" | "status">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SweepsListOutput> };
    /** Try a strategy with many values. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.SweepsStartInput, "blueprintId" | "release" | "visual" | "from" | "to" | "cash" | "seed" | "riskFree" | "data" | "fills" | "fees" | "risk" | "space" | "search" | "objective" | "walkForward">>; responses: Answers<"application/json", Api.SweepsStartOutput> };
  };
  "/api/sweeps/{id}": {
    /** Read a sweep. */
    get: { parameters: { path: Pick<Api.SweepsReadInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SweepsReadOutput> };
    /** Delete a sweep. */
    delete: { parameters: { path: Pick<Api.SweepsDeleteInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SweepsDeleteOutput> };
  };
  "/api/sweeps/{id}/cancel": {
    /** Cancel a sweep. */
    post: { parameters: { path: Pick<Api.SweepsCancelInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SweepsCancelOutput> };
  };
  "/api/sweeps/{id}/trials": {
    /** The trials of a sweep. */
    get: { parameters: { path: Pick<Api.SweepsTrialsInput, "id">; query?: Pick<Api.SweepsTrialsInput, "sort" | "order" | "limit" | "cursor">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SweepsTrialsOutput> };
  };
  "/api/sweeps/{id}/apply": {
    /** Write a trial as draft. */
    post: { parameters: { path: Pick<Api.SweepsApplyTrialInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.SweepsApplyTrialInput, "number">>; responses: Answers<"application/json", Api.SweepsApplyTrialOutput> };
  };
  "/api/signals": {
    /** List signals. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SignalsListOutput> };
    /** Add a signal. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.SignalsCreateInput, "name" | "kind" | "min" | "max">>; responses: Answers<"application/json", Api.SignalsCreateOutput> };
  };
  "/api/signals/{name}": {
    /** Change what a signal takes. */
    patch: { parameters: { path: Pick<Api.SignalsUpdateInput, "name">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.SignalsUpdateInput, "kind" | "min" | "max">>; responses: Answers<"application/json", Api.SignalsUpdateOutput> };
    /** Send a value to a signal. */
    post: { parameters: { path: Pick<Api.SignalsSendInput, "name">; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.SignalsSendInput, "value" | "id">>; responses: Answers<"application/json", Api.SignalsSendOutput> };
    /** Remove a signal. */
    delete: { parameters: { path: Pick<Api.SignalsRemoveInput, "name">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SignalsRemoveOutput> };
  };
  "/api/signals/{name}/rotate-token": {
    /** Rotate the token of a signal. */
    post: { parameters: { path: Pick<Api.SignalsRotateInput, "name">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SignalsRotateOutput> };
  };
  "/api/orders": {
    /** List orders. */
    get: { parameters: { path?: never; query?: Pick<Api.OrdersListInput, "limit" | "cursor" | "status" | "side" | "blueprintId" | "since" | "until">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.OrdersListOutput> };
    /** Place an order. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.OrdersPlaceInput, "tokenId" | "side" | "type" | "amount" | "limitPrice" | "timeInForce" | "expireAfterSec">>; responses: Answers<"application/json", Api.OrdersPlaceOutput> };
  };
  "/api/orders/{id}": {
    /** Read an order. */
    get: { parameters: { path: Pick<Api.OrdersReadInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.OrdersReadOutput> };
  };
  "/api/orders/{id}/approve": {
    /** Approve an order intent. */
    post: { parameters: { path: Pick<Api.OrdersApproveInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.OrdersApproveOutput> };
  };
  "/api/orders/{id}/reject": {
    /** Decline an order intent. */
    post: { parameters: { path: Pick<Api.OrdersRejectInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.OrdersRejectOutput> };
  };
  "/api/orders/{id}/cancel": {
    /** Cancel an order. */
    post: { parameters: { path: Pick<Api.OrdersCancelInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.OrdersCancelOutput> };
  };
  "/api/portfolio": {
    /** Portfolio summary. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.PortfolioSummaryOutput> };
  };
  "/api/portfolio/positions": {
    /** List positions. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.PortfolioPositionsOutput> };
  };
  "/api/portfolio/positions/close": {
    /** Close part of a position. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.PortfolioCloseInput, "tokenId" | "amount" | "blueprintId">>; responses: Answers<"application/json", Api.PortfolioCloseOutput> };
  };
  "/api/portfolio/positions/write-off": {
    /** Write off a position that cannot be sold. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.PortfolioWriteOffInput, "tokenId" | "value" | "blueprintId">>; responses: Answers<"application/json", Api.PortfolioWriteOffOutput> };
  };
  "/api/portfolio/history": {
    /** Equity history. */
    get: { parameters: { path?: never; query?: Pick<Api.PortfolioHistoryInput, "range">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.PortfolioHistoryOutput> };
  };
  "/api/portfolio/statistics": {
    /** Read the account’s statistics. */
    get: { parameters: { path?: never; query?: Pick<Api.PortfolioStatisticsInput, "range">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.PortfolioStatisticsOutput> };
  };
  "/api/risk-rules": {
    /** Read the risk rules. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.RiskRulesReadOutput> };
    /** Change the risk rules. */
    put: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.RiskRulesUpdateInput, "maxOrderSize" | "maxDailyLoss" | "maxOpenPositions" | "maxOrdersPerMinute" | "cooldownAfterLossSec" | "requireApprovalAbove">>; responses: Answers<"application/json", Api.RiskRulesUpdateOutput> };
  };
  "/api/risk-rules/preview": {
    /** Preview an order. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.RiskRulesPreviewInput, "tokenId" | "side" | "type" | "amount" | "limitPrice" | "blueprintId">>; responses: Answers<"application/json", Api.RiskRulesPreviewOutput> };
  };
  "/api/risk-rules/usage": {
    /** Read the usage of the risk rules. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.RiskRulesUsageOutput> };
  };
  "/api/risk-rules/optional": {
    /** Read the optional risk rules. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.RiskRulesReadOptionalOutput> };
    /** Change the optional risk rules. */
    put: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.RiskRulesUpdateOptionalInput, "maxPositionSize" | "maxVenueExposure" | "maxGrossExposure" | "maxBlueprintBudget" | "maxDrawdown">>; responses: Answers<"application/json", Api.RiskRulesUpdateOptionalOutput> };
  };
  "/api/api-keys": {
    /** List keys. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.ApiKeysListOutput> };
    /** Create a key. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.ApiKeysCreateInput, "name" | "scopes" | "expiresAt">>; responses: Answers<"application/json", Api.ApiKeysCreateOutput> };
  };
  "/api/api-keys/{id}/rotate": {
    /** Rotate a key. */
    post: { parameters: { path: Pick<Api.ApiKeysRotateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.ApiKeysRotateInput, "graceSec">>; responses: Answers<"application/json", Api.ApiKeysRotateOutput> };
  };
  "/api/api-keys/{id}": {
    /** Revoke a key. */
    delete: { parameters: { path: Pick<Api.ApiKeysRevokeInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.ApiKeysRevokeOutput> };
  };
  "/api/agent-keys": {
    /** List keys with their spending limits. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.AgentKeysListOutput> };
    /** Create a key with spending limits. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.AgentKeysCreateInput, "name" | "scopes" | "mode" | "expiresAt" | "envelope">>; responses: Answers<"application/json", Api.AgentKeysCreateOutput> };
  };
  "/api/venue-connections": {
    /** List connections. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsListOutput> };
    /** Connect an account at a venue. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.VenueConnectionsCreateInput, "venue" | "environment" | "label" | "credentials" | "maxOrder" | "maxDay" | "maxOpenNotional" | "isEligible" | "password">>; responses: Answers<"application/json", Api.VenueConnectionsCreateOutput> };
  };
  "/api/venue-connections/{id}": {
    /** Read a connection. */
    get: { parameters: { path: Pick<Api.VenueConnectionsReadInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsReadOutput> };
    /** Rename a connection or set its limits. */
    patch: { parameters: { path: Pick<Api.VenueConnectionsUpdateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.VenueConnectionsUpdateInput, "label" | "maxOrder" | "maxDay" | "maxOpenNotional">>; responses: Answers<"application/json", Api.VenueConnectionsUpdateOutput> };
    /** Remove a connection. */
    delete: { parameters: { path: Pick<Api.VenueConnectionsRemoveInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsRemoveOutput> };
  };
  "/api/venue-connections/{id}/check": {
    /** Check a connection again. */
    post: { parameters: { path: Pick<Api.VenueConnectionsCheckInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsCheckOutput> };
  };
  "/api/venue-connections/{id}/halt": {
    /** Halt a connection. */
    post: { parameters: { path: Pick<Api.VenueConnectionsHaltInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.VenueConnectionsHaltInput, "to">>; responses: Answers<"application/json", Api.VenueConnectionsHaltOutput> };
  };
  "/api/venue-connections/{id}/resume": {
    /** Resume a connection. */
    post: { parameters: { path: Pick<Api.VenueConnectionsResumeInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsResumeOutput> };
  };
  "/api/venue-connections/{id}/cancel-all": {
    /** Cancel every order of the venue account. */
    post: { parameters: { path: Pick<Api.VenueConnectionsCancelAllInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsCancelAllOutput> };
  };
  "/api/venue-connections/cancel-all": {
    /** Cancel every order at every venue. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsCancelEverywhereOutput> };
  };
  "/api/venue-connections/{id}/rotate": {
    /** Rotate the credentials. */
    post: { parameters: { path: Pick<Api.VenueConnectionsRotateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.VenueConnectionsRotateInput, "credentials" | "password">>; responses: Answers<"application/json", Api.VenueConnectionsRotateOutput> };
  };
  "/api/venue-connections/{id}/differences": {
    /** List differences between a venue account and its books. */
    get: { parameters: { path: Pick<Api.VenueConnectionsDifferencesInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.VenueConnectionsDifferencesOutput> };
  };
  "/api/venue-connections/{id}/differences/{differenceId}/resolve": {
    /** Resolve a difference. */
    post: { parameters: { path: Pick<Api.VenueConnectionsResolveDifferenceInput, "id" | "differenceId">; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.VenueConnectionsResolveDifferenceInput, "as" | "note">>; responses: Answers<"application/json", Api.VenueConnectionsResolveDifferenceOutput> };
  };
  "/api/account/export": {
    /** Export the stored data of the account. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/x-ndjson", Api.AccountExportOutput> };
  };
  "/api/exports": {
    /** Export a table of the account as Parquet. */
    get: { parameters: { path?: never; query?: Pick<Api.ExportsReadInput, "table">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/vnd.apache.parquet", Api.ExportsReadOutput> };
  };
  "/api/notification-options": {
    /** Read the kinds of notifications and channels. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsOptionsOutput> };
  };
  "/api/notification-channels": {
    /** List channels. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsListOutput> };
    /** Add a channel. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.NotificationsCreateInput, "kind" | "label" | "url" | "bodyTemplate" | "botToken" | "chatId" | "address" | "subscription" | "switches" | "quietHours">>; responses: Answers<"application/json", Api.NotificationsCreateOutput> };
  };
  "/api/notification-channels/{id}": {
    /** Read a channel. */
    get: { parameters: { path: Pick<Api.NotificationsReadInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsReadOutput> };
    /** Change a channel. */
    patch: { parameters: { path: Pick<Api.NotificationsUpdateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: Sent<Pick<Api.NotificationsUpdateInput, "label" | "on" | "switches" | "quietHours" | "subscription" | "bodyTemplate">>; responses: Answers<"application/json", Api.NotificationsUpdateOutput> };
    /** Remove a channel. */
    delete: { parameters: { path: Pick<Api.NotificationsRemoveInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsRemoveOutput> };
  };
  "/api/notification-channels/{id}/rotate-secret": {
    /** Rotate the secret of a webhook. */
    post: { parameters: { path: Pick<Api.NotificationsRotateInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsRotateOutput> };
  };
  "/api/notification-channels/{id}/test": {
    /** Send a test. */
    post: { parameters: { path: Pick<Api.NotificationsTestInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsTestOutput> };
  };
  "/api/notification-channels/{id}/replay": {
    /** Replay a span. */
    post: { parameters: { path: Pick<Api.NotificationsReplaySpanInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.NotificationsReplaySpanInput, "from" | "to">>; responses: Answers<"application/json", Api.NotificationsReplaySpanOutput> };
  };
  "/api/notification-deliveries": {
    /** Read the delivery log. */
    get: { parameters: { path?: never; query?: Pick<Api.NotificationsDeliveriesInput, "limit" | "cursor" | "channelId" | "status">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsDeliveriesOutput> };
  };
  "/api/notification-deliveries/{id}/replay": {
    /** Replay a notification. */
    post: { parameters: { path: Pick<Api.NotificationsReplayInput, "id">; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.NotificationsReplayOutput> };
  };
  "/api/audit": {
    /** Read the audit trail. */
    get: { parameters: { path?: never; query?: Pick<Api.AuditListInput, "limit" | "cursor">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.AuditListOutput> };
  };
  "/api/audit/head": {
    /** Read the head of the ledger. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.AuditHeadOutput> };
  };
  "/api/careers": {
    /** Send an application. */
    post: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody: Sent<Pick<Api.CareersSendInput, "name" | "email" | "role" | "message" | "links">>; responses: Answers<"application/json", Api.CareersSendOutput> };
  };
  "/api/events": {
    /** Follow the events of the account. */
    get: { parameters: { path?: never; query?: Pick<Api.EventStreamInput, "lastEventId" | "kinds" | "blueprintId">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"text/event-stream", Api.EventStreamOutput> };
  };
  "/api/stream": {
    /** Follow prices, order books and node values. */
    get: { parameters: { path?: never; query?: Pick<Api.ValueStreamInput, "prices" | "books" | "blueprints">; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"text/event-stream", Api.ValueStreamOutput> };
  };
  "/api/health": {
    /** Liveness. */
    get: { parameters: { path?: never; query?: never; header?: Headers; cookie?: never }; requestBody?: never; responses: Answers<"application/json", Api.SystemHealthOutput> };
  };
};
