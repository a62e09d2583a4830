// From the code: npm run openapi
import type { Mutation, PagedQuery, Query, Subscription } from '../procedure.ts';

/** One thing that is wrong with a request; `path` is a JSON Pointer into it. */
export type FieldIssue = { path: string; code: string; message: string };

/** A refusal, as REST and tRPC tell it. */
export type Refusal = { message: string; code: ErrorCode; issues?: readonly FieldIssue[]; requestId: string };

/** What the event stream of a session tells. */
export type LiveEvent = { type: string; at: string; payload: unknown };

/** What each kind of event tells. */
export type EventPayloads = {
  /** an order came to be or changed its status; scope `orders:read`. */
  "order.changed": { 
/** The order. */ id: string; 
/** The blueprint it is about. */ blueprintId: string; 
/** The instrument. */ tokenId: string; side: "buy" | "sell"; 
/** The status it has now. */ status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected" };
  /** an execution was booked; scope `orders:read`. */
  "fill.applied": { 
/** The order that was executed. */ orderId: string; 
/** The instrument. */ tokenId: string; 
/** The blueprint it is about. */ blueprintId: string; 
/** Executions that were booked at once. */ fills: number };
  /** a holding grew, shrank, was settled or written off; scope `portfolio:read`. */
  "position.changed": { 
/** The instrument. */ tokenId: string; 
/** The blueprint it is about. */ blueprintId: string; 
/** The order that changed it, where one did. */ orderId?: string | undefined; 
/** What a unit paid at settlement, USD. */ settled?: string | undefined; 
/** What a unit was written off at, USD. */ writtenOff?: string | undefined };
  /** the limits have another version; scope `risk:read`. */
  "risk_rules.changed": { 
/** The version the rules have now. */ version: number };
  /** the loss of the day reached its limit; scope `risk:read`. */
  "daily_loss.tripped": { 
/** When, ISO 8601. */ at: string; 
/** The loss of the day, USD. */ loss: string; 
/** The limit, USD. */ limit: string };
  /** the fall from the highest profit reached its limit; scope `risk:read`. */
  "drawdown.tripped": { 
/** When, ISO 8601. */ at: string; 
/** How far profit is below its highest, USD. */ below: string; 
/** The limit, USD. */ limit: string | null };
  /** a blueprint was deployed, stopped, tagged or deleted, or failed; scope `blueprints:read`. */
  "blueprint.changed": { 
/** The blueprint. */ id: string; 
/** The status it has now, where it changed. */ status?: ("draft" | "running" | "error" | "stopped") | undefined; deploymentId?: string | undefined; 
/** What failed, in words. */ error?: string | undefined; 
/** What failed, for programs. */ code?: string | undefined; deleted?: boolean | undefined; tags?: string[] | undefined };
  /** a connection to a venue has another state; scope `orders:read`. */
  "connection.changed": { 
/** The connection. */ id: string; state: "unverified" | "ready" | "reduce_only" | "halted" | "expired" | "revoked"; 
/** Why, for programs. */ stateCode: string | null };
  /** a backtest came to its end; scope `blueprints:read`. */
  "backtest.finished": { backtestId: string; status: "queued" | "running" | "done" | "failed" | "canceled" };
  /** a sweep came to its end; scope `blueprints:read`. */
  "sweep.finished": { sweepId: string; status: "queued" | "running" | "done" | "failed" | "canceled" };
  /** a limit is nearly used, a key ends soon, a day is over, a channel was disabled; scope `notifications:read`. */
  "notice.raised": { 
/** The kind of notification it becomes. */ kind: string; [key: string]: unknown };
  /** something a person should read; scope `orders:read`. */
  "notification": { kind: string; 
/** What a person should read. */ text: string; [key: string]: unknown };
};

/** One event; `resync` where some are not kept any more, so that everything is to be read again. */
export type AccountEvent =
  | { [Kind in keyof EventPayloads]: { id: string; type: Kind; at: string; payload: EventPayloads[Kind] } }[keyof EventPayloads]
  | { id: string; type: "resync"; at: string; payload: Record<string, never> };

/** What each type of value tells. */
export type ValuePayloads = {
  /** the best prices of an instrument changed. */
  "price": { 
/** The instrument. */ tokenId: string; 
/** Best bid; null if there is none or it is not known. */ bid: number | null; 
/** Quantity at the best bid. */ bidSize: number | null; 
/** Best ask; null if there is none or it is not known. */ ask: number | null; 
/** Quantity at the best ask. */ askSize: number | null; 
/** False if bid and ask say nothing about the market. */ isTopOfBookKnown: boolean; 
/** Price of the last trade, if the venue states it. */ last: number | null; 
/** Volume of 24 hours: contracts at venue A, else USD. */ volume24h: number | null; 
/** Relative change in 24 hours, if the venue states it: 0.05 is +5 %. */ change24h: number | null; marketStatus: "open" | "paused" | "closed" | "settled"; 
/** When the venue answered, by the clock of the market data. */ asOf: string };
  /** the order book of an instrument changed. */
  "book": { 
/** The instrument. */ tokenId: string; 
/** Bids, best first, at most 20. */ bids: { 
/** Price. */ price: number; 
/** Quantity at this price. */ size: number }[]; 
/** Asks, best first, at most 20. */ asks: { 
/** Price. */ price: number; 
/** Quantity at this price. */ size: number }[]; 
/** When the venue answered, by the clock of the market data. */ asOf: string };
  /** node values or the status of a blueprint changed. */
  "nodes": { 
/** The blueprint. */ blueprintId: string; status: "draft" | "running" | "error" | "stopped"; 
/** The latest deployment; null if none. */ deploymentId: string | null; 
/** State per node of the latest deployment. */ nodeStates: unknown };
  /** a value cannot be read now; its next value ends this. */
  "unavailable": { 
/** The value that is missing. */ of: "price" | "book" | "nodes"; 
/** Its instrument or blueprint. */ id: string; 
/** `not_found`: unknown or deleted. `upstream_unavailable`: the venue does not respond. */ code: "not_found" | "upstream_unavailable" };
};

/** One message of the stream of values. */
export type StreamedValue = {
  [Type in keyof ValuePayloads]: { type: Type; at: string; payload: ValuePayloads[Type] };
}[keyof ValuePayloads];

/** Why a request was refused; docs/errors.md says when, and what to do. */
export type ErrorCode = "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "cursor_invalid" | "idempotency_key_invalid" | "blueprint_invalid" | "credentials_missing" | "credentials_invalid" | "insufficient_scope" | "session_required" | "account_suspended" | "live_trading_off" | "outside_envelope" | "csrf_rejected" | "paper_run_missing" | "blueprint_running" | "blueprint_holds_positions" | "invalid_state" | "intent_not_pending" | "intent_expired" | "price_moved" | "risk_rule_violated" | "no_liquidity" | "market_not_open" | "credentials_not_kept" | "mail_off" | "password_required" | "quota_exceeded" | "backtest_too_large" | "not_found" | "route_not_found" | "idempotency_key_in_use" | "idempotency_key_reused" | "idempotency_replay_unavailable" | "precondition_failed" | "rate_limited" | "too_many_auth_failures" | "internal" | "database_unavailable" | "account_moving" | "no_runner" | "quote_unavailable" | "upstream_unavailable" | "archived_unavailable" | "overloaded" | "shutting_down";

/** What answers are made of. */
export type Market = { venue: "venue-a" | "venue-b"; id: string; ref: string; ticker: string | null; slug: string | null; conditionId: string | null; event: { id: string; slug: string | null; title: string } | null; title: string; label: string | null; status: "unopened" | "open" | "paused" | "closed" | "settled"; result: ("yes" | "no" | "scalar") | null; outcomes: { label: string; tokenId: string | null; price: number | null; bid: number | null; ask: number | null; bidSize: number | null; askSize: number | null }[]; lastPrice: number | null; change24h: number | null; volume: number | null; volume24h: number | null; liquidity: number | null; openInterest: number | null; tickSize: number | null; minSize: number | null; closesAt: string | null; updatedAt: string | null; rules: string | null; resolutionSources: { name: string | null; url: string | null }[]; fees: { formula: "probability" | "notional"; takerRate: number; makerRate: number; exponent: number; roundUpTo: number | null } | null; negRisk: boolean | null; opensAt: string | null; startsAt: string | null; canCloseEarly: boolean | null; expectedExpirationAt: string | null; latestExpirationAt: string | null; strike: { type: string | null; floor: number | null; cap: number | null } | null; spread: number | null; rewards: { minSize: number | null; maxSpread: number | null; dailyRate: number | null } | null; change1h: number | null; change1w: number | null; category: string | null; tags: string[]; image: string | null; tickLadder: { start: number; end: number; step: number }[] };
export type VenueA = { kind: "search" | "top"; markets: Market[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "market"; market: Market; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "history"; ref: string; interval: "1d" | "1w" | "1m" | "all"; points: { t: string; p: number; o?: number | undefined; h?: number | undefined; l?: number | undefined; v?: number | undefined }[]; source: "live" | "simulator" | "stale"; asOf: string };
export type VenueB = { kind: "search" | "trending"; view: "events"; events: { id: string; slug: string; title: string; grouped: boolean; mutuallyExclusive: boolean; volume: number | null; volume24h: number | null; liquidity: number | null; endsAt: string | null; openInterest: number | null; rules: string | null; resolutionSources: { name: string | null; url: string | null }[]; negRisk: boolean | null; opensAt: string | null; startsAt: string | null; category: string | null; tags: string[]; image: string | null; markets: Market[] }[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "search" | "trending"; view: "markets"; markets: Market[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "top"; markets: Market[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "event"; event: { id: string; slug: string; title: string; grouped: boolean; mutuallyExclusive: boolean; volume: number | null; volume24h: number | null; liquidity: number | null; endsAt: string | null; openInterest: number | null; rules: string | null; resolutionSources: { name: string | null; url: string | null }[]; negRisk: boolean | null; opensAt: string | null; startsAt: string | null; category: string | null; tags: string[]; image: string | null; markets: Market[] }; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "eventMarkets"; markets: Market[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "market"; market: Market; outcomeIndex?: (0 | 1) | undefined; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "rawMarket"; record: Record<string, unknown>; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "book"; token: string; bids: { price: number; size: number }[]; asks: { price: number; size: number }[]; mid: number | null; tickSize: number; minSize: number | null; lastPrice: number | null; negRisk: boolean | null; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "history"; ref: string; interval: "1d" | "1w" | "1m" | "all"; points: { t: string; p: number; o?: number | undefined; h?: number | undefined; l?: number | undefined; v?: number | undefined }[]; source: "live" | "simulator" | "stale"; asOf: string };
export type Crypto = { kind: "summary"; symbol: string; price: number; change: number; changePct: number; high: number; low: number; volume: number; quoteVolume: number; bid: number | null; ask: number | null; bidSize: number | null; askSize: number | null; fees: { formula: "probability" | "notional"; takerRate: number; makerRate: number; exponent: number; roundUpTo: number | null }; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "trades"; symbol: string; trades: { id: string; price: number; qty: number; side: "buy" | "sell"; t: string }[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "klines"; symbol: string; interval: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M"; klines: { t: string; o: number; h: number; l: number; c: number; v: number; quoteVolume: number; trades: number; closesAt: string }[]; source: "live" | "simulator" | "stale"; asOf: string } | { kind: "symbols"; symbols: { symbol: string; base: string; quote: string; status: string; tickSize: number; stepSize: number; minSize: number; minNotional: number | null }[]; source: "live" | "simulator" | "stale"; asOf: string };
export type HistorySeriesCoverage = { interval: string; kind: "candle" | "bid_ask" | "midpoint"; from: string; to: string; 
/** Spans for which the venue was asked and has responded. */ held: { from: string; to: string }[]; 
/** Within `held`: the venue has no data, after two requests. Never filled in. */ gaps: { from: string; to: string }[]; 
/** Spans that the venue can still provide. */ importable: { from: string; to: string }[]; 
/** Spans that the venue no longer provides, or not yet. */ unavailable: { from: string; to: string }[]; requests: number; 
/** The time that an import of all `importable` spans takes. */ seconds: number; rows: number; sizeBytes: number; 
/** The source; several are joined with `+`. */ source: string | null; 
/** Longer intervals for which the venue still provides spans that it no longer provides for this one. */ coarser: string[] };
export type HistoryCoverage = { tokenId: string; 
/** Oldest first, at most the newest 500. In gaps between them, of more than 30 seconds, there is no data, and none is made up. */ ranges: { from: string; until: string; quotes: number }[]; sizeBytes: number; 
/** Present if `interval` was requested. */ series: HistorySeriesCoverage | null };
export type HistoryImport = { id: string; tokenId: string; interval: string; from: string; to: string; status: "queued" | "running" | "done" | "failed" | "canceled"; 
/** 0 to 1. */ progress: number; 
/** Rows that it has imported so far. */ rows: number; 
/** Spans for which the venue has no data, after two requests. */ gaps: number; 
/** Stored months for which the venue now returns other data: they stay unchanged. */ differences: number; failure: string | null; createdAt: string; endedAt: string | null };
export type Blueprint = { id: string; name: string; status: "draft" | "running" | "error" | "stopped"; 
/** Set by deploy. */ deploymentId: string | null; 
/** The graph: any JSON value. */ visual: unknown; 
/** State per node of the latest deployment. */ nodeStates: unknown; 
/** The failure, its node, and the remedy. */ error: string | null; createdAt: string; updatedAt: string };
export type BlueprintTag = { tag: string; 
/** The blueprints that have it, newest first. */ blueprintIds: string[] };
export type NodeType = { type: string; group: string; title: string; help: string; inputs: { name: string; kind: "number" | "boolean"; help: string; 
/** The port exists only while this setting has one of these values. */ when?: { setting: string; in: string[] } | undefined; required: boolean; 
/** Whether several edges may end at this port. */ many: boolean }[]; outputs: { name: string; kind: "number" | "boolean"; help: string; 
/** The port exists only while this setting has one of these values. */ when?: { setting: string; in: string[] } | undefined }[]; 
/** JSON Schema of the node’s config. */ config: unknown };
export type Release = { number: number; 
/** The blueprint’s name when it was deployed. */ name: string; 
/** `session:<user id>` or `key:<key id>`. */ deployedBy: string; deployedAt: string };
export type ReleaseWithVisual = { number: number; 
/** The blueprint’s name when it was deployed. */ name: string; 
/** `session:<user id>` or `key:<key id>`. */ deployedBy: string; deployedAt: string; 
/** Any JSON value. */ visual: unknown };
export type BlueprintTags = { id: string; 
/** The stored tags, in order. */ tags: string[] };
export type Performance = { 
/** USD, after fees. */ realizedPnl: number; 
/** USD, at marks. */ unrealizedPnl: number; 
/** USD paid. */ fees: number; fills: number };
export type Ratio = { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" };
export type Drawdown = { 
/** Share of the peak: 0.1 is 10 %. */ share: number; usd: number; peakAt: string; troughAt: string; recoveredAt: string | null };
export type RiskFigures = { 
/** Whole UTC days, of which all figures of daily returns are. Null for backtests by a release that did not compute it. */ days: number | null; 
/** Days at the ends of the span that it covers in part: in no figure of daily returns. */ partialDays: number | null; 
/** Whole days on which anything was held. */ daysInMarket: number | null; 
/** `sharpe` of those days alone. */ sharpeInMarket: Ratio | null; 
/** Days after which returns like these would show a Sharpe ratio above 0 with 95 % confidence. `no_gain` if it is not above 0. */ minTrackRecordDays: Ratio | null; 
/** Standard error of `sharpe`, by the number of days, skew and tails. */ sharpeError: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Of the returns of two days that follow each other. */ autocorrelation: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** `sharpe`, annualized with `autocorrelation` (Lo 2002). */ sharpeAdjusted: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ skewness: Ratio; 
/** 3 for a normal distribution. */ kurtosis: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Loss of a day that 95 % of days stay within, as a share. */ valueAtRisk: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Mean loss of the days beyond `valueAtRisk`. */ expectedShortfall: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Gains of all days over their losses. */ omega: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Gain of the best 5 % of days over the loss of the worst 5 %. */ tailRatio: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Root of the mean squared fall below the highest day before. */ ulcer: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Share of the time between a peak of equity and its recovery. */ timeUnderWater: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** `totalReturn` over `exposureOfEquity`: of the money at work. */ returnOnExposure: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" } };
export type Interval = { low: number; high: number };
export type Statistics = { from: string; to: string; 
/** USD. Deposits and withdrawals are in none of the figures. */ netProfit: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ totalReturn: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ cagr: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ volatility: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sharpe: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sortino: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ calmar: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ probabilisticSharpe: Ratio; maxDrawdown: Drawdown | null; longestDrawdownSec: number; 
/** The ten deepest, deepest first. */ drawdowns: Drawdown[]; 
/** Share of the time in which anything was held. */ exposure: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Mean share of equity that was held. */ exposureOfEquity: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ turnover: Ratio; 
/** `turnover` × 365 days over the span. Null for backtests by a release that did not compute it. */ turnoverYearly: Ratio | null; 
/** Null for backtests by a release that did not compute it. */ risk: RiskFigures | null; trades: { closed: number; open: number; wins: number; losses: number; flat: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ winRate: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ profitFactor: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ expectancy: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ expectancyR: Ratio; 
/** Mean return of a trade over the deviation of all: of one trade, of no time. Null for backtests by a release that did not compute it. */ sharpe: Ratio | null; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanReturn: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanWin: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanLoss: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ payoff: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sqn: Ratio; isSqnUnreliable: boolean; best: number | null; worst: number | null; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanHeldSec: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ medianHeldSec: Ratio; winsInARowMax: number; lossesInARowMax: number; 
/** Chance that as many trades, won as often and in no order, have as long a row. Null for backtests by a release that did not compute it. */ winsInARowChance: Ratio | null; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ lossesInARowChance: Ratio | null; 
/** The five best trades over the result of all; above 1, the others lost. Null for backtests by a release that did not compute it. */ bestFiveShare: Ratio | null; fees: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ feesOfGross: Ratio; 
/** True if there are more than 50,000 fills: older ones are in no trade. */ isCut: boolean }; monthly: { month: string; value: number; isPartial: boolean }[]; 
/** Sharpe ratio of the 30 days that end with a day, every nth day, 60 at most; null where nothing moved. Null for backtests by a release that did not compute it. */ rollingSharpe: { day: string; value: number | null }[] | null; calibration: { 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ brier: Ratio; bins: { fromPrice: number; count: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanPrice: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanOutcome: Ratio; 
/** Where the true share of outcomes lies with 95 % confidence. Null for backtests by a release that did not compute it. */ interval: Interval | null }[] } };
export type BacktestOutline = { id: string; blueprintId: string | null; name: string; status: "queued" | "running" | "done" | "failed" | "canceled"; phase: ("history" | "running" | "checks" | "writing") | null; progress: { percent: number; evaluations: number; evaluationsPerSec: number; etaSec: number | null; simulatedAt: string | null } | null; failure: { code: "no_history" | "too_large" | "out_of_memory" | "timed_out" | "look_ahead" | "internal"; message: string } | null; 
/** It was canceled: the result ends at that point. */ isPartial: boolean; from: string; to: string; requestHash: string; resultHash: string | null; notes: string; pinned: boolean; createdAt: string; startedAt: string | null; finishedAt: string | null; outline: { 
/** A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only. */ fidelity: "A" | "B" | "C" | "D"; 
/** USD. */ netProfit: number; finalEquity: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ totalReturn: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sharpe: Ratio; maxDrawdownShare: number | null; trades: number; 
/** Verdicts that invalidate the result, or may. */ warnings: number } | null };
export type BacktestComparison = { 
/** Whether the figures can be compared. */ comparable: boolean; reasons: ("other_range" | "other_cash" | "other_data" | "other_fees" | "unfinished")[]; runs: { backtest: BacktestOutline; statistics: Statistics | null; 
/** Compared with the first run, by node id. */ graph: { added: string[]; removed: string[]; changed: string[]; edgesAdded: string[]; edgesRemoved: string[] } }[]; 
/** Differences of the requests: a JSON Pointer and the value of each run. */ requests: { path: string; values: unknown[] }[]; 
/** On a common grid, in the order of the runs. */ equity: { at: string; values: (number | null)[] }[] };
export type Backtest = { id: string; blueprintId: string | null; name: string; status: "queued" | "running" | "done" | "failed" | "canceled"; phase: ("history" | "running" | "checks" | "writing") | null; progress: { percent: number; evaluations: number; evaluationsPerSec: number; etaSec: number | null; simulatedAt: string | null } | null; failure: { code: "no_history" | "too_large" | "out_of_memory" | "timed_out" | "look_ahead" | "internal"; message: string } | null; 
/** It was canceled: the result ends at that point. */ isPartial: boolean; from: string; to: string; requestHash: string; resultHash: string | null; notes: string; pinned: boolean; createdAt: string; startedAt: string | null; finishedAt: string | null; 
/** The request, with every default written out. `members`: the instruments of each list that is a series, as listed at any time of the span. */ request: unknown; coverage: { venue: string; tokenId: string; kind: "candle" | "bid_ask" | "midpoint"; resolutionSec: number; from: string | null; to: string | null; rows: number; gaps: number; hash: string; source: string }[] | null; result: { 
/** Warnings about the result. Read them before any figure. */ verdicts: { code: string; severity: "info" | "warning" | "danger"; message: string; count?: number | undefined }[]; assumptions: { name: string; value: string; why: string }[]; 
/** A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only. */ fidelity: "A" | "B" | "C" | "D"; pace: "candles" | "quotes" | "path"; statistics: Statistics; orders: { intents: number; orders: number; filled: number; partial: number; unfilled: number; canceled: number; expired: number; 
/** By rule or reason. */ denied: Record<string, number>; 
/** How many would have waited for a person’s approval. */ approvals: number }; evaluations: number; bars: number; gaps: number; ambiguousBars: number; range: { low: number; high: number } | null; finalCash: number; finalEquity: number; 
/** If all holdings were sold at the market, after fees. */ exitEquity: number; fees: number; buyAndHold: number | null; 
/** Fills by the grade of their data, and the result of trades by the lowest grade of their fills. */ fillGrades: { grade: "quote" | "through" | "bar" | "gap" | "midpoint" | "path"; fills: number; profit: number }[]; 
/** Beside holding the traded coins in equal parts from the start, bought at the ask with the fee. Null if a contract is traded, which has no such holding. Null in results of earlier releases. */ benchmark: { 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ totalReturn: Ratio; 
/** Return of a year that beta does not explain. */ alpha: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ beta: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ correlation: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ trackingError: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ informationRatio: Ratio; 
/** Mean return over the benchmark’s, of days on which that rose. */ upCapture: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ downCapture: Ratio } | null; 
/** Figures of the run’s days in 1,000 other orders and selections (stationary bootstrap). Null below 20 days. Null in results of earlier releases. */ resampled: { 
/** Nine of ten lie between. */ totalReturn: { low: number; high: number }; 
/** Of daily returns: falls within a day are not in it. */ maxDrawdown: { low: number; high: number }; 
/** Share of the resamples that lose. */ losing: number } | null; 
/** Costs of orders against the midpoint at their decision, USD; below 0 they are gains. Null in results of earlier releases. */ costs: { 
/** All that was traded. */ notional: number; 
/** Traded by orders decided with a bid and an ask: all costs but `fee` are of these. */ measuredNotional: number; fee: number; 
/** From the midpoint at the fill to the top of the book. */ spread: number; 
/** Beyond the top of the book. */ slippage: number; 
/** The midpoint’s move from decision to fill. */ delay: number; 
/** The midpoint’s move from decision to the end of the order, of what was not filled. */ unfilled: number; orders: number; 
/** Orders decided without a bid or an ask: only their fees are in the costs. Also those that ended unfilled without one: their `unfilled` is not. */ unmeasured: number } | null; 
/** Share of the market’s volume that fills took. Null in results of earlier releases. */ capacity: { 
/** Bars in which one side of an instrument was filled. */ bars: number; 
/** Mean share of their volume that was taken. */ meanShare: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ maxShare: Ratio; 
/** How many times larger all orders may be before `maxShare` is `fills.share`. */ roomFactor: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Fills whose volume is not known: of recorded quotes, midpoints or bars without any. */ unmeasured: number } | null; 
/** Results of ended trades by the node, instrument, hour and weekday (UTC, 0 is Sunday) of their entry, and by what the benchmark did in the seven days before: `rising_calm`, `rising_volatile`, `falling_calm`, `falling_volatile`, or `unknown` in the first seven. The twelve largest nodes and instruments. Without a benchmark there are no regimes. Null in results of earlier releases. */ attribution: { node: { of: string; trades: number; wins: number; profit: number }[]; instrument: { of: string; trades: number; wins: number; profit: number }[]; hour: { of: string; trades: number; wins: number; profit: number }[]; weekday: { of: string; trades: number; wins: number; profit: number }[]; regime: { of: string; trades: number; wins: number; profit: number }[] } | null; 
/** The probabilities wired into `fair` of a `probability.edge` node beside the market’s. Null for a graph without one. Null in results of earlier releases. */ forecasts: { 
/** Contracts entered with a probability and held until they settled. */ count: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ brier: Ratio; 
/** Of the midpoint when they were decided. */ marketBrier: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** 1 − `brier` / `marketBrier`: above 0 the graph knew more than the market. */ skill: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Mean −ln of the probability given to what happened. */ logScore: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ marketLogScore: Ratio; 
/** Mean gain in squared error over its standard error. */ skillT: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** Reliability: ten bins of the stated probability. Empty in results of earlier releases. */ bins: { from: number; count: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanStated: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ meanOutcome: Ratio; 
/** Where the true share of outcomes lies with 95 % confidence. */ interval: Interval | null }[] } | null; 
/** The run with each assumption changed alone; a row is missing if its run was too large. Null unless `sensitivity` was requested, and if it was cut off. */ sensitivity: { change: "no_fees" | "no_spread" | "no_latency" | "one_more_tick" | "any_amount" | "half_volume" | "tenth_of_volume" | "other_path"; 
/** How much higher the result is with it, USD. */ difference: number; trades: number }[] | null; 
/** Contracts that closed and were never settled; the final equity with all at 0 and at 1. */ unsettled: { count: number; worth: number; low: number; high: number } | null } | null };
export type BacktestTrade = { 
/** The instrument. */ holding: string; openedAt: string; closedAt: string; 
/** USD, without fees. */ bought: number; sold: number; fees: number; 
/** `sold - bought - fees`. */ pnl: number; amountMax: number; entryPrice: number; 
/** The settlement’s value; null if it was sold. */ settledAt: number | null; worstPnl: number; bestPnl: number };
export type BacktestOrder = { id: string; at: string; nodeId: string; tokenId: string; side: "buy" | "sell"; type: "limit" | "market"; amount: number; limitPrice: number | null; status: string; statusReason: string | null; filledAmount: number; averagePrice: number | null; reason: string; 
/** The measured values and verdict of each risk rule. */ receipt: unknown };
export type BacktestLogLine = { at: string; code: string; nodeId: string | null; message: string };
export type BacktestEquity = { 
/** Oldest first. For each span, the lowest and the highest point. */ points: { at: string; equity: number; held: number }[]; monthly: { month: string; value: number; isPartial: boolean }[]; 
/** The ten deepest, deepest first. */ drawdowns: Drawdown[] };
export type TrialFigures = { 
/** USD. */ netProfit: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ totalReturn: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ cagr: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sharpe: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sortino: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ calmar: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ probabilisticSharpe: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ profitFactor: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ winRate: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ expectancy: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sqn: Ratio; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ exposure: Ratio; 
/** Share of the peak. */ maxDrawdown: number; 
/** Trades that ended. */ closed: number; open: number; 
/** Intents the rules denied. */ denied: number; fees: number; finalEquity: number; 
/** The longest a position was held. */ heldMaxSec: number };
export type SweepOutline = { id: string; blueprintId: string | null; name: string; status: "queued" | "running" | "done" | "failed" | "canceled"; progress: { done: number; total: number | null; etaSec: number | null } | null; failure: { code: "no_history" | "no_trials" | "out_of_memory" | "timed_out" | "look_ahead" | "too_large" | "internal"; message: string } | null; from: string; to: string; 
/** The number of trials made, once the sweep ended. */ trials: number; best: { values: (number | string | boolean)[]; score: number; figures: TrialFigures; 
/** The probability that its Sharpe ratio is above the best that luck alone shows in as many trials. */ deflatedSharpe: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** The probability that the best trial in sample lies in the lower half out of sample. */ probabilityOfOverfitting: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" } } | null; 
/** Verdicts that invalidate the result, or may. */ warnings: number; createdAt: string; startedAt: string | null; finishedAt: string | null };
export type Sweep = { id: string; blueprintId: string | null; name: string; status: "queued" | "running" | "done" | "failed" | "canceled"; progress: { done: number; total: number | null; etaSec: number | null } | null; failure: { code: "no_history" | "no_trials" | "out_of_memory" | "timed_out" | "look_ahead" | "too_large" | "internal"; message: string } | null; from: string; to: string; 
/** The number of trials made, once the sweep ended. */ trials: number; best: { values: (number | string | boolean)[]; score: number; figures: TrialFigures; 
/** The probability that its Sharpe ratio is above the best that luck alone shows in as many trials. */ deflatedSharpe: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; 
/** The probability that the best trial in sample lies in the lower half out of sample. */ probabilityOfOverfitting: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" } } | null; 
/** Verdicts that invalidate the result, or may. */ warnings: number; createdAt: string; startedAt: string | null; finishedAt: string | null; 
/** The request, with every default written out. */ request: unknown; 
/** Trials of older sweeps are deleted to make room; the result stays. */ areTrialsKept: boolean; 
/** Combinations that do not compile; they are not run. */ refused: { count: number; first: { values: (number | string | boolean)[]; issues: { path: string; code: string; message: string }[] }[] } | null; result: { 
/** Warnings about the result, most severe first. Read them before any figure. */ verdicts: { code: string; severity: "info" | "warning" | "danger"; message: string; count?: number | undefined }[]; 
/** The number of trials made on this blueprint and range. */ trialsEver: number; 
/** The scores of the trials with each value. */ profile: { pointer: string; values: { value: number | string | boolean; trials: number; median: number | null; best: number | null }[] }[]; walkForward: { embargoDays: number; folds: { train: { from: string; to: string }; test: { from: string; to: string }; 
/** The combination chosen in training. */ values: (number | string | boolean)[] | null; inSample: TrialFigures | null; outOfSample: TrialFigures | null; isHeldTooLong: boolean }[]; inSample: { days: number; totalReturn: number; 
/** The mean daily return, times 365. */ yearly: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sharpe: Ratio }; outOfSample: { days: number; totalReturn: number; 
/** The mean daily return, times 365. */ yearly: number; 
/** A figure, or null and the reason why there is none. Never a number that stands for something else. */ sharpe: Ratio }; 
/** A year out of sample over a year in sample. */ efficiency: { value: number } | { value: null; reason: "no_trades" | "no_wins" | "no_losses" | "too_few" | "too_short" | "zero_variance" | "no_downside" | "no_drawdown" | "no_gain" }; curve: { at: string; factor: number }[] } | null } | null };
export type SweepTrial = { number: number; 
/** One of each dimension. */ values: (number | string | boolean)[]; 
/** The figure that ranks it; null if it cannot be computed. */ score: number | null; figures: TrialFigures; resultHash: string };
export type Signal = { name: string; 
/** `live`: deployments with real money read it too. */ mode: "paper" | "live"; 
/** `boolean`: it takes 0 and 1 only. */ kind: "number" | "boolean"; 
/** The lowest value it takes; null: −10^15. */ min: number | null; 
/** The highest value it takes; null: 10^15. */ max: number | null; 
/** Number of values that arrived; repetitions do not count. */ received: number; 
/** The newest value; a condition is 1 or 0. */ lastValue: number | null; 
/** When it arrived. */ lastAt: string | null; 
/** Who sent it: `key:<id>`, `session:<user>`, or `signal:<name>` by the token. Null before the first value, and for one from before senders were recorded. */ lastSender: string | null; createdAt: string };
export type CreatedSignal = { name: string; 
/** `live`: deployments with real money read it too. */ mode: "paper" | "live"; 
/** `boolean`: it takes 0 and 1 only. */ kind: "number" | "boolean"; 
/** The lowest value it takes; null: −10^15. */ min: number | null; 
/** The highest value it takes; null: 10^15. */ max: number | null; 
/** Number of values that arrived; repetitions do not count. */ received: number; 
/** The newest value; a condition is 1 or 0. */ lastValue: number | null; 
/** When it arrived. */ lastAt: string | null; 
/** Who sent it: `key:<id>`, `session:<user>`, or `signal:<name>` by the token. Null before the first value, and for one from before senders were recorded. */ lastSender: string | null; createdAt: string; 
/** Shown once. For senders without headers: `POST /hooks/signal?token=<token>`. */ token: string };
export type Order = { id: string; blueprintId: string; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; side: "buy" | "sell"; 
/** Quantity: contracts, shares or base coin. */ amount: number; createdAt: string };
export type OrderIntent = { 
/** The order intent; its order has the same id. */ intentId: string; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; amount: number; 
/** On the tick; for a market order its price band. */ limitPrice: number };
export type RiskRules = { 
/** USD. A larger buy is denied; 0 allows exits only. */ maxOrderSize: number; 
/** USD. Buys are denied once the day (00:00 UTC) has lost this much. */ maxDailyLoss: number; 
/** Distinct instruments held or being bought. */ maxOpenPositions: number; 
/** Orders cleared for sending in any 60 seconds. */ maxOrdersPerMinute: number; 
/** Seconds after a losing sell in which buys are denied. */ cooldownAfterLossSec: number; 
/** USD. A larger order waits for a person. */ requireApprovalAbove: number };
export type RiskReceipt = { decidedAt: string; rulesVersion: number; 
/** Constraints checked before every order of the account. */ rules: RiskRules; lines: { rule: string; limit: number; actual: number | null; headroom: number | null; verdict: "pass" | "wait" | "deny" | "skipped"; note?: string | undefined }[]; marks: { tokenId: string; amount: number; price: number | null; asOf: string | null; ageSec: number | null }[] };
export type OrderDetail = { id: string; blueprintId: string; deploymentId: string | null; releaseNumber: number | null; nodeId: string | null; 
/** The kind of node that raised it, or `manual`: a person or key did. */ origin: "order" | "close" | "exit" | "manual"; tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; 
/** The source of the prices of its decision: simulated or live. Null for orders older than this field. */ priceSource: ("simulator" | "live") | null; side: "buy" | "sell"; type: "market" | "limit"; timeInForce: "gtc" | "gtx" | "ioc" | "fok"; 
/** Quantity: contracts, shares or base coin. */ amount: number; 
/** The worst acceptable price; for a market order its price band. */ limitPrice: number; 
/** USD. Notional that the rules evaluated. */ size: number; 
/** USD. */ worstFee: number; filledAmount: number; averagePrice: number | null; 
/** USD paid. */ fees: number; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; reasonCode: string | null; reason: string | null; 
/** The measured values and verdict of each rule. */ receipt: RiskReceipt; 
/** The second check, at approval. */ approvalReceipt: RiskReceipt | null; 
/** Node values that led to it, with their times. */ inputs: unknown; 
/** The quote at the decision. */ decidedQuote: unknown; preapprovedRelease: number | null; approvedBy: string | null; cancelRequestedAt: string | null; createdAt: string; updatedAt: string; queuedAt: string | null; submittedAt: string | null; endedAt: string | null; expiresAt: string | null; version: number; allocations: { positionId: string; blueprintId: string; amount: number; filledAmount: number }[]; fills: { id: string; amount: number; price: number; fee: number; at: string }[]; timeline: { status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; from: ("denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected") | null; at: string; actor: string; reason: string | null }[] };
export type PortfolioSummary = { runningBlueprints: number; 
/** Distinct instruments held. */ openPositions: number; 
/** Intents that wait for approval. */ pendingOrders: number; 
/** USD. Realized plus unrealized at marks, after fees. */ totalPnl: number };
export type Position = { tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; amount: number; 
/** Reserved by live sells. */ amountClosing: number; 
/** USD per unit, fees not included. */ averageCost: number; 
/** USD. Best bid; null until the first quote. */ markPrice: number | null; unrealizedPnl: number | null; realizedPnl: number; blueprintId: string; openedAt: string; updatedAt: string; 
/** Live mode only: the whole holding is below the venue’s minimum sell size. It is no open position. */ isDust?: true | undefined };
export type ClosePositionIntent = { 
/** The sell order intent; its order has the same id. */ intentId: string; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; amount: number };
export type WrittenOffPosition = { tokenId: string; amount: number; 
/** USD per unit, as stated. */ value: number; 
/** USD. */ realizedPnl: number };
export type EquityPoint = { at: string; 
/** USD. Cash plus positions at their marks. */ equity: number; cash: number; realizedPnl: number; unrealizedPnl: number };
export type OrderPreview = { 
/** `queued`: it would be sent at once. */ verdict: "queued" | "pending" | "denied"; 
/** On the venue’s step. */ amount: number; limitPrice: number; 
/** USD. */ size: number; 
/** USD. */ worstFee: number; 
/** The measured values and verdict of each rule. */ receipt: RiskReceipt; denial: { rule: string; limit: number; actual: number; message: string } | null; 
/** An unwanted effect: a partial sale may leave less than the venue’s minimum sell size. */ warning: string | null };
export type RiskUsage = { at: string; rulesVersion: number; lines: { rule: string; limit: number; used: number | null; headroom: number | null; note?: string | undefined }[] };
export type OptionalRiskRules = { 
/** USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off. */ maxPositionSize: number | null; 
/** USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off. */ maxVenueExposure: number | null; 
/** USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off. */ maxGrossExposure: number | null; 
/** USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off. */ maxBlueprintBudget: number | null; 
/** USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off. */ maxDrawdown: number | null };
export type ApiKey = { id: string; name: string; 
/** First characters of the key, prefix included. */ start: string; last4: string; scopes: string[]; createdAt: string; 
/** Null: never. */ expiresAt: string | null; 
/** To the minute. */ lastUsedAt: string | null; revokedAt: string | null };
export type CreatedApiKey = { id: string; 
/** The secret. Shown only in this answer; only its hash is stored. */ key: string; name: string; scopes: string[]; expiresAt: string | null; createdAt: string };
export type AgentKey = { id: string; name: string; 
/** First characters of the key, prefix included. */ start: string; last4: string; scopes: string[]; createdAt: string; 
/** Null: never. */ expiresAt: string | null; 
/** To the minute. */ lastUsedAt: string | null; revokedAt: string | null; 
/** The mode whose money it moves. Cannot be changed. */ mode: "paper" | "live"; envelope: { 
/** USD. A larger buy is denied. Absent: only the risk rules bound it. */ maxOrder?: number | undefined; 
/** USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied. */ maxDay?: number | undefined; 
/** The blueprints it may trade for; absent: all. */ blueprintIds?: string[] | undefined; 
/** Every order of the key waits for a person’s approval, however small. The key itself approves none. */ alwaysApprove?: true | undefined; 
/** Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused. */ allowsUntried?: true | undefined } | null; 
/** The connected client that holds the key; null for a key that a person keeps. */ client: { 
/** The name that the client gave itself. */ name: string; 
/** The host that access was sent to. */ host: string } | null };
export type CreatedAgentKey = { id: string; 
/** The secret. Shown only in this answer; only its hash is stored. */ key: string; name: string; scopes: string[]; expiresAt: string | null; createdAt: string; 
/** The mode whose money it moves. Cannot be changed. */ mode: "paper" | "live"; envelope: { 
/** USD. A larger buy is denied. Absent: only the risk rules bound it. */ maxOrder?: number | undefined; 
/** USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied. */ maxDay?: number | undefined; 
/** The blueprints it may trade for; absent: all. */ blueprintIds?: string[] | undefined; 
/** Every order of the key waits for a person’s approval, however small. The key itself approves none. */ alwaysApprove?: true | undefined; 
/** Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused. */ allowsUntried?: true | undefined } | null };
export type VenueConnection = { id: string; venue: "venue-a" | "venue-b" | "crypto"; environment: "demo" | "testnet" | "live"; label: string; 
/** `ready`: all orders may be sent. `reduce_only`: no entries. `halted`: cancels only, until a person resumes it. `unverified`: not all of its checks have passed yet. */ state: "unverified" | "ready" | "reduce_only" | "halted" | "expired" | "revoked"; 
/** Why, stable. */ stateCode: string | null; 
/** The reason for the state, in words. */ stateReason: string | null; stateAt: string; 
/** Last characters of the public name of the key. */ keyHint: string; 
/** The identity of the account at the venue. */ fingerprint: string | null; permissions: string[] | null; keyExpiresAt: string | null; 
/** USD. Largest entry; null: no limit of its own. */ maxOrder: number | null; 
/** USD. Entries of a UTC day together. */ maxDay: number | null; 
/** USD. Open entries and positions together. */ maxOpenNotional: number | null; 
/** How far the venue's clock is ahead. */ clockOffsetMs: number | null; checks: { name: string; state: "green" | "red" | "grey"; 
/** The finding. */ value: string | null; 
/** The problem and the remedy; null if the check passed. */ reason: string | null; at: string }[]; checkedAt: string | null; 
/** Null: no check is pending. */ checkRequestedAt: string | null; reconciledAt: string | null; createdAt: string; updatedAt: string };
export type VenueDifference = { id: string; 
/** `in_flight` and `lag` disappear on their own. `external_order` and `external_fill`: not placed by this service. `transfer`: money from or to outside. `fee`: another fee than the booked one. `unredeemed`: won and not paid out. `netting`: both sides of a question paid out against each other. `unexplained`: none of these. */ kind: "in_flight" | "lag" | "external_order" | "external_fill" | "transfer" | "fee" | "unredeemed" | "netting" | "unexplained"; 
/** Its subject, by the names of the venue. */ subject: string; 
/** The amount in the books; for cash in USD. */ ours: number | null; 
/** The amount at the venue. */ theirs: number | null; 
/** USD; null if the worth is unknown. */ worth: number | null; tokenId: string | null; 
/** Side of an order or a trade. */ side: ("buy" | "sell") | null; 
/** USD per unit, for an order or a trade. */ price: number | null; 
/** The id of our order, if it is about one. */ orderId: string | null; firstSeen: string; 
/** The time since which it has its kind. */ since: string; lastSeen: string; 
/** `gone`: it no longer exists. `booked`: the books were moved to match the venue. `explained`: it stays, and is known. */ state: "open" | "gone" | "booked" | "explained"; note: string | null; resolvedBy: string | null; resolvedAt: string | null };
export type NotificationSwitches = { 
/** An order waits for approval. */ "order.pending": "off" | "on" | "always"; 
/** An order was filled. */ "order.filled": "off" | "on" | "always"; 
/** A rule denied an order. */ "order.denied": "off" | "on" | "always"; 
/** A venue rejected an order. */ "order.rejected": "off" | "on" | "always"; 
/** A strategy stopped in error. */ "blueprint.error": "off" | "on" | "always"; 
/** A Notify step said something. */ "blueprint.said": "off" | "on" | "always"; 
/** A Notify step warned. */ "blueprint.warning": "off" | "on" | "always"; 
/** A Notify step said something critical. */ "blueprint.critical": "off" | "on" | "always"; 
/** 80 % of a limit is used. */ "rule.near_limit": "off" | "on" | "always"; 
/** A limit is reached. */ "rule.reached": "off" | "on" | "always"; 
/** A connection changed its state. */ "connection.changed": "off" | "on" | "always"; 
/** An API key expires soon. */ "key.expiring": "off" | "on" | "always"; 
/** Summary of the day. */ "summary.daily": "off" | "on" | "always"; 
/** Another channel was disabled. */ "channel.disabled": "off" | "on" | "always" };
export type NotificationChannel = { id: string; kind: "webhook" | "slack" | "discord" | "telegram" | "email" | "push"; label: string; 
/** The destination, without the parts that would let another person write there. */ target: string; 
/** `disabled`: by the service, because nothing arrived for three days, or the receiver is gone. */ state: "on" | "off" | "disabled"; stateReason: string | null; 
/** `false` for a new webhook: it receives only tests, until it answers one with `data.challenge` of it. */ proven: boolean; 
/** `always`: in quiet hours too. */ switches: NotificationSwitches; quietHours: { from: string; to: string; zone: string } | null; 
/** Null: the last attempt succeeded. */ failingSince: string | null; 
/** Null: none is queued. */ nextTryAt: string | null; createdAt: string; updatedAt: string };
export type CreatedNotificationChannel = { id: string; kind: "webhook" | "slack" | "discord" | "telegram" | "email" | "push"; label: string; 
/** The destination, without the parts that would let another person write there. */ target: string; 
/** `disabled`: by the service, because nothing arrived for three days, or the receiver is gone. */ state: "on" | "off" | "disabled"; stateReason: string | null; 
/** `false` for a new webhook: it receives only tests, until it answers one with `data.challenge` of it. */ proven: boolean; 
/** `always`: in quiet hours too. */ switches: NotificationSwitches; quietHours: { from: string; to: string; zone: string } | null; 
/** Null: the last attempt succeeded. */ failingSince: string | null; 
/** Null: none is queued. */ nextTryAt: string | null; createdAt: string; updatedAt: string; 
/** The secret of a webhook, `whsec_…`, shown only in this answer; null for other kinds. */ secret: string | null };
export type NotificationDelivery = { id: string; channelId: string; channelLabel: string; 
/** The `webhook-id`: the same in every delivery of it. */ notificationId: string; kind: string; 
/** `expired`: no longer useful when its turn came. `refused`: the receiver accepts others, but not this one. */ status: "waiting" | "delivered" | "expired" | "refused"; replay: boolean; attempts: number; notBefore: string; lastAttemptAt: string | null; 
/** HTTP or SMTP status. */ lastStatus: number | null; lastProblem: string | null; tookMs: number | null; createdAt: string; endedAt: string | null };
export type AuditEvent = { id: string; at: string; 
/** `session:<user id>`, `key:<key id>`, `operator:<user id>` or `system`. */ actor: string; action: string; subjectId: string | null; 
/** Any JSON value. */ before: unknown; 
/** Any JSON value. */ after: unknown; requestId: string | null };
export type LedgerHead = { 
/** How many links the chain has. */ number: number; 
/** SHA-256 of the last link, as hexadecimal digits; null while there is none. */ hash: string | null };

/** GET /health: Liveness. */ 
export type SystemHealthInput = Record<string, never>;
export type SystemHealthOutput = { status: "ok" };

/** GET /health/ready: Readiness. */ 
export type SystemReadyInput = Record<string, never>;
export type SystemReadyOutput = { status: "ready"; warnings?: "no_runner"[] | undefined };

/** GET /api/venue-a: Venue A search and lookup. */ 
export type MarketDataVenueAInput = { 
/** Text search across open markets. */ search?: string | undefined; 
/** Number of top markets to return. */ top?: number | undefined; 
/** Single market lookup by ticker. */ ticker?: string | undefined; 
/** Ticker for price-history lookup. */ ref?: string | undefined; 
/** History interval, used when `ref` is given; 1w by default. */ interval?: ("1d" | "1w" | "1m" | "all") | undefined; 
/** Maximum number of search results; 20 by default. */ limit?: number | undefined };
export type MarketDataVenueAOutput = VenueA;

/** GET /api/venue-b: Venue B search and lookup. */ 
export type MarketDataVenueBInput = { 
/** Text search. */ search?: string | undefined; 
/** Event or market slug to fetch directly. */ slug?: string | undefined; 
/** Token ID to resolve to its market. */ token?: string | undefined; 
/** Token ID to resolve to its raw market record. */ raw?: string | undefined; 
/** Token ID to fetch order-book levels. */ book?: string | undefined; 
/** Number of trending events, by 24-hour volume, grouped markets preserved. */ trending?: number | undefined; 
/** Number of top markets to return. */ top?: number | undefined; 
/** Token ID for price-history lookup. */ ref?: string | undefined; 
/** History interval, used when `ref` is given; 1w by default. */ interval?: ("1d" | "1w" | "1m" | "all") | undefined; 
/** Maximum number of search results; 20 by default. */ limit?: number | undefined; 
/** Expand multi-market events into one row per binary market. */ expand?: "markets" | undefined };
export type MarketDataVenueBOutput = VenueB;

/** GET /api/crypto: Crypto market data. */ 
export type MarketDataCryptoInput = { 
/** Crypto symbol to fetch: `BTCUSDT`, `BTC`, `btc-usdt` or `BTC/USDT`. */ symbol?: string | undefined; 
/** Response mode; without it a current symbol summary. */ type?: ("trades" | "klines" | "symbols") | undefined; 
/** Kline interval, used when `type` is `klines`; 1h by default. `1m` is not `1M`. */ interval?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M") | undefined; 
/** Maximum number of points or symbols; 50 by default. */ limit?: number | undefined; 
/** Symbol search query, used when `type` is `symbols`. */ search?: string | undefined };
export type MarketDataCryptoOutput = Crypto;

/** GET /api/history/coverage: Read the recorded data of an instrument. */ 
export type HistoryCoverageInput = { 
/** Required. As in the views of markets, or a crypto symbol. */ tokenId?: string | undefined; 
/** Venue A: `1m`, `1h`, `1d`. Venue B: `1m`, `5m`, `30m`, `3h`, `12h`. Crypto: `1s` to `1d`. */ interval?: string | undefined; 
/** The beginning of the range; a year before its end by default. */ from?: string | undefined; 
/** The end of the range; now by default. */ to?: string | undefined };
export type HistoryCoverageOutput = HistoryCoverage;

/** POST /api/history/import: Import history of an instrument. */ 
export type HistoryImportInput = { 
/** As in the views of markets, or a crypto symbol. */ tokenId: string; 
/** Venue A: `1m`, `1h`, `1d`. Venue B: `1m`, `5m`, `30m`, `3h`, `12h`. Crypto: `1s` to `1d`. */ interval: string; from: string; to: string };
export type HistoryImportOutput = HistoryImport;

/** GET /api/history/imports: List imports of history and their progress. */ 
export type HistoryImportsInput = Record<string, never>;
export type HistoryImportsOutput = HistoryImport[];

/** POST /api/history/imports/{id}/cancel: Cancel an import of history. */ 
export type HistoryCancelImportInput = { 
/** The id from the answer to the request, or from the list of imports. */ id: string };
export type HistoryCancelImportOutput = { 
/** True on success. */ ok: boolean; 
/** The order intent. */ id: string };

/** GET /api/history/export: Export the stored history of an instrument as Parquet. */ 
export type HistoryExportFileInput = { 
/** Required. As in the views of markets, or a crypto symbol. */ tokenId?: string | undefined; 
/** Required: `1m`, `1h`, as in coverage. */ interval?: string | undefined; 
/** The beginning of the range. */ from?: string | undefined; 
/** The end of the range, exclusive. */ to?: string | undefined };
export type HistoryExportFileOutput = string;

/** GET /api/blueprints: List blueprints. */ 
export type BlueprintsListInput = { 
/** Most rows to return; all by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined; 
/** Only blueprints in this status. */ status?: ("draft" | "running" | "error" | "stopped") | undefined; 
/** Only blueprints created with this reference. */ thesisId?: string | undefined };
export type BlueprintsListOutput = Blueprint[];

/** POST /api/blueprints: Create a blueprint. */ 
export type BlueprintsCreateInput = { 
/** 1 to 120 characters after trimming, no control characters. */ name: string; 
/** The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it. */ visual?: unknown | undefined; 
/** Your own reference: stored, filterable, not interpreted. */ thesisId?: string | undefined };
export type BlueprintsCreateOutput = Blueprint;

/** POST /api/blueprints/stop: Stop everything. */ 
export type BlueprintsStopAllInput = Record<string, never>;
export type BlueprintsStopAllOutput = { 
/** How many were stopped. */ stopped: number };

/** GET /api/blueprints/tags: List tags. */ 
export type BlueprintsTagsInput = Record<string, never>;
export type BlueprintsTagsOutput = BlueprintTag[];

/** POST /api/blueprints/validate: Check a graph. */ 
export type BlueprintsValidateDrawingInput = { 
/** The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it. */ visual?: unknown | undefined };
export type BlueprintsValidateDrawingOutput = { valid: boolean; issues: { nodeId: string | null; 
/** JSON Pointer into `visual`. */ path: string; code: string; severity: "error" | "warning"; message: string }[]; sentences: { nodeId: string; text: string }[] };

/** GET /api/blueprints/{id}: Read a blueprint. */ 
export type BlueprintsReadInput = { 
/** The blueprint. */ id: string };
export type BlueprintsReadOutput = Blueprint;

/** PUT /api/blueprints/{id}: Update a blueprint. */ 
export type BlueprintsUpdateInput = { 
/** The blueprint. */ id: string; 
/** 1 to 120 characters after trimming, no control characters. */ name?: string | undefined; 
/** The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it. */ visual?: unknown | undefined };
export type BlueprintsUpdateOutput = Blueprint;

/** DELETE /api/blueprints/{id}: Delete a blueprint. */ 
export type BlueprintsDeleteInput = { 
/** The blueprint. */ id: string };
export type BlueprintsDeleteOutput = { deleted: boolean };

/** POST /api/blueprints/{id}/deploy: Deploy a blueprint. */ 
export type BlueprintsDeployInput = { 
/** The blueprint. */ id: string };
export type BlueprintsDeployOutput = Blueprint;

/** POST /api/blueprints/{id}/redeploy: Replace a running blueprint. */ 
export type BlueprintsRedeployInput = { 
/** The blueprint. */ id: string; 
/** 1 to 120 characters after trimming, no control characters. */ name?: string | undefined; 
/** The graph to run; `null` runs an empty one. Required without `parameters`; else absent for the stored one. */ visual?: unknown | undefined; 
/** Values of parameters of the graph, by name: `{"fast": 14}`. Others stay as they are. */ parameters?: Record<string, number | boolean | string | string[] | { series: string; venue: "venue-a" | "venue-b"; outcome: string }> | undefined };
export type BlueprintsRedeployOutput = Blueprint;

/** POST /api/blueprints/{id}/stop: Stop a blueprint. */ 
export type BlueprintsStopInput = { 
/** The blueprint. */ id: string };
export type BlueprintsStopOutput = Blueprint;

/** POST /api/blueprints/{id}/validate: Check a blueprint. */ 
export type BlueprintsValidateInput = { 
/** The blueprint. */ id: string; 
/** The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it. */ visual?: unknown | undefined };
export type BlueprintsValidateOutput = { valid: boolean; issues: { nodeId: string | null; 
/** JSON Pointer into `visual`. */ path: string; code: string; severity: "error" | "warning"; message: string }[] };

/** POST /api/blueprints/{id}/explain: Explain a blueprint. */ 
export type BlueprintsExplainInput = { 
/** The blueprint. */ id: string; 
/** The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it. */ visual?: unknown | undefined };
export type BlueprintsExplainOutput = { sentences: { nodeId: string; text: string }[] };

/** GET /api/node-types: List node types. */ 
export type BlueprintsNodeTypesInput = Record<string, never>;
export type BlueprintsNodeTypesOutput = NodeType[];

/** GET /api/blueprints/{id}/releases: List releases. */ 
export type BlueprintsReleasesInput = { 
/** The blueprint. */ id: string };
export type BlueprintsReleasesOutput = Release[];

/** GET /api/blueprints/{id}/releases/{n}: Read a release. */ 
export type BlueprintsReleaseInput = { 
/** The blueprint. */ id: string; 
/** The release’s number. */ n: number | string };
export type BlueprintsReleaseOutput = ReleaseWithVisual;

/** POST /api/blueprints/{id}/releases/{n}/restore: Restore a release. */ 
export type BlueprintsRestoreInput = { 
/** The blueprint. */ id: string; 
/** The release’s number. */ n: number | string };
export type BlueprintsRestoreOutput = Blueprint;

/** PUT /api/blueprints/{id}/tags: Tag a blueprint. */ 
export type BlueprintsSetTagsInput = { 
/** The blueprint. */ id: string; 
/** Up to 10. Spellings of one word that differ only in case are one tag, as written first. */ tags: string[] };
export type BlueprintsSetTagsOutput = BlueprintTags;

/** GET /api/blueprints/{id}/performance: Read a blueprint’s performance. */ 
export type BlueprintsPerformanceInput = { 
/** The blueprint. */ id: string };
export type BlueprintsPerformanceOutput = Performance;

/** GET /api/blueprints/{id}/statistics: Read a blueprint’s statistics. */ 
export type BlueprintsStatisticsInput = { 
/** The blueprint. */ id: string; 
/** 1m by default. */ range?: ("1d" | "1w" | "1m" | "all") | undefined };
export type BlueprintsStatisticsOutput = Statistics;

/** GET /api/backtests: List backtests. */ 
export type BacktestsListInput = { 
/** Most rows to return; 50 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined; 
/** Only those of this blueprint. */ blueprintId?: string | undefined; 
/** Only those in this status. */ status?: ("queued" | "running" | "done" | "failed" | "canceled") | undefined };
export type BacktestsListOutput = BacktestOutline[];

/** POST /api/backtests: Run a strategy over history. */ 
export type BacktestsStartInput = { 
/** The blueprint; absent for a graph without one. */ blueprintId?: (string | null) | undefined; 
/** Release of the blueprint; its draft if absent. */ release?: (number | null) | undefined; 
/** A graph, instead of a blueprint’s. */ visual?: unknown | undefined; 
/** First instant. Warm-up history is added before it. */ from: string; 
/** End, not included; nothing after now. */ to: string; 
/** USD at the start, a decimal; 10000 by default. */ cash?: string | undefined; 
/** Seed of names and of random choices. */ seed?: number | undefined; 
/** Riskless return of a year, as a fraction; 0 by default. */ riskFree?: number | undefined; 
/** Computes the backtest again, even if a result of the same request exists. */ fresh?: boolean | undefined; 
/** The history to use. */ data?: { source?: ("auto" | "recorded" | "bars") | undefined; detail?: ("auto" | "1s" | "1m" | "none") | undefined; substitute?: Record<string, string[]> | undefined } | undefined; 
/** How orders are filled. */ fills?: { latencyMs?: number | undefined; halfSpread?: ("auto" | string) | undefined; slippageTicks?: number | undefined; liquidity?: ("share" | "unlimited") | undefined; share?: string | undefined; 
/** Paths inside bars: drawn from all that fit (`likely`), from those that reach one extreme first, or all three, of which the lowest end is shown (`both`). */ highLow?: ("likely" | "high_first" | "low_first" | "both") | undefined } | undefined; 
/** The venue’s schedule, or none. */ fees?: ("schedule" | "none") | undefined; 
/** The rules, and the approvals. */ risk?: { rules?: ("account" | { 
/** USD. A larger buy is denied; 0 allows exits only. */ maxOrderSize: number; 
/** USD. Buys are denied once the day (00:00 UTC) has lost this much. */ maxDailyLoss: number; 
/** Distinct instruments held or being bought. */ maxOpenPositions: number; 
/** Orders cleared for sending in any 60 seconds. */ maxOrdersPerMinute: number; 
/** Seconds after a losing sell in which buys are denied. */ cooldownAfterLossSec: number; 
/** USD. A larger order waits for a person. */ requireApprovalAbove: number; 
/** USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off. */ maxPositionSize?: (number | null) | undefined; 
/** USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off. */ maxVenueExposure?: (number | null) | undefined; 
/** USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off. */ maxGrossExposure?: (number | null) | undefined; 
/** USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off. */ maxBlueprintBudget?: (number | null) | undefined; 
/** USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off. */ maxDrawdown?: (number | null) | undefined }) | undefined; approvals?: { policy?: ("auto" | "never") | undefined; delaySec?: number | undefined } | undefined } | undefined; 
/** Whether it is checked for look-ahead; true by default. */ checks?: boolean | undefined; 
/** Whether it is run again with each assumption changed alone, which takes up to seven times as long; false by default. */ sensitivity?: boolean | undefined };
export type BacktestsStartOutput = { id: string; status: "queued" | "running" | "done" | "failed" | "canceled"; 
/** SHA-256 of every input of the result. */ requestHash: string; 
/** The earlier run with the same result. */ reusedFrom: string | null };

/** GET /api/backtests/compare: Compare backtests. */ 
export type BacktestsCompareInput = { 
/** Required. Two to four ids with commas between. */ ids?: string | undefined };
export type BacktestsCompareOutput = BacktestComparison;

/** GET /api/backtests/{id}: Read a backtest. */ 
export type BacktestsReadInput = { 
/** The backtest. */ id: string };
export type BacktestsReadOutput = Backtest;

/** PATCH /api/backtests/{id}: Note or pin a backtest. */ 
export type BacktestsUpdateInput = { 
/** The backtest. */ id: string; 
/** Null clears them. */ notes?: (string | null) | undefined; pinned?: boolean | undefined };
export type BacktestsUpdateOutput = BacktestOutline;

/** DELETE /api/backtests/{id}: Delete a backtest. */ 
export type BacktestsDeleteInput = { 
/** The backtest. */ id: string };
export type BacktestsDeleteOutput = { deleted: boolean };

/** POST /api/backtests/{id}/cancel: Cancel a backtest. */ 
export type BacktestsCancelInput = { 
/** The backtest. */ id: string };
export type BacktestsCancelOutput = { 
/** True on success. */ ok: boolean; 
/** The order intent. */ id: string };

/** GET /api/backtests/{id}/trades: The trades of a backtest. */ 
export type BacktestsTradesInput = { 
/** The backtest. */ id: string; 
/** Most rows to return; 100 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined };
export type BacktestsTradesOutput = BacktestTrade[];

/** GET /api/backtests/{id}/orders: The orders of a backtest. */ 
export type BacktestsOrdersInput = { 
/** The backtest. */ id: string; 
/** Most rows to return; 100 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined };
export type BacktestsOrdersOutput = BacktestOrder[];

/** GET /api/backtests/{id}/log: The log of a backtest. */ 
export type BacktestsLogInput = { 
/** The backtest. */ id: string; 
/** Most rows to return; 100 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined };
export type BacktestsLogOutput = BacktestLogLine[];

/** GET /api/backtests/{id}/equity: The equity of a backtest. */ 
export type BacktestsEquityInput = { 
/** The backtest. */ id: string; 
/** Most points to return; 2000 by default. */ points?: number | undefined };
export type BacktestsEquityOutput = BacktestEquity;

/** GET /api/backtests/{id}/report.html: The report of a backtest. */ 
export type BacktestsReportInput = { 
/** The backtest. */ id: string };
export type BacktestsReportOutput = string;

/** GET /api/backtests/{id}/trades.csv: The trades of a backtest as CSV. */ 
export type BacktestsTradesFileInput = { 
/** The backtest. */ id: string };
export type BacktestsTradesFileOutput = string;

/** GET /api/backtests/{id}/equity.csv: The equity of a backtest as CSV. */ 
export type BacktestsEquityFileInput = { 
/** The backtest. */ id: string };
export type BacktestsEquityFileOutput = string;

/** GET /api/backtests/{id}/result.json: All of a backtest as JSON. */ 
export type BacktestsResultFileInput = { 
/** The backtest. */ id: string };
export type BacktestsResultFileOutput = unknown;

/** GET /api/sweeps: List sweeps. */ 
export type SweepsListInput = { 
/** Most rows to return; 50 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined; 
/** Only those of this blueprint. */ blueprintId?: string | undefined; 
/** Only those in this status. */ status?: ("queued" | "running" | "done" | "failed" | "canceled") | undefined };
export type SweepsListOutput = SweepOutline[];

/** POST /api/sweeps: Try a strategy with many values. */ 
export type SweepsStartInput = { 
/** The blueprint; absent for a graph without one. */ blueprintId?: (string | null) | undefined; 
/** Release of the blueprint; its draft if absent. */ release?: (number | null) | undefined; 
/** A graph, instead of a blueprint’s. */ visual?: unknown | undefined; 
/** First instant. Warm-up history is added before it. */ from: string; 
/** End, not included; nothing after now. */ to: string; 
/** USD at the start, a decimal; 10000 by default. */ cash?: string | undefined; 
/** Seed of names and of random choices. */ seed?: number | undefined; 
/** Riskless return of a year, as a fraction; 0 by default. */ riskFree?: number | undefined; 
/** The history to use. */ data?: { source?: ("auto" | "recorded" | "bars") | undefined; detail?: ("auto" | "1s" | "1m" | "none") | undefined; substitute?: Record<string, string[]> | undefined } | undefined; 
/** How orders are filled. */ fills?: { latencyMs?: number | undefined; halfSpread?: ("auto" | string) | undefined; slippageTicks?: number | undefined; liquidity?: ("share" | "unlimited") | undefined; share?: string | undefined; 
/** Paths inside bars: drawn from all that fit (`likely`), from those that reach one extreme first, or all three, of which the lowest end is shown (`both`). */ highLow?: ("likely" | "high_first" | "low_first" | "both") | undefined } | undefined; 
/** The venue’s schedule, or none. */ fees?: ("schedule" | "none") | undefined; 
/** The rules, and the approvals. */ risk?: { rules?: ("account" | { 
/** USD. A larger buy is denied; 0 allows exits only. */ maxOrderSize: number; 
/** USD. Buys are denied once the day (00:00 UTC) has lost this much. */ maxDailyLoss: number; 
/** Distinct instruments held or being bought. */ maxOpenPositions: number; 
/** Orders cleared for sending in any 60 seconds. */ maxOrdersPerMinute: number; 
/** Seconds after a losing sell in which buys are denied. */ cooldownAfterLossSec: number; 
/** USD. A larger order waits for a person. */ requireApprovalAbove: number; 
/** USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off. */ maxPositionSize?: (number | null) | undefined; 
/** USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off. */ maxVenueExposure?: (number | null) | undefined; 
/** USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off. */ maxGrossExposure?: (number | null) | undefined; 
/** USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off. */ maxBlueprintBudget?: (number | null) | undefined; 
/** USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off. */ maxDrawdown?: (number | null) | undefined }) | undefined; approvals?: { policy?: ("auto" | "never") | undefined; delaySec?: number | undefined } | undefined } | undefined; space: { 
/** Settings of the graph, each with the values to try, or a range in steps. */ dimensions: ({ 
/** JSON Pointer into the graph. */ pointer: string; values: (number | string | boolean)[] } | { 
/** JSON Pointer into the graph. */ pointer: string; from: number; to: number; step: number })[]; 
/** Only combinations in which one number is below another are tried. */ constraints?: { 
/** JSON Pointer into the graph. */ less: string; 
/** JSON Pointer into the graph. */ than: string }[] | undefined }; 
/** All combinations, or a number of random ones. */ search?: ({ kind: "grid" } | { kind: "random"; count: number; seed: number }) | undefined; 
/** The figure that ranks trials; the Sharpe ratio by default. */ objective?: { statistic: "sharpe" | "sortino" | "calmar" | "totalReturn" | "netProfit" | "profitFactor" | "expectancy" | "sqn"; 
/** Trials with fewer trades are not ranked; 30 by default. */ minTrades?: number | undefined } | undefined; 
/** Chosen on one span, tested on the next. */ walkForward?: ({ trainDays: number; testDays: number; 
/** From one fold to the next; as testDays by default. */ stepDays?: number | undefined; 
/** Training always begins at the start. */ isAnchored?: boolean | undefined; 
/** The assumed holding time of a position, part of the embargo. 1 by default. */ holdingDays?: number | undefined } | null) | undefined };
export type SweepsStartOutput = { id: string; status: "queued" | "running" | "done" | "failed" | "canceled"; 
/** Trials over the range and in folds, if all combinations compile. */ runsAtMost: number };

/** GET /api/sweeps/{id}: Read a sweep. */ 
export type SweepsReadInput = { 
/** The sweep. */ id: string };
export type SweepsReadOutput = Sweep;

/** POST /api/sweeps/{id}/cancel: Cancel a sweep. */ 
export type SweepsCancelInput = { 
/** The sweep. */ id: string };
export type SweepsCancelOutput = { 
/** True on success. */ ok: boolean; 
/** The order intent. */ id: string };

/** DELETE /api/sweeps/{id}: Delete a sweep. */ 
export type SweepsDeleteInput = { 
/** The sweep. */ id: string };
export type SweepsDeleteOutput = { deleted: boolean };

/** GET /api/sweeps/{id}/trials: The trials of a sweep. */ 
export type SweepsTrialsInput = { 
/** The sweep. */ id: string; 
/** The figure to sort by; `score` by default. */ sort?: ("score" | "number" | "totalReturn" | "sharpe" | "maxDrawdown" | "trades") | undefined; 
/** The end that comes first, `best` by default; for `number` the lowest is the best. Trials without the figure always come last. */ order?: ("best" | "worst") | undefined; 
/** Most rows to return; 100 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined };
export type SweepsTrialsOutput = SweepTrial[];

/** POST /api/sweeps/{id}/apply: Write a trial as draft. */ 
export type SweepsApplyTrialInput = { 
/** The sweep. */ id: string; 
/** Of the trial. */ number: number };
export type SweepsApplyTrialOutput = Blueprint;

/** GET /api/signals: List signals. */ 
export type SignalsListInput = Record<string, never>;
export type SignalsListOutput = Signal[];

/** POST /api/signals: Add a signal. */ 
export type SignalsCreateInput = { 
/** The name of the signal, as the node `signal` names it. */ name: string; 
/** `boolean`: it takes 0 and 1 only. */ kind?: ("number" | "boolean") | undefined; 
/** The lowest value it takes; null: −10^15. */ min?: (number | null) | undefined; 
/** The highest value it takes; null: 10^15. */ max?: (number | null) | undefined };
export type SignalsCreateOutput = CreatedSignal;

/** PATCH /api/signals/{name}: Change what a signal takes. */ 
export type SignalsUpdateInput = { 
/** The name of the signal, as the node `signal` names it. */ name: string; 
/** `boolean`: it takes 0 and 1 only. */ kind?: ("number" | "boolean") | undefined; 
/** The lowest value it takes; null: −10^15. */ min?: (number | null) | undefined; 
/** The highest value it takes; null: 10^15. */ max?: (number | null) | undefined };
export type SignalsUpdateOutput = Signal;

/** POST /api/signals/{name}: Send a value to a signal. */ 
export type SignalsSendInput = { 
/** The name of the signal, as the node `signal` names it. */ name: string; 
/** A number, or a condition, which is stored as 1 or 0. */ value: number | boolean; 
/** The sender’s name of this message: it counts once. */ id?: string | undefined };
export type SignalsSendOutput = { received: boolean; 
/** It had arrived before, and changed nothing. */ duplicate: boolean; value: number; 
/** When it first arrived. */ at: string };

/** POST /api/signals/{name}/rotate-token: Rotate the token of a signal. */ 
export type SignalsRotateInput = { 
/** The name of the signal, as the node `signal` names it. */ name: string };
export type SignalsRotateOutput = CreatedSignal;

/** DELETE /api/signals/{name}: Remove a signal. */ 
export type SignalsRemoveInput = { 
/** The name of the signal, as the node `signal` names it. */ name: string };
export type SignalsRemoveOutput = { deleted: boolean };

/** GET /api/orders: List orders. */ 
export type OrdersListInput = { 
/** Most rows to return; 500 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined; 
/** Only orders in this status. */ status?: ("denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected") | undefined; 
/** Only buys, or only sells. */ side?: ("buy" | "sell") | undefined; 
/** Only orders of this blueprint. */ blueprintId?: string | undefined; 
/** Created at or after. */ since?: string | undefined; 
/** Created before. */ until?: string | undefined };
export type OrdersListOutput = Order[];

/** POST /api/orders: Place an order. */ 
export type OrdersPlaceInput = { 
/** The instrument as orders name it. */ tokenId: string; side: "buy" | "sell"; 
/** `market`: now, within the price band. */ type: "market" | "limit"; 
/** Quantity, above 0: contracts, shares or base coin. */ amount: number; 
/** The worst acceptable price, rounded to the tick. Required for a limit order, refused for a market order. */ limitPrice?: number | undefined; 
/** Of a limit order: `gtc` (default) rests until filled or canceled, with real money a buy at most 10 minutes unless `expireAfterSec` says otherwise; `gtx` too, and is refused if any of it would fill at once (post-only); `ioc` fills what it can at once, `fok` whole or not at all. */ timeInForce?: ("gtc" | "gtx" | "ioc" | "fok") | undefined; 
/** With `gtc` or `gtx`: seconds after which the unfilled rest is canceled. */ expireAfterSec?: number | undefined };
export type OrdersPlaceOutput = OrderIntent;

/** GET /api/orders/{id}: Read an order. */ 
export type OrdersReadInput = { 
/** The order, or order intent. */ id: string };
export type OrdersReadOutput = OrderDetail;

/** POST /api/orders/{id}/approve: Approve an order intent. */ 
export type OrdersApproveInput = { 
/** The order, or order intent. */ id: string };
export type OrdersApproveOutput = { 
/** True on success. */ ok: boolean; 
/** The order intent. */ id: string };

/** POST /api/orders/{id}/reject: Decline an order intent. */ 
export type OrdersRejectInput = { 
/** The order, or order intent. */ id: string };
export type OrdersRejectOutput = { 
/** True on success. */ ok: boolean; 
/** The order intent. */ id: string };

/** POST /api/orders/{id}/cancel: Cancel an order. */ 
export type OrdersCancelInput = { 
/** The order, or order intent. */ id: string };
export type OrdersCancelOutput = { 
/** True on success. */ ok: boolean; 
/** The order intent. */ id: string };

/** GET /api/portfolio: Portfolio summary. */ 
export type PortfolioSummaryInput = Record<string, never>;
export type PortfolioSummaryOutput = PortfolioSummary;

/** GET /api/portfolio/positions: List positions. */ 
export type PortfolioPositionsInput = Record<string, never>;
export type PortfolioPositionsOutput = Position[];

/** POST /api/portfolio/positions/close: Close part of a position. */ 
export type PortfolioCloseInput = { 
/** The instrument as orders name it. */ tokenId: string; 
/** Quantity to sell, above 0. */ amount: number; 
/** Sell only this blueprint’s holding. */ blueprintId?: string | undefined };
export type PortfolioCloseOutput = ClosePositionIntent;

/** POST /api/portfolio/positions/write-off: Write off a position that cannot be sold. */ 
export type PortfolioWriteOffInput = { 
/** The instrument as orders name it. */ tokenId: string; 
/** USD per unit. At most the best bid for an amount too small to sell; 1 for an outcome, the last mark for a coin, that is no longer traded. */ value: number; 
/** Write off only this blueprint’s holding. */ blueprintId?: string | undefined };
export type PortfolioWriteOffOutput = WrittenOffPosition;

/** GET /api/portfolio/history: Equity history. */ 
export type PortfolioHistoryInput = { 
/** 1w by default. */ range?: ("1d" | "1w" | "1m" | "all") | undefined };
export type PortfolioHistoryOutput = EquityPoint[];

/** GET /api/portfolio/statistics: Read the account’s statistics. */ 
export type PortfolioStatisticsInput = { 
/** 1m by default. */ range?: ("1d" | "1w" | "1m" | "all") | undefined };
export type PortfolioStatisticsOutput = Statistics;

/** GET /api/risk-rules: Read the risk rules. */ 
export type RiskRulesReadInput = Record<string, never>;
export type RiskRulesReadOutput = RiskRules;

/** PUT /api/risk-rules: Change the risk rules. */ 
export type RiskRulesUpdateInput = { 
/** USD. A larger buy is denied; 0 allows exits only. */ maxOrderSize?: number | undefined; 
/** USD. Buys are denied once the day (00:00 UTC) has lost this much. */ maxDailyLoss?: number | undefined; 
/** Distinct instruments held or being bought. */ maxOpenPositions?: number | undefined; 
/** Orders cleared for sending in any 60 seconds. */ maxOrdersPerMinute?: number | undefined; 
/** Seconds after a losing sell in which buys are denied. */ cooldownAfterLossSec?: number | undefined; 
/** USD. A larger order waits for a person. */ requireApprovalAbove?: number | undefined };
export type RiskRulesUpdateOutput = RiskRules;

/** POST /api/risk-rules/preview: Preview an order. */ 
export type RiskRulesPreviewInput = { 
/** The instrument as orders name it. */ tokenId: string; side: "buy" | "sell"; type: "market" | "limit"; amount: number; 
/** Required for a limit order. */ limitPrice?: number | undefined; 
/** Sells this blueprint’s own position; a buy counts in its budget. By default a buy counts as one by hand. */ blueprintId?: string | undefined };
export type RiskRulesPreviewOutput = OrderPreview;

/** GET /api/risk-rules/usage: Read the usage of the risk rules. */ 
export type RiskRulesUsageInput = Record<string, never>;
export type RiskRulesUsageOutput = RiskUsage;

/** GET /api/risk-rules/optional: Read the optional risk rules. */ 
export type RiskRulesReadOptionalInput = Record<string, never>;
export type RiskRulesReadOptionalOutput = OptionalRiskRules;

/** PUT /api/risk-rules/optional: Change the optional risk rules. */ 
export type RiskRulesUpdateOptionalInput = { 
/** USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off. */ maxPositionSize?: (number | null) | undefined; 
/** USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off. */ maxVenueExposure?: (number | null) | undefined; 
/** USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off. */ maxGrossExposure?: (number | null) | undefined; 
/** USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off. */ maxBlueprintBudget?: (number | null) | undefined; 
/** USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off. */ maxDrawdown?: (number | null) | undefined };
export type RiskRulesUpdateOptionalOutput = OptionalRiskRules;

/** GET /api/api-keys: List keys. */ 
export type ApiKeysListInput = Record<string, never>;
export type ApiKeysListOutput = ApiKey[];

/** POST /api/api-keys: Create a key. */ 
export type ApiKeysCreateInput = { name: string; 
/** What the key may do. */ scopes: ("blueprints:read" | "blueprints:write" | "blueprints:deploy" | "orders:read" | "orders:write" | "portfolio:read" | "portfolio:write" | "risk:read" | "risk:write" | "api_keys:write" | "market_data:read" | "orders:place" | "notifications:read" | "notifications:write" | "signals:read" | "signals:write")[]; 
/** At most 366 days away. Absent: 90 days from now; null: never. */ expiresAt?: (string | null) | undefined };
export type ApiKeysCreateOutput = CreatedApiKey;

/** POST /api/api-keys/{id}/rotate: Rotate a key. */ 
export type ApiKeysRotateInput = { 
/** The key to replace. */ id: string; 
/** How long the old key stays valid, seconds. Default 0. */ graceSec?: number | undefined };
export type ApiKeysRotateOutput = CreatedApiKey;

/** DELETE /api/api-keys/{id}: Revoke a key. */ 
export type ApiKeysRevokeInput = { 
/** The key. */ id: string };
export type ApiKeysRevokeOutput = { 
/** True on success. */ revoked: boolean };

/** GET /api/agent-keys: List keys with their spending limits. */ 
export type AgentKeysListInput = Record<string, never>;
export type AgentKeysListOutput = AgentKey[];

/** POST /api/agent-keys: Create a key with spending limits. */ 
export type AgentKeysCreateInput = { name: string; scopes: ("blueprints:read" | "blueprints:write" | "blueprints:deploy" | "orders:read" | "orders:write" | "portfolio:read" | "portfolio:write" | "risk:read" | "risk:write" | "api_keys:write" | "market_data:read" | "orders:place" | "notifications:read" | "notifications:write" | "signals:read" | "signals:write" | "trade:live" | "approve:live")[]; 
/** The mode whose money it moves; `paper` by default. */ mode?: ("paper" | "live") | undefined; 
/** At most 366 days away, 90 for live. Absent: 90 days from now; null: never. */ expiresAt?: (string | null) | undefined; 
/** Spending limits of its orders, and of the orders of its deployments. Cannot be changed. */ envelope: { 
/** USD. A larger buy is denied. Absent: only the risk rules bound it. */ maxOrder?: number | undefined; 
/** USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied. */ maxDay?: number | undefined; 
/** The blueprints it may trade for; absent: all. */ blueprintIds?: string[] | undefined; 
/** Every order of the key waits for a person’s approval, however small. The key itself approves none. */ alwaysApprove?: true | undefined; 
/** Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused. */ allowsUntried?: true | undefined } };
export type AgentKeysCreateOutput = CreatedAgentKey;

/** GET /api/venue-connections: List connections. */ 
export type VenueConnectionsListInput = Record<string, never>;
export type VenueConnectionsListOutput = VenueConnection[];

/** POST /api/venue-connections: Connect an account at a venue. */ 
export type VenueConnectionsCreateInput = { venue: "venue-a" | "venue-b" | "crypto"; 
/** It determines the venue’s URLs; a request cannot set them. */ environment: "demo" | "testnet" | "live"; 
/** Its display name. */ label: string; 
/** Those of the venue. Sealed at once, and in no answer ever. */ credentials: { 
/** The name that venue A gave the key. */ keyId: string; 
/** PEM of an RSA key of 2048 bits or more, or of an Ed25519 key. */ privateKey: string } | { 
/** Holds the collateral. */ wallet: string; 
/** 3: a deposit wallet. 0: the account of the key itself, demo only. */ signatureType: 0 | 3; 
/** Of a session, `0x` and 64 digits; never the key of the wallet's owner. */ signingKey: string; isSession: boolean; api: { key: string; secret: string; passphrase: string } } | { apiKey: string; 
/** As shown when the key was made, or the PEM of an Ed25519 key. */ secret: string }; 
/** USD. Largest entry; null: no limit of its own. */ maxOrder?: (number | null) | undefined; 
/** USD. Entries of a UTC day together. */ maxDay?: (number | null) | undefined; 
/** USD. Open entries and positions together. */ maxOpenNotional?: (number | null) | undefined; 
/** Required for `live`: you state that the account is yours and that you may trade at this venue from where you live. The audit trail records the person and the time. */ isEligible?: boolean | undefined; 
/** The password of the signed-in person, again. */ password: string };
export type VenueConnectionsCreateOutput = VenueConnection;

/** GET /api/venue-connections/{id}: Read a connection. */ 
export type VenueConnectionsReadInput = { 
/** The connection. */ id: string };
export type VenueConnectionsReadOutput = VenueConnection;

/** PATCH /api/venue-connections/{id}: Rename a connection or set its limits. */ 
export type VenueConnectionsUpdateInput = { 
/** The connection. */ id: string; 
/** Its display name. */ label?: string | undefined; 
/** USD. Largest entry; null: no limit of its own. */ maxOrder?: (number | null) | undefined; 
/** USD. Entries of a UTC day together. */ maxDay?: (number | null) | undefined; 
/** USD. Open entries and positions together. */ maxOpenNotional?: (number | null) | undefined };
export type VenueConnectionsUpdateOutput = VenueConnection;

/** DELETE /api/venue-connections/{id}: Remove a connection. */ 
export type VenueConnectionsRemoveInput = { 
/** The connection. */ id: string };
export type VenueConnectionsRemoveOutput = { removed: boolean };

/** POST /api/venue-connections/{id}/check: Check a connection again. */ 
export type VenueConnectionsCheckInput = { 
/** The connection. */ id: string };
export type VenueConnectionsCheckOutput = VenueConnection;

/** POST /api/venue-connections/{id}/halt: Halt a connection. */ 
export type VenueConnectionsHaltInput = { 
/** The connection. */ id: string; 
/** `halted` by default. */ to?: ("halted" | "reduce_only") | undefined };
export type VenueConnectionsHaltOutput = VenueConnection;

/** POST /api/venue-connections/{id}/resume: Resume a connection. */ 
export type VenueConnectionsResumeInput = { 
/** The connection. */ id: string };
export type VenueConnectionsResumeOutput = VenueConnection;

/** POST /api/venue-connections/{id}/cancel-all: Cancel every order of the venue account. */ 
export type VenueConnectionsCancelAllInput = { 
/** The connection. */ id: string };
export type VenueConnectionsCancelAllOutput = VenueConnection;

/** POST /api/venue-connections/cancel-all: Cancel every order at every venue. */ 
export type VenueConnectionsCancelEverywhereInput = Record<string, never>;
export type VenueConnectionsCancelEverywhereOutput = { 
/** How many connections were asked. */ asked: number };

/** POST /api/venue-connections/{id}/rotate: Rotate the credentials. */ 
export type VenueConnectionsRotateInput = { 
/** The connection. */ id: string; 
/** Those of the venue. Sealed at once, and in no answer ever. */ credentials: { 
/** The name that venue A gave the key. */ keyId: string; 
/** PEM of an RSA key of 2048 bits or more, or of an Ed25519 key. */ privateKey: string } | { 
/** Holds the collateral. */ wallet: string; 
/** 3: a deposit wallet. 0: the account of the key itself, demo only. */ signatureType: 0 | 3; 
/** Of a session, `0x` and 64 digits; never the key of the wallet's owner. */ signingKey: string; isSession: boolean; api: { key: string; secret: string; passphrase: string } } | { apiKey: string; 
/** As shown when the key was made, or the PEM of an Ed25519 key. */ secret: string }; 
/** The password of the signed-in person, again. */ password: string };
export type VenueConnectionsRotateOutput = VenueConnection;

/** GET /api/venue-connections/{id}/differences: List differences between a venue account and its books. */ 
export type VenueConnectionsDifferencesInput = { 
/** The connection. */ id: string };
export type VenueConnectionsDifferencesOutput = VenueDifference[];

/** POST /api/venue-connections/{id}/differences/{differenceId}/resolve: Resolve a difference. */ 
export type VenueConnectionsResolveDifferenceInput = { 
/** The connection. */ id: string; 
/** The difference. */ differenceId: string; as: "adjustment" | "explained"; 
/** The reason, for later readers. */ note?: (string | null) | undefined };
export type VenueConnectionsResolveDifferenceOutput = VenueDifference;

/** GET /api/account/export: Export the stored data of the account. */ 
export type AccountExportInput = Record<string, never>;
export type AccountExportOutput = string;

/** GET /api/exports: Export a table of the account as Parquet. */ 
export type ExportsReadInput = { 
/** Required. Its rows and columns are in the guide “Notebooks”. */ table?: ("fills" | "orders" | "cash" | "equity" | "blueprint-equity") | undefined };
export type ExportsReadOutput = string;

/** GET /api/notification-options: Read the kinds of notifications and channels. */ 
export type NotificationsOptionsInput = Record<string, never>;
export type NotificationsOptionsOutput = { kinds: { kind: "order.pending" | "order.filled" | "order.denied" | "order.rejected" | "blueprint.error" | "blueprint.said" | "blueprint.warning" | "blueprint.critical" | "rule.near_limit" | "rule.reached" | "connection.changed" | "key.expiring" | "summary.daily" | "channel.disabled"; title: string; usual: "off" | "on" | "always" }[]; channels: ("webhook" | "slack" | "discord" | "telegram" | "email" | "push")[]; 
/** The address of the owner of the account: e-mail goes to no other address. */ emails: string[]; 
/** The `applicationServerKey` of a subscription. */ pushKey: string | null };

/** GET /api/notification-channels: List channels. */ 
export type NotificationsListInput = Record<string, never>;
export type NotificationsListOutput = NotificationChannel[];

/** POST /api/notification-channels: Add a channel. */ 
export type NotificationsCreateInput = { kind: "webhook" | "slack" | "discord" | "telegram" | "email" | "push"; 
/** Its display name. */ label: string; url?: string | undefined; 
/** Body of the messages of a `webhook`, as JSON. In its texts, `{{name}}` is replaced: id, type, timestamp, mode, title, text, link, or `data.` and a field of the kind. Without it, the body is that of `webhooks` in this description. */ bodyTemplate?: (string | undefined) | undefined; 
/** Of `telegram`: the token of the bot. */ botToken?: string | undefined; 
/** Of `telegram`: the chat it writes to. */ chatId?: string | undefined; 
/** Of `email`: the address of a user of the account. */ address?: string | undefined; 
/** Of `push`: what the browser’s `PushSubscription.toJSON()` says. */ subscription?: { endpoint: string; expirationTime?: (number | null) | undefined; keys: { p256dh: string; auth: string } } | undefined; 
/** `off`, `on` or `always` (in quiet hours too) by kind; a kind that is not named stays. */ switches?: { "order.pending"?: ("off" | "on" | "always") | undefined; "order.filled"?: ("off" | "on" | "always") | undefined; "order.denied"?: ("off" | "on" | "always") | undefined; "order.rejected"?: ("off" | "on" | "always") | undefined; "blueprint.error"?: ("off" | "on" | "always") | undefined; "blueprint.said"?: ("off" | "on" | "always") | undefined; "blueprint.warning"?: ("off" | "on" | "always") | undefined; "blueprint.critical"?: ("off" | "on" | "always") | undefined; "rule.near_limit"?: ("off" | "on" | "always") | undefined; "rule.reached"?: ("off" | "on" | "always") | undefined; "connection.changed"?: ("off" | "on" | "always") | undefined; "key.expiring"?: ("off" | "on" | "always") | undefined; "summary.daily"?: ("off" | "on" | "always") | undefined; "channel.disabled"?: ("off" | "on" | "always") | undefined } | undefined; 
/** Kinds that are `on` wait for their end. They span midnight if `from` is after `to`. */ quietHours?: ({ from: string; to: string; 
/** By its name in the IANA database. */ zone: string } | null) | undefined };
export type NotificationsCreateOutput = CreatedNotificationChannel;

/** GET /api/notification-channels/{id}: Read a channel. */ 
export type NotificationsReadInput = { 
/** The channel. */ id: string };
export type NotificationsReadOutput = NotificationChannel;

/** PATCH /api/notification-channels/{id}: Change a channel. */ 
export type NotificationsUpdateInput = { 
/** The channel. */ id: string; 
/** Its display name. */ label?: string | undefined; 
/** `false`: nothing is sent there; notifications from this time can be replayed. */ on?: boolean | undefined; 
/** `off`, `on` or `always` (in quiet hours too) by kind; a kind that is not named stays. */ switches?: { "order.pending"?: ("off" | "on" | "always") | undefined; "order.filled"?: ("off" | "on" | "always") | undefined; "order.denied"?: ("off" | "on" | "always") | undefined; "order.rejected"?: ("off" | "on" | "always") | undefined; "blueprint.error"?: ("off" | "on" | "always") | undefined; "blueprint.said"?: ("off" | "on" | "always") | undefined; "blueprint.warning"?: ("off" | "on" | "always") | undefined; "blueprint.critical"?: ("off" | "on" | "always") | undefined; "rule.near_limit"?: ("off" | "on" | "always") | undefined; "rule.reached"?: ("off" | "on" | "always") | undefined; "connection.changed"?: ("off" | "on" | "always") | undefined; "key.expiring"?: ("off" | "on" | "always") | undefined; "summary.daily"?: ("off" | "on" | "always") | undefined; "channel.disabled"?: ("off" | "on" | "always") | undefined } | undefined; 
/** Kinds that are `on` wait for their end. They span midnight if `from` is after `to`. */ quietHours?: ({ from: string; to: string; 
/** By its name in the IANA database. */ zone: string } | null) | undefined; 
/** For `push`: the new subscription after the browser renewed the old one. */ subscription?: { endpoint: string; expirationTime?: (number | null) | undefined; keys: { p256dh: string; auth: string } } | undefined; 
/** For `webhook`: the new body of its messages, also of queued ones; `null`: the usual body. It is in no answer. */ bodyTemplate?: (string | null) | undefined };
export type NotificationsUpdateOutput = NotificationChannel;

/** DELETE /api/notification-channels/{id}: Remove a channel. */ 
export type NotificationsRemoveInput = { 
/** The channel. */ id: string };
export type NotificationsRemoveOutput = { deleted: boolean };

/** POST /api/notification-channels/{id}/rotate-secret: Rotate the secret of a webhook. */ 
export type NotificationsRotateInput = { 
/** The channel. */ id: string };
export type NotificationsRotateOutput = CreatedNotificationChannel;

/** POST /api/notification-channels/{id}/test: Send a test. */ 
export type NotificationsTestInput = { 
/** The channel. */ id: string };
export type NotificationsTestOutput = { 
/** Its row in the delivery log shows the outcome. */ deliveryId: string };

/** POST /api/notification-channels/{id}/replay: Replay a span. */ 
export type NotificationsReplaySpanInput = { 
/** The channel. */ id: string; from: string; to: string };
export type NotificationsReplaySpanOutput = { queued: number };

/** GET /api/notification-deliveries: Read the delivery log. */ 
export type NotificationsDeliveriesInput = { 
/** Most rows to return; 50 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined; 
/** Only those of this channel. */ channelId?: string | undefined; 
/** Only those in this status. */ status?: ("waiting" | "delivered" | "expired" | "refused") | undefined };
export type NotificationsDeliveriesOutput = NotificationDelivery[];

/** POST /api/notification-deliveries/{id}/replay: Replay a notification. */ 
export type NotificationsReplayInput = { 
/** The delivery. */ id: string };
export type NotificationsReplayOutput = { 
/** Its row in the delivery log shows the outcome. */ deliveryId: string };

/** GET /api/audit: Read the audit trail. */ 
export type AuditListInput = { 
/** Most rows to return; 100 by default. */ limit?: number | undefined; 
/** From the `Link` of the page before. */ cursor?: string | undefined };
export type AuditListOutput = AuditEvent[];

/** GET /api/audit/head: Read the head of the ledger. */ 
export type AuditHeadInput = Record<string, never>;
export type AuditHeadOutput = LedgerHead;

/** POST /api/careers: Send an application. */ 
export type CareersSendInput = { name: string; email: string; role?: string | undefined; message: string; links?: string[] | undefined };
export type CareersSendOutput = { received: boolean; id: string };

/** `events`. */ 
export type EventsInput = { lastEventId?: (string | null) | undefined; blueprintIds?: string[] | undefined };

/** GET /api/events: Follow the events of the account. */ 
export type EventStreamInput = { 
/** Resume after this event; the header `Last-Event-ID` takes precedence. From now on by default. */ lastEventId?: string | undefined; 
/** Only events of these kinds, with commas between. All the key may read by default. */ kinds?: string | undefined; 
/** Only events about this blueprint. */ blueprintId?: string | undefined };
export type EventStreamOutput = string;

/** GET /api/stream: Follow prices, order books and node values. */ 
export type ValueStreamInput = { 
/** Instruments whose prices are sent: up to 20 ids with commas between. */ prices?: string | undefined; 
/** Instruments whose order books are sent: up to 5 ids with commas between. */ books?: string | undefined; 
/** Blueprints whose node values are sent: up to 5 ids with commas between. */ blueprints?: string | undefined };
export type ValueStreamOutput = string;

/** `console.accessRequest`. */ 
export type ConsoleAccessRequestInput = { request: string };
export type ConsoleAccessRequestOutput = { name: string; registeredAt: string; host: string; scopes: ("blueprints:read" | "blueprints:write" | "blueprints:deploy" | "orders:read" | "orders:write" | "portfolio:read" | "portfolio:write" | "risk:read" | "risk:write" | "market_data:read" | "orders:place" | "notifications:read" | "signals:read")[]; problem: string | null; declineTo: string };

/** `console.account`. */ 
export type ConsoleAccountInput = Record<string, never>;
export type ConsoleAccountOutput = { asOf: string; runningBlueprints: number; openPositions: number; pendingOrders: number; totalPnl: number; equity: number; cash: number; worth: number; realizedPnl: number; unrealizedPnl: number; dayPnl: number; positions: Position[]; strategies: { blueprintId: string; realizedPnl: number; unrealizedPnl: number; totalPnl: number; fees: number; fills: number; lastFillAt: string }[]; limits: { rule: string; limit: number; used: number | null; headroom: number | null; note?: string | undefined }[]; suspension: { since: string; reason: string } | null; mode: "paper" | "live" };

/** `console.activity`. */ 
export type ConsoleActivityInput = { limit?: number | undefined; before?: { at: string; id: string } | undefined; about?: ("trades" | "strategies" | "risk" | "venues" | "access") | undefined; find?: string | undefined; from?: string | undefined; to?: string | undefined };
export type ConsoleActivityOutput = AuditEvent[];

/** `console.approval`. */ 
export type ConsoleApprovalInput = { id: string };
export type ConsoleApprovalOutput = { decidedAt: string; rulesVersion: number; 
/** Constraints checked before every order of the account. */ rules: RiskRules; lines: { rule: string; limit: number; actual: number | null; headroom: number | null; verdict: "pass" | "wait" | "deny" | "skipped"; note?: string | undefined }[]; marks: { tokenId: string; amount: number; price: number | null; asOf: string | null; ageSec: number | null }[]; terms: { mode: "paper" | "live"; venue: "venue-a" | "venue-b" | "crypto"; connection: { label: string; environment: "demo" | "testnet" | "live" } | null; worstCost: number } };

/** `console.backtestPicture`. */ 
export type ConsoleBacktestPictureInput = { id: string };
export type ConsoleBacktestPictureOutput = { equity: { at: string; equity: number; drawdown: number }[]; hold: { at: string; equity: number }[]; instruments: { tokenId: string; candles: { at: string; open: number; high: number; low: number; close: number; volume: number | null }[]; fills: { at: string; side: "buy" | "sell"; price: number }[]; fillCount: number }[]; bins: { from: number; to: number; count: number }[]; nodeLabels: { nodeId: string; label: string }[] };

/** `console.backtestStep`. */ 
export type ConsoleBacktestStepInput = { id: string; at: string };
export type ConsoleBacktestStepOutput = { at: string; 
/** Any JSON value. */ visual: unknown; 
/** Any JSON value. */ nodes: unknown; positions: { tokenId: string; amount: number }[]; openOrders: number };

/** `console.backtestTrades`. */ 
export type ConsoleBacktestTradesInput = { id: string; from: number; limit: number };
export type ConsoleBacktestTradesOutput = BacktestTrade[];

/** `console.blueprint`. */ 
export type ConsoleBlueprintInput = { 
/** The blueprint. */ id: string };
export type ConsoleBlueprintOutput = { id: string; name: string; status: "draft" | "running" | "error" | "stopped"; 
/** Set by deploy. */ deploymentId: string | null; 
/** The graph: any JSON value. */ visual: unknown; 
/** State per node of the latest deployment. */ nodeStates: unknown; 
/** The failure, its node, and the remedy. */ error: string | null; createdAt: string; updatedAt: string; version: number };

/** `console.blueprints`. */ 
export type ConsoleBlueprintsInput = { 
/** 1 to 32 characters after trimming, no control characters. */ tag?: string | undefined };
export type ConsoleBlueprintsOutput = { id: string; name: string; status: "draft" | "running" | "error" | "stopped"; deploymentId: string | null; error: string | null; updatedAt: string; tags: string[]; isSample: boolean }[];

/** `console.candles`. */ 
export type ConsoleCandlesInput = { symbol: string; interval: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M"; before: string };
export type ConsoleCandlesOutput = { t: string; o: number; h: number; l: number; c: number; v: number }[];

/** `console.closedTrades`. */ 
export type ConsoleClosedTradesInput = { 
/** The blueprint. */ id: string; limit?: number | undefined; find?: string | undefined; from?: string | undefined; to?: string | undefined; isAscending?: boolean | undefined; sort?: ("left" | "entered" | "held" | "result" | "return") | undefined; after?: string | undefined };
export type ConsoleClosedTradesOutput = { count: number; rows: { id: string; tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; openedAt: string; closedAt: string; entryPrice: number; exitPrice: number | null; fees: number; pnl: number; bought: number; leaving: ({ kind: "settled"; value: number } | { kind: "sold"; origin: "order" | "close" | "exit" | "manual"; nodeId: string | null; orderId: string }) | null }[] };

/** `console.connecting`. */ 
export type ConsoleConnectingInput = Record<string, never>;
export type ConsoleConnectingOutput = { isLiveOn: boolean; keepsCredentials: boolean; venues: { venue: "venue-a" | "venue-b" | "crypto"; environments: ("demo" | "testnet" | "live")[]; credentials: Record<string, unknown> }[] };

/** `console.curve`. */ 
export type ConsoleCurveInput = { blueprintId: string | null; range: "1d" | "1w" | "1m" | "all" };
export type ConsoleCurveOutput = { statistics: Statistics; points: { at: string; equity: number; drawdown: number }[]; totalPnl: number };

/** `console.days`. */ 
export type ConsoleDaysInput = Record<string, never>;
export type ConsoleDaysOutput = { before: number; days: { day: string; pnl: number }[] };

/** `console.deliveries`. */ 
export type ConsoleDeliveriesInput = { limit?: number | undefined; before?: { at: string; id: string } | undefined; channelId?: string | undefined; status?: ("waiting" | "delivered" | "expired" | "refused") | undefined };
export type ConsoleDeliveriesOutput = NotificationDelivery[];

/** `console.demoConnections`. */ 
export type ConsoleDemoConnectionsInput = Record<string, never>;
export type ConsoleDemoConnectionsOutput = { venue: "venue-a" | "venue-b" | "crypto"; environment: "demo"; label: string; credentials: Record<string, unknown> }[];

/** `console.deployUntried`. */ 
export type ConsoleDeployUntriedInput = { 
/** The blueprint. */ id: string; version: number };
export type ConsoleDeployUntriedOutput = Blueprint;

/** `console.entrance`. */ 
export type ConsoleEntranceInput = Record<string, never>;
export type ConsoleEntranceOutput = { signUp: boolean; providers: string[]; prices: "simulator" | "live"; demo: boolean; demoSignIn: boolean; mail: boolean };

/** `console.fills`. */ 
export type ConsoleFillsInput = { 
/** The blueprint. */ id: string; limit?: number | undefined; find?: string | undefined; from?: string | undefined; to?: string | undefined; isAscending?: boolean | undefined; side?: ("buy" | "sell") | undefined; after?: string | undefined };
export type ConsoleFillsOutput = { id: string; orderId: string | null; at: string; kind: "trade" | "settlement" | "write_off" | "reversal" | "adjustment" | "netting"; tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; side: "buy" | "sell"; amount: number; price: number; fee: number }[];

/** `console.firings`. */ 
export type ConsoleFiringsInput = { 
/** The blueprint. */ id: string; limit?: number | undefined; find?: string | undefined; from?: string | undefined; to?: string | undefined; isAscending?: boolean | undefined; nodeId?: string | undefined; after?: string | undefined };
export type ConsoleFiringsOutput = { id: string; nodeId: string; nodeLabel: string | null; at: string; origin: "order" | "close" | "exit" | "manual"; side: "buy" | "sell"; amount: number; tokenId: string; title: string; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; reason: string | null }[];

/** `console.flatten`. */ 
export type ConsoleFlattenInput = { positions: { tokenId: string; amount: number }[] };
export type ConsoleFlattenOutput = { tokenId: string; amount: number; intentId: string | null; status: ("denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected") | null; refusal: { code: string; message: string } | null }[];

/** `console.grantAccess`. */ 
export type ConsoleGrantAccessInput = { request: string; name: string; scopes: ("blueprints:read" | "blueprints:write" | "blueprints:deploy" | "orders:read" | "orders:write" | "portfolio:read" | "portfolio:write" | "risk:read" | "risk:write" | "market_data:read" | "orders:place" | "notifications:read" | "signals:read")[]; lifetimeDays: number; 
/** Spending limits of its orders, and of the orders of its deployments. Cannot be changed. */ envelope?: { 
/** USD. A larger buy is denied. Absent: only the risk rules bound it. */ maxOrder?: number | undefined; 
/** USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied. */ maxDay?: number | undefined; 
/** The blueprints it may trade for; absent: all. */ blueprintIds?: string[] | undefined; 
/** Every order of the key waits for a person’s approval, however small. The key itself approves none. */ alwaysApprove?: true | undefined; 
/** Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused. */ allowsUntried?: true | undefined } | undefined };
export type ConsoleGrantAccessOutput = { redirectTo: string };

/** `console.histories`. */ 
export type ConsoleHistoriesInput = { venue: "venue-a" | "venue-b"; refs: string[]; interval: "1d" | "1w" | "1m" | "all" };
export type ConsoleHistoriesOutput = { ref: string; points: { t: string; p: number }[] | null }[];

/** `console.indicators`. */ 
export type ConsoleIndicatorsInput = { 
/** The blueprint. */ id: string; tokenId: string; from: string; stepSec: number; count: number };
export type ConsoleIndicatorsOutput = { nodeId: string; name: string; isPrice: boolean; points: { at: string; value: number }[] }[];

/** `console.instruments`. */ 
export type ConsoleInstrumentsInput = { find: "" | string } | { tokenIds: string[] };
export type ConsoleInstrumentsOutput = { instruments: { tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; outcome: string; status: "unopened" | "open" | "paused" | "closed" | "settled"; bid: number | null; ask: number | null; last: number | null; change24h: number | null; volume24h: number | null; tickSize: number | null; closesAt: string | null }[]; silent: ("venue-a" | "venue-b" | "crypto")[] };

/** `console.leave`. */ 
export type ConsoleLeaveInput = { password: string };
export type ConsoleLeaveOutput = null;

/** `console.market`. */ 
export type ConsoleMarketInput = { tokenId: string };
export type ConsoleMarketOutput = { tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; outcome: string; status: "open" | "paused" | "closed" | "settled"; tradable: boolean; tickSize: number; stepSize: number; minSize: number; closesAt: string | null; bids: { price: number; size: number }[]; asks: { price: number; size: number }[]; asOf: string; now: string };

/** `console.nodeTypes`. */ 
export type ConsoleNodeTypesInput = Record<string, never>;
export type ConsoleNodeTypesOutput = { types: { type: string; group: string; title: string; help: string; inputs: { name: string; kind: "number" | "boolean"; help: string; 
/** The port exists only while this setting has one of these values. */ when?: { setting: string; in: string[] } | undefined; required: boolean; 
/** Whether several edges may end at this port. */ many: boolean }[]; outputs: { name: string; kind: "number" | "boolean"; help: string; 
/** The port exists only while this setting has one of these values. */ when?: { setting: string; in: string[] } | undefined }[]; 
/** JSON Schema of the node’s config. */ config: unknown; delays: boolean; trades: boolean }[]; notes: string[] };

/** `console.nodeValues`. */ 
export type ConsoleNodeValuesInput = { ids: string[] };
export type ConsoleNodeValuesOutput = { id: string; 
/** Any JSON value. */ nodeStates: unknown }[];

/** `console.operator.accounts`. */ 
export type ConsoleOperatorAccountsInput = { limit?: number | undefined; find?: string | undefined; before?: { createdAt: string; id: string } | undefined };
export type ConsoleOperatorAccountsOutput = { rows: { id: string; email: string | null; name: string | null; createdAt: string; isMoving: boolean; suspendedAt: string | null; suspensionReason: string | null; lastSeenAt: string | null; sessions: number; running: number; keys: number; connections: number; blueprints: number; graphBytes: number; limits: { blueprints: number; graphBytes: number; keys: number } }[] };

/** `console.operator.drain`. */ 
export type ConsoleOperatorDrainInput = { processId: string; isDraining: boolean };
export type ConsoleOperatorDrainOutput = null;

/** `console.operator.endSessions`. */ 
export type ConsoleOperatorEndSessionsInput = { accountId: string; reason: string };
export type ConsoleOperatorEndSessionsOutput = { ended: number };

/** `console.operator.operations`. */ 
export type ConsoleOperatorOperationsInput = Record<string, never>;
export type ConsoleOperatorOperationsOutput = { version: string; queues: { name: string; waiting: number; running: number; oldestSec: number | null }[]; processes: { id: string; role: string; version: string; host: string; startedAt: string; seenAt: string; isAlive: boolean; drainsSince: string | null; shards: number; connections: number }[]; commands: { name: string; endedAt: string | null; isOk: boolean | null; lastOkAt: string | null }[]; database: { bytes: number; version: string; connections: number; isArchived: boolean; archivedAt: string | null; isArchiveFailing: boolean } };

/** `console.operator.resume`. */ 
export type ConsoleOperatorResumeInput = { accountId: string; reason: string };
export type ConsoleOperatorResumeOutput = null;

/** `console.operator.setLimits`. */ 
export type ConsoleOperatorSetLimitsInput = { accountId: string; reason: string; limits: { blueprints: number; graphBytes: number; keys: number } };
export type ConsoleOperatorSetLimitsOutput = null;

/** `console.operator.suspend`. */ 
export type ConsoleOperatorSuspendInput = { accountId: string; reason: string };
export type ConsoleOperatorSuspendOutput = null;

/** `console.order`. */ 
export type ConsoleOrderInput = { 
/** The order, or order intent. */ id: string };
export type ConsoleOrderOutput = { id: string; blueprintId: string; deploymentId: string | null; releaseNumber: number | null; nodeId: string | null; 
/** The kind of node that raised it, or `manual`: a person or key did. */ origin: "order" | "close" | "exit" | "manual"; tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; 
/** The source of the prices of its decision: simulated or live. Null for orders older than this field. */ priceSource: ("simulator" | "live") | null; side: "buy" | "sell"; type: "market" | "limit"; timeInForce: "gtc" | "gtx" | "ioc" | "fok"; 
/** Quantity: contracts, shares or base coin. */ amount: number; 
/** The worst acceptable price; for a market order its price band. */ limitPrice: number; 
/** USD. Notional that the rules evaluated. */ size: number; 
/** USD. */ worstFee: number; filledAmount: number; averagePrice: number | null; 
/** USD paid. */ fees: number; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; reasonCode: string | null; reason: string | null; 
/** The measured values and verdict of each rule. */ receipt: RiskReceipt; 
/** The second check, at approval. */ approvalReceipt: RiskReceipt | null; 
/** Node values that led to it, with their times. */ inputs: unknown; 
/** The quote at the decision. */ decidedQuote: unknown; preapprovedRelease: number | null; approvedBy: string | null; cancelRequestedAt: string | null; createdAt: string; updatedAt: string; queuedAt: string | null; submittedAt: string | null; endedAt: string | null; expiresAt: string | null; version: number; allocations: { positionId: string; blueprintId: string; amount: number; filledAmount: number }[]; fills: { id: string; amount: number; price: number; fee: number; at: string }[]; timeline: { status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; from: ("denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected") | null; at: string; actor: string; reason: string | null }[]; canCancel: boolean; nodeLabels: { nodeId: string; label: string }[] };

/** `console.orders`. */ 
export type ConsoleOrdersInput = { limit?: number | undefined; status?: ("denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected") | undefined; side?: ("buy" | "sell") | undefined; blueprintId?: string | undefined; find?: string | undefined; from?: string | undefined; to?: string | undefined; sort?: ("newest" | "oldest" | "largest" | "smallest") | undefined; after?: string | undefined };
export type ConsoleOrdersOutput = { createdAt: string; id: string; status: "denied" | "pending" | "queued" | "submitted" | "unknown" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "declined" | "rejected"; side: "buy" | "sell"; type: "market" | "limit"; venue: "venue-a" | "venue-b" | "crypto"; tokenId: string; title: string; amount: number; filledAmount: number; limitPrice: number; averagePrice: number | null; size: number; blueprintId: string; blueprintName: string; reason: string | null; nodeId: string | null; nodeLabel: string | null; expiresAt: string | null; isOpen: boolean }[];

/** `console.paperRun`. */ 
export type ConsolePaperRunInput = { 
/** The blueprint. */ id: string };
export type ConsolePaperRunOutput = { longestMs: number; neededMs: number; hasBothSides: boolean; isMissing: boolean };

/** `console.prices`. */ 
export type ConsolePricesInput = Record<string, never>;
export type ConsolePricesOutput = { source: "simulator" | "live"; traded: (("simulator" | "live") | null)[] };

/** `console.renameKey`. */ 
export type ConsoleRenameKeyInput = { id: string; name: string };
export type ConsoleRenameKeyOutput = null;

/** `console.resetPaper`. */ 
export type ConsoleResetPaperInput = Record<string, never>;
export type ConsoleResetPaperOutput = { cash: number; moved: number };

/** `console.rules`. */ 
export type ConsoleRulesInput = Record<string, never>;
export type ConsoleRulesOutput = { rules: { name: "maxOrderSize" | "maxDailyLoss" | "maxOpenPositions" | "maxOrdersPerMinute" | "cooldownAfterLossSec" | "requireApprovalAbove"; title: string; unit: "USD" | "instruments" | "orders" | "seconds" | "units"; phrase?: string | undefined; usageTitle?: string | undefined; help: string; isWhole: boolean; looser: "higher" | "lower"; breach: "deny" | "wait" }[]; optional: { name: "maxPositionSize" | "maxVenueExposure" | "maxGrossExposure" | "maxBlueprintBudget" | "maxDrawdown"; title: string; unit: "USD" | "instruments" | "orders" | "seconds" | "units"; phrase?: string | undefined; usageTitle?: string | undefined; help: string }[]; others: { name: string; title: string; unit: "USD" | "instruments" | "orders" | "seconds" | "units"; phrase?: string | undefined; usageTitle?: string | undefined }[] };

/** `console.sample`. */ 
export type ConsoleSampleInput = Record<string, never>;
export type ConsoleSampleOutput = { id: string };

/** `console.seriesMembers`. */ 
export type ConsoleSeriesMembersInput = { series: string; venue: "venue-a" | "venue-b"; outcome: string };
export type ConsoleSeriesMembersOutput = { tokenIds: string[]; problem: string | null };

/** `console.sessions`. */ 
export type ConsoleSessionsInput = Record<string, never>;
export type ConsoleSessionsOutput = { id: string; startedAt: string; seenAt: string; address: string | null; agent: string | null; isCurrent: boolean }[];

/** `console.share`. */ 
export type ConsoleShareInput = { blueprintId: string; days: number };
export type ConsoleShareOutput = { id: string; createdAt: string; expiresAt: string; token: string };

/** `console.shared`. */ 
export type ConsoleSharedInput = { token: string };
export type ConsoleSharedOutput = { name: string; 
/** Any JSON value. */ visual: unknown; expiresAt: string; catalogue: { types: { type: string; group: string; title: string; help: string; inputs: { name: string; kind: "number" | "boolean"; help: string; 
/** The port exists only while this setting has one of these values. */ when?: { setting: string; in: string[] } | undefined; required: boolean; 
/** Whether several edges may end at this port. */ many: boolean }[]; outputs: { name: string; kind: "number" | "boolean"; help: string; 
/** The port exists only while this setting has one of these values. */ when?: { setting: string; in: string[] } | undefined }[]; 
/** JSON Schema of the node’s config. */ config: unknown; delays: boolean; trades: boolean }[]; notes: string[] } };

/** `console.shareLinks`. */ 
export type ConsoleShareLinksInput = { blueprintId: string };
export type ConsoleShareLinksOutput = { id: string; createdAt: string; expiresAt: string }[];

/** `console.sparks`. */ 
export type ConsoleSparksInput = Record<string, never>;
export type ConsoleSparksOutput = { blueprintId: string; made: number[] }[];

/** `console.sweepChange`. */ 
export type ConsoleSweepChangeInput = { 
/** The sweep. */ id: string; number: number };
export type ConsoleSweepChangeOutput = { blueprint: { id: string; name: string; status: "draft" | "running" | "error" | "stopped"; 
/** Set by deploy. */ deploymentId: string | null; 
/** The graph: any JSON value. */ visual: unknown; 
/** State per node of the latest deployment. */ nodeStates: unknown; 
/** The failure, its node, and the remedy. */ error: string | null; createdAt: string; updatedAt: string; version: number }; values: { pointer: string; now: (number | string | boolean) | null; next: number | string | boolean }[]; edited: { added: string[]; removed: string[]; changed: string[]; edgesAdded: string[]; edgesRemoved: string[] } };

/** `console.sweepDrawing`. */ 
export type ConsoleSweepDrawingInput = { 
/** The sweep. */ id: string };
export type ConsoleSweepDrawingOutput = unknown;

/** `console.sweepGrid`. */ 
export type ConsoleSweepGridInput = { 
/** The sweep. */ id: string; x: number; y: number; metric: "score" | "totalReturn" | "sharpe" | "sortino" | "calmar" | "profitFactor" | "maxDrawdown" | "closed" };
export type ConsoleSweepGridOutput = { x: { first: number | string | boolean; last: number | string | boolean }[]; y: { first: number | string | boolean; last: number | string | boolean }[]; cells: { x: number; y: number; trials: number; median: number; best: number; bestNumber: number }[] };

/** `console.tagBlueprints`. */ 
export type ConsoleTagBlueprintsInput = { ids: string[]; 
/** Up to 10. Spellings of one word that differ only in case are one tag, as written first. */ add?: string[] | undefined; 
/** Up to 10. Spellings of one word that differ only in case are one tag, as written first. */ remove?: string[] | undefined };
export type ConsoleTagBlueprintsOutput = null;

/** `console.templates`. */ 
export type ConsoleTemplatesInput = Record<string, never>;
export type ConsoleTemplatesOutput = { key: string; group: "trend" | "reversion" | "prediction" | "orders" | "portfolio"; name: string; summary: string; risk: string; 
/** Any JSON value. */ visual: unknown; backtest: { from: string; to: string; markets: string[]; equity: number[]; buyAndHold: number | null; maxExposure: number; filled: number; verdicts: { code: string; severity: "info" | "warning" | "danger"; message: string; count?: number | undefined }[] } | null }[];

/** `console.toFlatten`. */ 
export type ConsoleToFlattenInput = { venue?: ("venue-a" | "venue-b" | "crypto") | undefined };
export type ConsoleToFlattenOutput = { tokenId: string; title: string; venue: "venue-a" | "venue-b" | "crypto"; amount: number; free: number; worth: number; stuck: string | null }[];

/** `console.trading`. */ 
export type ConsoleTradingInput = { 
/** The blueprint. */ id: string };
export type ConsoleTradingOutput = { instruments: { tokenId: string; venue: "venue-a" | "venue-b" | "crypto"; title: string; fills: { at: string; side: "buy" | "sell"; price: number }[]; fillCount: number; levels: { kind: "entry" | "stop" | "takeProfit" | "trailing" | "target"; price: number }[] }[]; steps: string[] };

/** `console.tryStep`. */ 
export type ConsoleTryStepInput = { 
/** The blueprint. */ id: string; nodeId?: string | undefined; 
/** The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it. */ visual?: unknown | undefined };
export type ConsoleTryStepOutput = { issues: { nodeId: string | null; code: string; message: string }[]; nodes: { nodeId: string; state: { status: "idle" | "waiting" | "stale" | "ok" | "fired" | "blocked" | "missed" | "error"; value: number | boolean | null; reason?: { code: string; message: string } | undefined } }[]; orders: { side: "buy" | "sell"; tokenId: string; type: "limit" | "market"; amount: number; limitPrice: number | null; isDue: boolean; preview: { verdict: "queued" | "pending" | "denied"; limitPrice: number; size: number; worstFee: number; 
/** The measured values and verdict of each rule. */ receipt: RiskReceipt; denial: { message: string } | null } | null; refusal: { code: string; message: string } | null }[]; silence: { code: string; message: string } | null; texts: string[] };

/** `console.unshare`. */ 
export type ConsoleUnshareInput = { id: string };
export type ConsoleUnshareOutput = null;

/** `console.venues`. */ 
export type ConsoleVenuesInput = Record<string, never>;
export type ConsoleVenuesOutput = { id: "venue-a" | "venue-b" | "crypto"; tokenPattern: string }[];

/** `console.writeOff`. */ 
export type ConsoleWriteOffInput = { tokenId: string; blueprintId?: string | undefined };
export type ConsoleWriteOffOutput = { reason: string; valueMax: number } | null;

/** Every procedure by its name, as a client calls it. */
export type Procedures = { system: { 
/** GET /health: Liveness. */ health: Query<SystemHealthInput, SystemHealthOutput>; 
/** GET /health/ready: Readiness. */ ready: Query<SystemReadyInput, SystemReadyOutput> }; marketData: { 
/** GET /api/venue-a: Venue A search and lookup. */ venueA: Query<MarketDataVenueAInput, MarketDataVenueAOutput>; 
/** GET /api/venue-b: Venue B search and lookup. */ venueB: Query<MarketDataVenueBInput, MarketDataVenueBOutput>; 
/** GET /api/crypto: Crypto market data. */ crypto: Query<MarketDataCryptoInput, MarketDataCryptoOutput> }; history: { 
/** GET /api/history/coverage: Read the recorded data of an instrument. */ coverage: Query<HistoryCoverageInput, HistoryCoverageOutput>; 
/** POST /api/history/import: Import history of an instrument. */ import: Mutation<HistoryImportInput, HistoryImportOutput>; 
/** GET /api/history/imports: List imports of history and their progress. */ imports: Query<HistoryImportsInput, HistoryImportsOutput>; 
/** POST /api/history/imports/{id}/cancel: Cancel an import of history. */ cancelImport: Mutation<HistoryCancelImportInput, HistoryCancelImportOutput>; 
/** GET /api/history/export: Export the stored history of an instrument as Parquet. */ exportFile: Query<HistoryExportFileInput, HistoryExportFileOutput> }; blueprints: { 
/** GET /api/blueprints: List blueprints. */ list: PagedQuery<BlueprintsListInput, BlueprintsListOutput>; 
/** POST /api/blueprints: Create a blueprint. */ create: Mutation<BlueprintsCreateInput, BlueprintsCreateOutput>; 
/** POST /api/blueprints/stop: Stop everything. */ stopAll: Mutation<BlueprintsStopAllInput, BlueprintsStopAllOutput>; 
/** GET /api/blueprints/tags: List tags. */ tags: Query<BlueprintsTagsInput, BlueprintsTagsOutput>; 
/** POST /api/blueprints/validate: Check a graph. */ validateDrawing: Mutation<BlueprintsValidateDrawingInput, BlueprintsValidateDrawingOutput>; 
/** GET /api/blueprints/{id}: Read a blueprint. */ read: Query<BlueprintsReadInput, BlueprintsReadOutput>; 
/** PUT /api/blueprints/{id}: Update a blueprint. */ update: Mutation<BlueprintsUpdateInput, BlueprintsUpdateOutput>; 
/** DELETE /api/blueprints/{id}: Delete a blueprint. */ delete: Mutation<BlueprintsDeleteInput, BlueprintsDeleteOutput>; 
/** POST /api/blueprints/{id}/deploy: Deploy a blueprint. */ deploy: Mutation<BlueprintsDeployInput, BlueprintsDeployOutput>; 
/** POST /api/blueprints/{id}/redeploy: Replace a running blueprint. */ redeploy: Mutation<BlueprintsRedeployInput, BlueprintsRedeployOutput>; 
/** POST /api/blueprints/{id}/stop: Stop a blueprint. */ stop: Mutation<BlueprintsStopInput, BlueprintsStopOutput>; 
/** POST /api/blueprints/{id}/validate: Check a blueprint. */ validate: Mutation<BlueprintsValidateInput, BlueprintsValidateOutput>; 
/** POST /api/blueprints/{id}/explain: Explain a blueprint. */ explain: Mutation<BlueprintsExplainInput, BlueprintsExplainOutput>; 
/** GET /api/node-types: List node types. */ nodeTypes: Query<BlueprintsNodeTypesInput, BlueprintsNodeTypesOutput>; 
/** GET /api/blueprints/{id}/releases: List releases. */ releases: Query<BlueprintsReleasesInput, BlueprintsReleasesOutput>; 
/** GET /api/blueprints/{id}/releases/{n}: Read a release. */ release: Query<BlueprintsReleaseInput, BlueprintsReleaseOutput>; 
/** POST /api/blueprints/{id}/releases/{n}/restore: Restore a release. */ restore: Mutation<BlueprintsRestoreInput, BlueprintsRestoreOutput>; 
/** PUT /api/blueprints/{id}/tags: Tag a blueprint. */ setTags: Mutation<BlueprintsSetTagsInput, BlueprintsSetTagsOutput>; 
/** GET /api/blueprints/{id}/performance: Read a blueprint’s performance. */ performance: Query<BlueprintsPerformanceInput, BlueprintsPerformanceOutput>; 
/** GET /api/blueprints/{id}/statistics: Read a blueprint’s statistics. */ statistics: Query<BlueprintsStatisticsInput, BlueprintsStatisticsOutput> }; backtests: { 
/** GET /api/backtests: List backtests. */ list: PagedQuery<BacktestsListInput, BacktestsListOutput>; 
/** POST /api/backtests: Run a strategy over history. */ start: Mutation<BacktestsStartInput, BacktestsStartOutput>; 
/** GET /api/backtests/compare: Compare backtests. */ compare: Query<BacktestsCompareInput, BacktestsCompareOutput>; 
/** GET /api/backtests/{id}: Read a backtest. */ read: Query<BacktestsReadInput, BacktestsReadOutput>; 
/** PATCH /api/backtests/{id}: Note or pin a backtest. */ update: Mutation<BacktestsUpdateInput, BacktestsUpdateOutput>; 
/** DELETE /api/backtests/{id}: Delete a backtest. */ delete: Mutation<BacktestsDeleteInput, BacktestsDeleteOutput>; 
/** POST /api/backtests/{id}/cancel: Cancel a backtest. */ cancel: Mutation<BacktestsCancelInput, BacktestsCancelOutput>; 
/** GET /api/backtests/{id}/trades: The trades of a backtest. */ trades: PagedQuery<BacktestsTradesInput, BacktestsTradesOutput>; 
/** GET /api/backtests/{id}/orders: The orders of a backtest. */ orders: PagedQuery<BacktestsOrdersInput, BacktestsOrdersOutput>; 
/** GET /api/backtests/{id}/log: The log of a backtest. */ log: PagedQuery<BacktestsLogInput, BacktestsLogOutput>; 
/** GET /api/backtests/{id}/equity: The equity of a backtest. */ equity: Query<BacktestsEquityInput, BacktestsEquityOutput>; 
/** GET /api/backtests/{id}/report.html: The report of a backtest. */ report: Query<BacktestsReportInput, BacktestsReportOutput>; 
/** GET /api/backtests/{id}/trades.csv: The trades of a backtest as CSV. */ tradesFile: Query<BacktestsTradesFileInput, BacktestsTradesFileOutput>; 
/** GET /api/backtests/{id}/equity.csv: The equity of a backtest as CSV. */ equityFile: Query<BacktestsEquityFileInput, BacktestsEquityFileOutput>; 
/** GET /api/backtests/{id}/result.json: All of a backtest as JSON. */ resultFile: Query<BacktestsResultFileInput, BacktestsResultFileOutput> }; sweeps: { 
/** GET /api/sweeps: List sweeps. */ list: PagedQuery<SweepsListInput, SweepsListOutput>; 
/** POST /api/sweeps: Try a strategy with many values. */ start: Mutation<SweepsStartInput, SweepsStartOutput>; 
/** GET /api/sweeps/{id}: Read a sweep. */ read: Query<SweepsReadInput, SweepsReadOutput>; 
/** POST /api/sweeps/{id}/cancel: Cancel a sweep. */ cancel: Mutation<SweepsCancelInput, SweepsCancelOutput>; 
/** DELETE /api/sweeps/{id}: Delete a sweep. */ delete: Mutation<SweepsDeleteInput, SweepsDeleteOutput>; 
/** GET /api/sweeps/{id}/trials: The trials of a sweep. */ trials: PagedQuery<SweepsTrialsInput, SweepsTrialsOutput>; 
/** POST /api/sweeps/{id}/apply: Write a trial as draft. */ applyTrial: Mutation<SweepsApplyTrialInput, SweepsApplyTrialOutput> }; signals: { 
/** GET /api/signals: List signals. */ list: Query<SignalsListInput, SignalsListOutput>; 
/** POST /api/signals: Add a signal. */ create: Mutation<SignalsCreateInput, SignalsCreateOutput>; 
/** PATCH /api/signals/{name}: Change what a signal takes. */ update: Mutation<SignalsUpdateInput, SignalsUpdateOutput>; 
/** POST /api/signals/{name}: Send a value to a signal. */ send: Mutation<SignalsSendInput, SignalsSendOutput>; 
/** POST /api/signals/{name}/rotate-token: Rotate the token of a signal. */ rotate: Mutation<SignalsRotateInput, SignalsRotateOutput>; 
/** DELETE /api/signals/{name}: Remove a signal. */ remove: Mutation<SignalsRemoveInput, SignalsRemoveOutput> }; orders: { 
/** GET /api/orders: List orders. */ list: PagedQuery<OrdersListInput, OrdersListOutput>; 
/** POST /api/orders: Place an order. */ place: Mutation<OrdersPlaceInput, OrdersPlaceOutput>; 
/** GET /api/orders/{id}: Read an order. */ read: Query<OrdersReadInput, OrdersReadOutput>; 
/** POST /api/orders/{id}/approve: Approve an order intent. */ approve: Mutation<OrdersApproveInput, OrdersApproveOutput>; 
/** POST /api/orders/{id}/reject: Decline an order intent. */ reject: Mutation<OrdersRejectInput, OrdersRejectOutput>; 
/** POST /api/orders/{id}/cancel: Cancel an order. */ cancel: Mutation<OrdersCancelInput, OrdersCancelOutput> }; portfolio: { 
/** GET /api/portfolio: Portfolio summary. */ summary: Query<PortfolioSummaryInput, PortfolioSummaryOutput>; 
/** GET /api/portfolio/positions: List positions. */ positions: Query<PortfolioPositionsInput, PortfolioPositionsOutput>; 
/** POST /api/portfolio/positions/close: Close part of a position. */ close: Mutation<PortfolioCloseInput, PortfolioCloseOutput>; 
/** POST /api/portfolio/positions/write-off: Write off a position that cannot be sold. */ writeOff: Mutation<PortfolioWriteOffInput, PortfolioWriteOffOutput>; 
/** GET /api/portfolio/history: Equity history. */ history: Query<PortfolioHistoryInput, PortfolioHistoryOutput>; 
/** GET /api/portfolio/statistics: Read the account’s statistics. */ statistics: Query<PortfolioStatisticsInput, PortfolioStatisticsOutput> }; riskRules: { 
/** GET /api/risk-rules: Read the risk rules. */ read: Query<RiskRulesReadInput, RiskRulesReadOutput>; 
/** PUT /api/risk-rules: Change the risk rules. */ update: Mutation<RiskRulesUpdateInput, RiskRulesUpdateOutput>; 
/** POST /api/risk-rules/preview: Preview an order. */ preview: Mutation<RiskRulesPreviewInput, RiskRulesPreviewOutput>; 
/** GET /api/risk-rules/usage: Read the usage of the risk rules. */ usage: Query<RiskRulesUsageInput, RiskRulesUsageOutput>; 
/** GET /api/risk-rules/optional: Read the optional risk rules. */ readOptional: Query<RiskRulesReadOptionalInput, RiskRulesReadOptionalOutput>; 
/** PUT /api/risk-rules/optional: Change the optional risk rules. */ updateOptional: Mutation<RiskRulesUpdateOptionalInput, RiskRulesUpdateOptionalOutput> }; apiKeys: { 
/** GET /api/api-keys: List keys. */ list: Query<ApiKeysListInput, ApiKeysListOutput>; 
/** POST /api/api-keys: Create a key. */ create: Mutation<ApiKeysCreateInput, ApiKeysCreateOutput>; 
/** POST /api/api-keys/{id}/rotate: Rotate a key. */ rotate: Mutation<ApiKeysRotateInput, ApiKeysRotateOutput>; 
/** DELETE /api/api-keys/{id}: Revoke a key. */ revoke: Mutation<ApiKeysRevokeInput, ApiKeysRevokeOutput> }; agentKeys: { 
/** GET /api/agent-keys: List keys with their spending limits. */ list: Query<AgentKeysListInput, AgentKeysListOutput>; 
/** POST /api/agent-keys: Create a key with spending limits. */ create: Mutation<AgentKeysCreateInput, AgentKeysCreateOutput> }; venueConnections: { 
/** GET /api/venue-connections: List connections. */ list: Query<VenueConnectionsListInput, VenueConnectionsListOutput>; 
/** POST /api/venue-connections: Connect an account at a venue. */ create: Mutation<VenueConnectionsCreateInput, VenueConnectionsCreateOutput>; 
/** GET /api/venue-connections/{id}: Read a connection. */ read: Query<VenueConnectionsReadInput, VenueConnectionsReadOutput>; 
/** PATCH /api/venue-connections/{id}: Rename a connection or set its limits. */ update: Mutation<VenueConnectionsUpdateInput, VenueConnectionsUpdateOutput>; 
/** DELETE /api/venue-connections/{id}: Remove a connection. */ remove: Mutation<VenueConnectionsRemoveInput, VenueConnectionsRemoveOutput>; 
/** POST /api/venue-connections/{id}/check: Check a connection again. */ check: Mutation<VenueConnectionsCheckInput, VenueConnectionsCheckOutput>; 
/** POST /api/venue-connections/{id}/halt: Halt a connection. */ halt: Mutation<VenueConnectionsHaltInput, VenueConnectionsHaltOutput>; 
/** POST /api/venue-connections/{id}/resume: Resume a connection. */ resume: Mutation<VenueConnectionsResumeInput, VenueConnectionsResumeOutput>; 
/** POST /api/venue-connections/{id}/cancel-all: Cancel every order of the venue account. */ cancelAll: Mutation<VenueConnectionsCancelAllInput, VenueConnectionsCancelAllOutput>; 
/** POST /api/venue-connections/cancel-all: Cancel every order at every venue. */ cancelEverywhere: Mutation<VenueConnectionsCancelEverywhereInput, VenueConnectionsCancelEverywhereOutput>; 
/** POST /api/venue-connections/{id}/rotate: Rotate the credentials. */ rotate: Mutation<VenueConnectionsRotateInput, VenueConnectionsRotateOutput>; 
/** GET /api/venue-connections/{id}/differences: List differences between a venue account and its books. */ differences: Query<VenueConnectionsDifferencesInput, VenueConnectionsDifferencesOutput>; 
/** POST /api/venue-connections/{id}/differences/{differenceId}/resolve: Resolve a difference. */ resolveDifference: Mutation<VenueConnectionsResolveDifferenceInput, VenueConnectionsResolveDifferenceOutput> }; account: { 
/** GET /api/account/export: Export the stored data of the account. */ export: Query<AccountExportInput, AccountExportOutput> }; exports: { 
/** GET /api/exports: Export a table of the account as Parquet. */ read: Query<ExportsReadInput, ExportsReadOutput> }; notifications: { 
/** GET /api/notification-options: Read the kinds of notifications and channels. */ options: Query<NotificationsOptionsInput, NotificationsOptionsOutput>; 
/** GET /api/notification-channels: List channels. */ list: Query<NotificationsListInput, NotificationsListOutput>; 
/** POST /api/notification-channels: Add a channel. */ create: Mutation<NotificationsCreateInput, NotificationsCreateOutput>; 
/** GET /api/notification-channels/{id}: Read a channel. */ read: Query<NotificationsReadInput, NotificationsReadOutput>; 
/** PATCH /api/notification-channels/{id}: Change a channel. */ update: Mutation<NotificationsUpdateInput, NotificationsUpdateOutput>; 
/** DELETE /api/notification-channels/{id}: Remove a channel. */ remove: Mutation<NotificationsRemoveInput, NotificationsRemoveOutput>; 
/** POST /api/notification-channels/{id}/rotate-secret: Rotate the secret of a webhook. */ rotate: Mutation<NotificationsRotateInput, NotificationsRotateOutput>; 
/** POST /api/notification-channels/{id}/test: Send a test. */ test: Mutation<NotificationsTestInput, NotificationsTestOutput>; 
/** POST /api/notification-channels/{id}/replay: Replay a span. */ replaySpan: Mutation<NotificationsReplaySpanInput, NotificationsReplaySpanOutput>; 
/** GET /api/notification-deliveries: Read the delivery log. */ deliveries: PagedQuery<NotificationsDeliveriesInput, NotificationsDeliveriesOutput>; 
/** POST /api/notification-deliveries/{id}/replay: Replay a notification. */ replay: Mutation<NotificationsReplayInput, NotificationsReplayOutput> }; audit: { 
/** GET /api/audit: Read the audit trail. */ list: PagedQuery<AuditListInput, AuditListOutput>; 
/** GET /api/audit/head: Read the head of the ledger. */ head: Query<AuditHeadInput, AuditHeadOutput> }; careers: { 
/** POST /api/careers: Send an application. */ send: Mutation<CareersSendInput, CareersSendOutput> }; 
/** `events`. */ events: Subscription<EventsInput, LiveEvent>; 
/** GET /api/events: Follow the events of the account. */ eventStream: Query<EventStreamInput, EventStreamOutput>; 
/** GET /api/stream: Follow prices, order books and node values. */ valueStream: Query<ValueStreamInput, ValueStreamOutput>; console: { 
/** `console.accessRequest`. */ accessRequest: Query<ConsoleAccessRequestInput, ConsoleAccessRequestOutput>; 
/** `console.account`. */ account: Query<ConsoleAccountInput, ConsoleAccountOutput>; 
/** `console.activity`. */ activity: Query<ConsoleActivityInput, ConsoleActivityOutput>; 
/** `console.approval`. */ approval: Query<ConsoleApprovalInput, ConsoleApprovalOutput>; 
/** `console.backtestPicture`. */ backtestPicture: Query<ConsoleBacktestPictureInput, ConsoleBacktestPictureOutput>; 
/** `console.backtestStep`. */ backtestStep: Query<ConsoleBacktestStepInput, ConsoleBacktestStepOutput>; 
/** `console.backtestTrades`. */ backtestTrades: Query<ConsoleBacktestTradesInput, ConsoleBacktestTradesOutput>; 
/** `console.blueprint`. */ blueprint: Query<ConsoleBlueprintInput, ConsoleBlueprintOutput>; 
/** `console.blueprints`. */ blueprints: Query<ConsoleBlueprintsInput, ConsoleBlueprintsOutput>; 
/** `console.candles`. */ candles: Query<ConsoleCandlesInput, ConsoleCandlesOutput>; 
/** `console.closedTrades`. */ closedTrades: Query<ConsoleClosedTradesInput, ConsoleClosedTradesOutput>; 
/** `console.connecting`. */ connecting: Query<ConsoleConnectingInput, ConsoleConnectingOutput>; 
/** `console.curve`. */ curve: Query<ConsoleCurveInput, ConsoleCurveOutput>; 
/** `console.days`. */ days: Query<ConsoleDaysInput, ConsoleDaysOutput>; 
/** `console.deliveries`. */ deliveries: Query<ConsoleDeliveriesInput, ConsoleDeliveriesOutput>; 
/** `console.demoConnections`. */ demoConnections: Query<ConsoleDemoConnectionsInput, ConsoleDemoConnectionsOutput>; 
/** `console.deployUntried`. */ deployUntried: Mutation<ConsoleDeployUntriedInput, ConsoleDeployUntriedOutput>; 
/** `console.entrance`. */ entrance: Query<ConsoleEntranceInput, ConsoleEntranceOutput>; 
/** `console.fills`. */ fills: Query<ConsoleFillsInput, ConsoleFillsOutput>; 
/** `console.firings`. */ firings: Query<ConsoleFiringsInput, ConsoleFiringsOutput>; 
/** `console.flatten`. */ flatten: Mutation<ConsoleFlattenInput, ConsoleFlattenOutput>; 
/** `console.grantAccess`. */ grantAccess: Mutation<ConsoleGrantAccessInput, ConsoleGrantAccessOutput>; 
/** `console.histories`. */ histories: Query<ConsoleHistoriesInput, ConsoleHistoriesOutput>; 
/** `console.indicators`. */ indicators: Query<ConsoleIndicatorsInput, ConsoleIndicatorsOutput>; 
/** `console.instruments`. */ instruments: Query<ConsoleInstrumentsInput, ConsoleInstrumentsOutput>; 
/** `console.leave`. */ leave: Mutation<ConsoleLeaveInput, ConsoleLeaveOutput>; 
/** `console.market`. */ market: Query<ConsoleMarketInput, ConsoleMarketOutput>; 
/** `console.nodeTypes`. */ nodeTypes: Query<ConsoleNodeTypesInput, ConsoleNodeTypesOutput>; 
/** `console.nodeValues`. */ nodeValues: Query<ConsoleNodeValuesInput, ConsoleNodeValuesOutput>; operator: { 
/** `console.operator.accounts`. */ accounts: Query<ConsoleOperatorAccountsInput, ConsoleOperatorAccountsOutput>; 
/** `console.operator.drain`. */ drain: Mutation<ConsoleOperatorDrainInput, ConsoleOperatorDrainOutput>; 
/** `console.operator.endSessions`. */ endSessions: Mutation<ConsoleOperatorEndSessionsInput, ConsoleOperatorEndSessionsOutput>; 
/** `console.operator.operations`. */ operations: Query<ConsoleOperatorOperationsInput, ConsoleOperatorOperationsOutput>; 
/** `console.operator.resume`. */ resume: Mutation<ConsoleOperatorResumeInput, ConsoleOperatorResumeOutput>; 
/** `console.operator.setLimits`. */ setLimits: Mutation<ConsoleOperatorSetLimitsInput, ConsoleOperatorSetLimitsOutput>; 
/** `console.operator.suspend`. */ suspend: Mutation<ConsoleOperatorSuspendInput, ConsoleOperatorSuspendOutput> }; 
/** `console.order`. */ order: Query<ConsoleOrderInput, ConsoleOrderOutput>; 
/** `console.orders`. */ orders: Query<ConsoleOrdersInput, ConsoleOrdersOutput>; 
/** `console.paperRun`. */ paperRun: Query<ConsolePaperRunInput, ConsolePaperRunOutput>; 
/** `console.prices`. */ prices: Query<ConsolePricesInput, ConsolePricesOutput>; 
/** `console.renameKey`. */ renameKey: Mutation<ConsoleRenameKeyInput, ConsoleRenameKeyOutput>; 
/** `console.resetPaper`. */ resetPaper: Mutation<ConsoleResetPaperInput, ConsoleResetPaperOutput>; 
/** `console.rules`. */ rules: Query<ConsoleRulesInput, ConsoleRulesOutput>; 
/** `console.sample`. */ sample: Mutation<ConsoleSampleInput, ConsoleSampleOutput>; 
/** `console.seriesMembers`. */ seriesMembers: Query<ConsoleSeriesMembersInput, ConsoleSeriesMembersOutput>; 
/** `console.sessions`. */ sessions: Query<ConsoleSessionsInput, ConsoleSessionsOutput>; 
/** `console.share`. */ share: Mutation<ConsoleShareInput, ConsoleShareOutput>; 
/** `console.shared`. */ shared: Mutation<ConsoleSharedInput, ConsoleSharedOutput>; 
/** `console.shareLinks`. */ shareLinks: Query<ConsoleShareLinksInput, ConsoleShareLinksOutput>; 
/** `console.sparks`. */ sparks: Query<ConsoleSparksInput, ConsoleSparksOutput>; 
/** `console.sweepChange`. */ sweepChange: Query<ConsoleSweepChangeInput, ConsoleSweepChangeOutput>; 
/** `console.sweepDrawing`. */ sweepDrawing: Query<ConsoleSweepDrawingInput, ConsoleSweepDrawingOutput>; 
/** `console.sweepGrid`. */ sweepGrid: Query<ConsoleSweepGridInput, ConsoleSweepGridOutput>; 
/** `console.tagBlueprints`. */ tagBlueprints: Mutation<ConsoleTagBlueprintsInput, ConsoleTagBlueprintsOutput>; 
/** `console.templates`. */ templates: Query<ConsoleTemplatesInput, ConsoleTemplatesOutput>; 
/** `console.toFlatten`. */ toFlatten: Query<ConsoleToFlattenInput, ConsoleToFlattenOutput>; 
/** `console.trading`. */ trading: Query<ConsoleTradingInput, ConsoleTradingOutput>; 
/** `console.tryStep`. */ tryStep: Mutation<ConsoleTryStepInput, ConsoleTryStepOutput>; 
/** `console.unshare`. */ unshare: Mutation<ConsoleUnshareInput, ConsoleUnshareOutput>; 
/** `console.venues`. */ venues: Query<ConsoleVenuesInput, ConsoleVenuesOutput>; 
/** `console.writeOff`. */ writeOff: Query<ConsoleWriteOffInput, ConsoleWriteOffOutput> } };
