# From the code: npm run openapi
"""The service's shapes and operations."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, NotRequired, Tuple, TypedDict, Union

from .transport import OMIT, Transport

VenueACredentials = TypedDict("VenueACredentials", {
    # The name that venue A gave the key.
    "keyId": str,
    # PEM of an RSA key of 2048 bits or more, or of an Ed25519 key.
    "privateKey": str,
})

VenueBCredentialsApi = TypedDict("VenueBCredentialsApi", {
    "key": str,
    "secret": str,
    "passphrase": str,
})

VenueBCredentials = TypedDict("VenueBCredentials", {
    # Holds the collateral.
    "wallet": str,
    # 3: a deposit wallet. 0: the account of the key itself, demo only.
    "signatureType": Union[Literal[0], Literal[3]],
    # Of a session, `0x` and 64 digits; never the key of the wallet's owner.
    "signingKey": str,
    "isSession": bool,
    "api": "VenueBCredentialsApi",
})

CryptoCredentials = TypedDict("CryptoCredentials", {
    "apiKey": str,
    # As shown when the key was made, or the PEM of an Ed25519 key.
    "secret": str,
})

VenueA1 = TypedDict("VenueA1", {
    "kind": Literal["search", "top"],
    "markets": List["Market"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueA2 = TypedDict("VenueA2", {
    "kind": Literal["market"],
    "market": "Market",
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueA3PointsItem = TypedDict("VenueA3PointsItem", {
    "t": str,
    "p": float,
    "o": NotRequired[float],
    "h": NotRequired[float],
    "l": NotRequired[float],
    "v": NotRequired[float],
})

VenueA3 = TypedDict("VenueA3", {
    "kind": Literal["history"],
    "ref": str,
    "interval": Literal["1d", "1w", "1m", "all"],
    "points": List["VenueA3PointsItem"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueA = Union["VenueA1", "VenueA2", "VenueA3"]

MarketEvent1 = TypedDict("MarketEvent1", {
    "id": str,
    "slug": Union[str, None],
    "title": str,
})

MarketOutcomesItem = TypedDict("MarketOutcomesItem", {
    "label": str,
    "tokenId": Union[str, None],
    "price": Union[float, None],
    "bid": Union[float, None],
    "ask": Union[float, None],
    "bidSize": Union[float, None],
    "askSize": Union[float, None],
})

MarketResolutionSourcesItem = TypedDict("MarketResolutionSourcesItem", {
    "name": Union[str, None],
    "url": Union[str, None],
})

MarketFees1 = TypedDict("MarketFees1", {
    "formula": Literal["probability", "notional"],
    "takerRate": float,
    "makerRate": float,
    "exponent": float,
    "roundUpTo": Union[float, None],
})

MarketStrike1 = TypedDict("MarketStrike1", {
    "type": Union[str, None],
    "floor": Union[float, None],
    "cap": Union[float, None],
})

MarketRewards1 = TypedDict("MarketRewards1", {
    "minSize": Union[float, None],
    "maxSpread": Union[float, None],
    "dailyRate": Union[float, None],
})

MarketTickLadderItem = TypedDict("MarketTickLadderItem", {
    "start": float,
    "end": float,
    "step": float,
})

Market = TypedDict("Market", {
    "venue": Literal["venue-a", "venue-b"],
    "id": str,
    "ref": str,
    "ticker": Union[str, None],
    "slug": Union[str, None],
    "conditionId": Union[str, None],
    "event": Union["MarketEvent1", None],
    "title": str,
    "label": Union[str, None],
    "status": Literal["unopened", "open", "paused", "closed", "settled"],
    "result": Union[Literal["yes", "no", "scalar"], None],
    "outcomes": List["MarketOutcomesItem"],
    "lastPrice": Union[float, None],
    "change24h": Union[float, None],
    "volume": Union[float, None],
    "volume24h": Union[float, None],
    "liquidity": Union[float, None],
    "openInterest": Union[float, None],
    "tickSize": Union[float, None],
    "minSize": Union[float, None],
    "closesAt": Union[str, None],
    "updatedAt": Union[str, None],
    "rules": Union[str, None],
    "resolutionSources": List["MarketResolutionSourcesItem"],
    "fees": Union["MarketFees1", None],
    "negRisk": Union[bool, None],
    "opensAt": Union[str, None],
    "startsAt": Union[str, None],
    "canCloseEarly": Union[bool, None],
    "expectedExpirationAt": Union[str, None],
    "latestExpirationAt": Union[str, None],
    "strike": Union["MarketStrike1", None],
    "spread": Union[float, None],
    "rewards": Union["MarketRewards1", None],
    "change1h": Union[float, None],
    "change1w": Union[float, None],
    "category": Union[str, None],
    "tags": List[str],
    "image": Union[str, None],
    "tickLadder": List["MarketTickLadderItem"],
})

VenueB1EventsItemResolutionSourcesItem = TypedDict("VenueB1EventsItemResolutionSourcesItem", {
    "name": Union[str, None],
    "url": Union[str, None],
})

VenueB1EventsItem = TypedDict("VenueB1EventsItem", {
    "id": str,
    "slug": str,
    "title": str,
    "grouped": bool,
    "mutuallyExclusive": bool,
    "volume": Union[float, None],
    "volume24h": Union[float, None],
    "liquidity": Union[float, None],
    "endsAt": Union[str, None],
    "openInterest": Union[float, None],
    "rules": Union[str, None],
    "resolutionSources": List["VenueB1EventsItemResolutionSourcesItem"],
    "negRisk": Union[bool, None],
    "opensAt": Union[str, None],
    "startsAt": Union[str, None],
    "category": Union[str, None],
    "tags": List[str],
    "image": Union[str, None],
    "markets": List["Market"],
})

VenueB1 = TypedDict("VenueB1", {
    "kind": Literal["search", "trending"],
    "view": Literal["events"],
    "events": List["VenueB1EventsItem"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB2 = TypedDict("VenueB2", {
    "kind": Literal["search", "trending"],
    "view": Literal["markets"],
    "markets": List["Market"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB3 = TypedDict("VenueB3", {
    "kind": Literal["top"],
    "markets": List["Market"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB4EventResolutionSourcesItem = TypedDict("VenueB4EventResolutionSourcesItem", {
    "name": Union[str, None],
    "url": Union[str, None],
})

VenueB4Event = TypedDict("VenueB4Event", {
    "id": str,
    "slug": str,
    "title": str,
    "grouped": bool,
    "mutuallyExclusive": bool,
    "volume": Union[float, None],
    "volume24h": Union[float, None],
    "liquidity": Union[float, None],
    "endsAt": Union[str, None],
    "openInterest": Union[float, None],
    "rules": Union[str, None],
    "resolutionSources": List["VenueB4EventResolutionSourcesItem"],
    "negRisk": Union[bool, None],
    "opensAt": Union[str, None],
    "startsAt": Union[str, None],
    "category": Union[str, None],
    "tags": List[str],
    "image": Union[str, None],
    "markets": List["Market"],
})

VenueB4 = TypedDict("VenueB4", {
    "kind": Literal["event"],
    "event": "VenueB4Event",
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB5 = TypedDict("VenueB5", {
    "kind": Literal["eventMarkets"],
    "markets": List["Market"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB6 = TypedDict("VenueB6", {
    "kind": Literal["market"],
    "market": "Market",
    "outcomeIndex": NotRequired[Union[Literal[0], Literal[1]]],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB7 = TypedDict("VenueB7", {
    "kind": Literal["rawMarket"],
    "record": Dict[str, Any],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB8BidsItem = TypedDict("VenueB8BidsItem", {
    "price": float,
    "size": float,
})

VenueB8AsksItem = TypedDict("VenueB8AsksItem", {
    "price": float,
    "size": float,
})

VenueB8 = TypedDict("VenueB8", {
    "kind": Literal["book"],
    "token": str,
    "bids": List["VenueB8BidsItem"],
    "asks": List["VenueB8AsksItem"],
    "mid": Union[float, None],
    "tickSize": float,
    "minSize": Union[float, None],
    "lastPrice": Union[float, None],
    "negRisk": Union[bool, None],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB9PointsItem = TypedDict("VenueB9PointsItem", {
    "t": str,
    "p": float,
    "o": NotRequired[float],
    "h": NotRequired[float],
    "l": NotRequired[float],
    "v": NotRequired[float],
})

VenueB9 = TypedDict("VenueB9", {
    "kind": Literal["history"],
    "ref": str,
    "interval": Literal["1d", "1w", "1m", "all"],
    "points": List["VenueB9PointsItem"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

VenueB = Union["VenueB1", "VenueB2", "VenueB3", "VenueB4", "VenueB5", "VenueB6", "VenueB7", "VenueB8", "VenueB9"]

Crypto1Fees = TypedDict("Crypto1Fees", {
    "formula": Literal["probability", "notional"],
    "takerRate": float,
    "makerRate": float,
    "exponent": float,
    "roundUpTo": Union[float, None],
})

Crypto1 = TypedDict("Crypto1", {
    "kind": Literal["summary"],
    "symbol": str,
    "price": float,
    "change": float,
    "changePct": float,
    "high": float,
    "low": float,
    "volume": float,
    "quoteVolume": float,
    "bid": Union[float, None],
    "ask": Union[float, None],
    "bidSize": Union[float, None],
    "askSize": Union[float, None],
    "fees": "Crypto1Fees",
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

Crypto2TradesItem = TypedDict("Crypto2TradesItem", {
    "id": str,
    "price": float,
    "qty": float,
    "side": Literal["buy", "sell"],
    "t": str,
})

Crypto2 = TypedDict("Crypto2", {
    "kind": Literal["trades"],
    "symbol": str,
    "trades": List["Crypto2TradesItem"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

Crypto3KlinesItem = TypedDict("Crypto3KlinesItem", {
    "t": str,
    "o": float,
    "h": float,
    "l": float,
    "c": float,
    "v": float,
    "quoteVolume": float,
    "trades": int,
    "closesAt": str,
})

Crypto3 = TypedDict("Crypto3", {
    "kind": Literal["klines"],
    "symbol": str,
    "interval": Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"],
    "klines": List["Crypto3KlinesItem"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

Crypto4SymbolsItem = TypedDict("Crypto4SymbolsItem", {
    "symbol": str,
    "base": str,
    "quote": str,
    "status": str,
    "tickSize": float,
    "stepSize": float,
    "minSize": float,
    "minNotional": Union[float, None],
})

Crypto4 = TypedDict("Crypto4", {
    "kind": Literal["symbols"],
    "symbols": List["Crypto4SymbolsItem"],
    "source": Literal["live", "simulator", "stale"],
    "asOf": str,
})

Crypto = Union["Crypto1", "Crypto2", "Crypto3", "Crypto4"]

HistoryCoverageRangesItem = TypedDict("HistoryCoverageRangesItem", {
    "from": str,
    "until": str,
    "quotes": int,
})

HistoryCoverage = TypedDict("HistoryCoverage", {
    "tokenId": str,
    # Oldest first, at most the newest 500. In gaps between them, of more than 30 seconds, there is no data, and none is made up.
    "ranges": List["HistoryCoverageRangesItem"],
    "sizeBytes": int,
    # Present if `interval` was requested.
    "series": Union["HistorySeriesCoverage", None],
})

HistorySeriesCoverageHeldItem = TypedDict("HistorySeriesCoverageHeldItem", {
    "from": str,
    "to": str,
})

HistorySeriesCoverageGapsItem = TypedDict("HistorySeriesCoverageGapsItem", {
    "from": str,
    "to": str,
})

HistorySeriesCoverageImportableItem = TypedDict("HistorySeriesCoverageImportableItem", {
    "from": str,
    "to": str,
})

HistorySeriesCoverageUnavailableItem = TypedDict("HistorySeriesCoverageUnavailableItem", {
    "from": str,
    "to": str,
})

HistorySeriesCoverage = TypedDict("HistorySeriesCoverage", {
    "interval": str,
    "kind": Literal["candle", "bid_ask", "midpoint"],
    "from": str,
    "to": str,
    # Spans for which the venue was asked and has responded.
    "held": List["HistorySeriesCoverageHeldItem"],
    # Within `held`: the venue has no data, after two requests. Never filled in.
    "gaps": List["HistorySeriesCoverageGapsItem"],
    # Spans that the venue can still provide.
    "importable": List["HistorySeriesCoverageImportableItem"],
    # Spans that the venue no longer provides, or not yet.
    "unavailable": List["HistorySeriesCoverageUnavailableItem"],
    "requests": int,
    # The time that an import of all `importable` spans takes.
    "seconds": int,
    "rows": int,
    "sizeBytes": int,
    # The source; several are joined with `+`.
    "source": Union[str, None],
    # Longer intervals for which the venue still provides spans that it no longer provides for this one.
    "coarser": List[str],
})

HistoryImport = TypedDict("HistoryImport", {
    "id": str,
    "tokenId": str,
    "interval": str,
    "from": str,
    "to": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    # 0 to 1.
    "progress": float,
    # Rows that it has imported so far.
    "rows": int,
    # Spans for which the venue has no data, after two requests.
    "gaps": int,
    # Stored months for which the venue now returns other data: they stay unchanged.
    "differences": int,
    "failure": Union[str, None],
    "createdAt": str,
    "endedAt": Union[str, None],
})

Blueprint = TypedDict("Blueprint", {
    "id": str,
    "name": str,
    "status": Literal["draft", "running", "error", "stopped"],
    # Set by deploy.
    "deploymentId": Union[str, None],
    # The graph: any JSON value.
    "visual": Any,
    # State per node of the latest deployment.
    "nodeStates": Any,
    # The failure, its node, and the remedy.
    "error": Union[str, None],
    "createdAt": str,
    "updatedAt": str,
})
"""An automated strategy definition."""

BlueprintTag = TypedDict("BlueprintTag", {
    "tag": str,
    # The blueprints that have it, newest first.
    "blueprintIds": List[str],
})
"""A word for finding blueprints."""

NodeTypeInputsItemWhen = TypedDict("NodeTypeInputsItemWhen", {
    "setting": str,
    "in": List[str],
})
"""The port exists only while this setting has one of these values."""

NodeTypeInputsItem = TypedDict("NodeTypeInputsItem", {
    "name": str,
    "kind": Literal["number", "boolean"],
    "help": str,
    # The port exists only while this setting has one of these values.
    "when": NotRequired["NodeTypeInputsItemWhen"],
    "required": bool,
    # Whether several edges may end at this port.
    "many": bool,
})

NodeTypeOutputsItemWhen = TypedDict("NodeTypeOutputsItemWhen", {
    "setting": str,
    "in": List[str],
})
"""The port exists only while this setting has one of these values."""

NodeTypeOutputsItem = TypedDict("NodeTypeOutputsItem", {
    "name": str,
    "kind": Literal["number", "boolean"],
    "help": str,
    # The port exists only while this setting has one of these values.
    "when": NotRequired["NodeTypeOutputsItemWhen"],
})

NodeType = TypedDict("NodeType", {
    "type": str,
    "group": str,
    "title": str,
    "help": str,
    "inputs": List["NodeTypeInputsItem"],
    "outputs": List["NodeTypeOutputsItem"],
    # JSON Schema of the node’s config.
    "config": Any,
})
"""A kind of node a blueprint can hold."""

Release = TypedDict("Release", {
    "number": int,
    # The blueprint’s name when it was deployed.
    "name": str,
    # `session:<user id>` or `key:<key id>`.
    "deployedBy": str,
    "deployedAt": str,
})
"""A deployed graph, with the time and the actor of its deploy. Never changes."""

ReleaseWithVisual = TypedDict("ReleaseWithVisual", {
    "number": int,
    # The blueprint’s name when it was deployed.
    "name": str,
    # `session:<user id>` or `key:<key id>`.
    "deployedBy": str,
    "deployedAt": str,
    # Any JSON value.
    "visual": Any,
})

BlueprintTags = TypedDict("BlueprintTags", {
    "id": str,
    # The stored tags, in order.
    "tags": List[str],
})

Performance = TypedDict("Performance", {
    # USD, after fees.
    "realizedPnl": float,
    # USD, at marks.
    "unrealizedPnl": float,
    # USD paid.
    "fees": float,
    "fills": int,
})
"""A blueprint’s result, over all its deployments."""

StatisticsTrades = TypedDict("StatisticsTrades", {
    "closed": int,
    "open": int,
    "wins": int,
    "losses": int,
    "flat": int,
    "winRate": "Ratio",
    "profitFactor": "Ratio",
    "expectancy": "Ratio",
    "expectancyR": "Ratio",
    # Mean return of a trade over the deviation of all: of one trade, of no time. Null for backtests by a release that did not compute it.
    "sharpe": Union["Ratio", None],
    "meanReturn": "Ratio",
    "meanWin": "Ratio",
    "meanLoss": "Ratio",
    "payoff": "Ratio",
    "sqn": "Ratio",
    "isSqnUnreliable": bool,
    "best": Union[float, None],
    "worst": Union[float, None],
    "meanHeldSec": "Ratio",
    "medianHeldSec": "Ratio",
    "winsInARowMax": int,
    "lossesInARowMax": int,
    # Chance that as many trades, won as often and in no order, have as long a row. Null for backtests by a release that did not compute it.
    "winsInARowChance": Union["Ratio", None],
    "lossesInARowChance": Union["Ratio", None],
    # The five best trades over the result of all; above 1, the others lost. Null for backtests by a release that did not compute it.
    "bestFiveShare": Union["Ratio", None],
    "fees": float,
    "feesOfGross": "Ratio",
    # True if there are more than 50,000 fills: older ones are in no trade.
    "isCut": bool,
})

StatisticsMonthlyItem = TypedDict("StatisticsMonthlyItem", {
    "month": str,
    "value": float,
    "isPartial": bool,
})

StatisticsRollingSharpe1Item = TypedDict("StatisticsRollingSharpe1Item", {
    "day": str,
    "value": Union[float, None],
})

StatisticsCalibrationBinsItem = TypedDict("StatisticsCalibrationBinsItem", {
    "fromPrice": float,
    "count": int,
    "meanPrice": "Ratio",
    "meanOutcome": "Ratio",
    # Where the true share of outcomes lies with 95 % confidence. Null for backtests by a release that did not compute it.
    "interval": Union["Interval", None],
})

StatisticsCalibration = TypedDict("StatisticsCalibration", {
    "brier": "Ratio",
    "bins": List["StatisticsCalibrationBinsItem"],
})

Statistics = TypedDict("Statistics", {
    "from": str,
    "to": str,
    # USD. Deposits and withdrawals are in none of the figures.
    "netProfit": float,
    "totalReturn": "Ratio",
    "cagr": "Ratio",
    "volatility": "Ratio",
    "sharpe": "Ratio",
    "sortino": "Ratio",
    "calmar": "Ratio",
    "probabilisticSharpe": "Ratio",
    "maxDrawdown": Union["Drawdown", None],
    "longestDrawdownSec": float,
    # The ten deepest, deepest first.
    "drawdowns": List["Drawdown"],
    # Share of the time in which anything was held.
    "exposure": "Ratio",
    # Mean share of equity that was held.
    "exposureOfEquity": "Ratio",
    "turnover": "Ratio",
    # `turnover` × 365 days over the span. Null for backtests by a release that did not compute it.
    "turnoverYearly": Union["Ratio", None],
    # Null for backtests by a release that did not compute it.
    "risk": Union["RiskFigures", None],
    "trades": "StatisticsTrades",
    "monthly": List["StatisticsMonthlyItem"],
    # Sharpe ratio of the 30 days that end with a day, every nth day, 60 at most; null where nothing moved. Null for backtests by a release that did not compute it.
    "rollingSharpe": Union[List["StatisticsRollingSharpe1Item"], None],
    "calibration": "StatisticsCalibration",
})

Ratio1 = TypedDict("Ratio1", {
    "value": float,
})

Ratio2 = TypedDict("Ratio2", {
    "value": None,
    "reason": Literal["no_trades", "no_wins", "no_losses", "too_few", "too_short", "zero_variance", "no_downside", "no_drawdown", "no_gain"],
})

Ratio = Union["Ratio1", "Ratio2"]
"""A figure, or null and the reason why there is none. Never a number that stands for something else."""

Drawdown = TypedDict("Drawdown", {
    # Share of the peak: 0.1 is 10 %.
    "share": float,
    "usd": float,
    "peakAt": str,
    "troughAt": str,
    "recoveredAt": Union[str, None],
})

RiskFigures = TypedDict("RiskFigures", {
    # Whole UTC days, of which all figures of daily returns are. Null for backtests by a release that did not compute it.
    "days": Union[int, None],
    # Days at the ends of the span that it covers in part: in no figure of daily returns.
    "partialDays": Union[int, None],
    # Whole days on which anything was held.
    "daysInMarket": Union[int, None],
    # `sharpe` of those days alone.
    "sharpeInMarket": Union["Ratio", None],
    # Days after which returns like these would show a Sharpe ratio above 0 with 95 % confidence. `no_gain` if it is not above 0.
    "minTrackRecordDays": Union["Ratio", None],
    # Standard error of `sharpe`, by the number of days, skew and tails.
    "sharpeError": "Ratio",
    # Of the returns of two days that follow each other.
    "autocorrelation": "Ratio",
    # `sharpe`, annualized with `autocorrelation` (Lo 2002).
    "sharpeAdjusted": "Ratio",
    "skewness": "Ratio",
    # 3 for a normal distribution.
    "kurtosis": "Ratio",
    # Loss of a day that 95 % of days stay within, as a share.
    "valueAtRisk": "Ratio",
    # Mean loss of the days beyond `valueAtRisk`.
    "expectedShortfall": "Ratio",
    # Gains of all days over their losses.
    "omega": "Ratio",
    # Gain of the best 5 % of days over the loss of the worst 5 %.
    "tailRatio": "Ratio",
    # Root of the mean squared fall below the highest day before.
    "ulcer": "Ratio",
    # Share of the time between a peak of equity and its recovery.
    "timeUnderWater": "Ratio",
    # `totalReturn` over `exposureOfEquity`: of the money at work.
    "returnOnExposure": "Ratio",
})

Interval = TypedDict("Interval", {
    "low": float,
    "high": float,
})
"""The two ends of an interval, as shares: 0.1 is 10 %."""

BacktestOutlineProgress1 = TypedDict("BacktestOutlineProgress1", {
    "percent": float,
    "evaluations": int,
    "evaluationsPerSec": float,
    "etaSec": Union[float, None],
    "simulatedAt": Union[str, None],
})

BacktestOutlineFailure1 = TypedDict("BacktestOutlineFailure1", {
    "code": Literal["no_history", "too_large", "out_of_memory", "timed_out", "look_ahead", "internal"],
    "message": str,
})

BacktestOutlineOutline1 = TypedDict("BacktestOutlineOutline1", {
    # A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only.
    "fidelity": Literal["A", "B", "C", "D"],
    # USD.
    "netProfit": float,
    "finalEquity": float,
    "totalReturn": "Ratio",
    "sharpe": "Ratio",
    "maxDrawdownShare": Union[float, None],
    "trades": int,
    # Verdicts that invalidate the result, or may.
    "warnings": int,
})

BacktestOutline = TypedDict("BacktestOutline", {
    "id": str,
    "blueprintId": Union[str, None],
    "name": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    "phase": Union[Literal["history", "running", "checks", "writing"], None],
    "progress": Union["BacktestOutlineProgress1", None],
    "failure": Union["BacktestOutlineFailure1", None],
    # It was canceled: the result ends at that point.
    "isPartial": bool,
    "from": str,
    "to": str,
    "requestHash": str,
    "resultHash": Union[str, None],
    "notes": str,
    "pinned": bool,
    "createdAt": str,
    "startedAt": Union[str, None],
    "finishedAt": Union[str, None],
    "outline": Union["BacktestOutlineOutline1", None],
})

BacktestComparisonRunsItemGraph = TypedDict("BacktestComparisonRunsItemGraph", {
    "added": List[str],
    "removed": List[str],
    "changed": List[str],
    "edgesAdded": List[str],
    "edgesRemoved": List[str],
})
"""Compared with the first run, by node id."""

BacktestComparisonRunsItem = TypedDict("BacktestComparisonRunsItem", {
    "backtest": "BacktestOutline",
    "statistics": Union["Statistics", None],
    # Compared with the first run, by node id.
    "graph": "BacktestComparisonRunsItemGraph",
})

BacktestComparisonRequestsItem = TypedDict("BacktestComparisonRequestsItem", {
    "path": str,
    "values": List[Any],
})

BacktestComparisonEquityItem = TypedDict("BacktestComparisonEquityItem", {
    "at": str,
    "values": List[Union[float, None]],
})

BacktestComparison = TypedDict("BacktestComparison", {
    # Whether the figures can be compared.
    "comparable": bool,
    "reasons": List[Literal["other_range", "other_cash", "other_data", "other_fees", "unfinished"]],
    "runs": List["BacktestComparisonRunsItem"],
    # Differences of the requests: a JSON Pointer and the value of each run.
    "requests": List["BacktestComparisonRequestsItem"],
    # On a common grid, in the order of the runs.
    "equity": List["BacktestComparisonEquityItem"],
})

BacktestProgress1 = TypedDict("BacktestProgress1", {
    "percent": float,
    "evaluations": int,
    "evaluationsPerSec": float,
    "etaSec": Union[float, None],
    "simulatedAt": Union[str, None],
})

BacktestFailure1 = TypedDict("BacktestFailure1", {
    "code": Literal["no_history", "too_large", "out_of_memory", "timed_out", "look_ahead", "internal"],
    "message": str,
})

BacktestCoverage1Item = TypedDict("BacktestCoverage1Item", {
    "venue": str,
    "tokenId": str,
    "kind": Literal["candle", "bid_ask", "midpoint"],
    "resolutionSec": float,
    "from": Union[str, None],
    "to": Union[str, None],
    "rows": int,
    "gaps": int,
    "hash": str,
    "source": str,
})

BacktestResult1VerdictsItem = TypedDict("BacktestResult1VerdictsItem", {
    "code": str,
    "severity": Literal["info", "warning", "danger"],
    "message": str,
    "count": NotRequired[float],
})

BacktestResult1AssumptionsItem = TypedDict("BacktestResult1AssumptionsItem", {
    "name": str,
    "value": str,
    "why": str,
})

BacktestResult1Orders = TypedDict("BacktestResult1Orders", {
    "intents": int,
    "orders": int,
    "filled": int,
    "partial": int,
    "unfilled": int,
    "canceled": int,
    "expired": int,
    # By rule or reason.
    "denied": Dict[str, int],
    # How many would have waited for a person’s approval.
    "approvals": int,
})

BacktestResult1Range1 = TypedDict("BacktestResult1Range1", {
    "low": float,
    "high": float,
})

BacktestResult1FillGradesItem = TypedDict("BacktestResult1FillGradesItem", {
    "grade": Literal["quote", "through", "bar", "gap", "midpoint", "path"],
    "fills": int,
    "profit": float,
})

BacktestResult1Benchmark1 = TypedDict("BacktestResult1Benchmark1", {
    "totalReturn": "Ratio",
    # Return of a year that beta does not explain.
    "alpha": "Ratio",
    "beta": "Ratio",
    "correlation": "Ratio",
    "trackingError": "Ratio",
    "informationRatio": "Ratio",
    # Mean return over the benchmark’s, of days on which that rose.
    "upCapture": "Ratio",
    "downCapture": "Ratio",
})

BacktestResult1Resampled1 = TypedDict("BacktestResult1Resampled1", {
    # Nine of ten lie between.
    "totalReturn": "Interval",
    # Of daily returns: falls within a day are not in it.
    "maxDrawdown": "Interval",
    # Share of the resamples that lose.
    "losing": float,
})

BacktestResult1Costs1 = TypedDict("BacktestResult1Costs1", {
    # All that was traded.
    "notional": float,
    # Traded by orders decided with a bid and an ask: all costs but `fee` are of these.
    "measuredNotional": float,
    "fee": float,
    # From the midpoint at the fill to the top of the book.
    "spread": float,
    # Beyond the top of the book.
    "slippage": float,
    # The midpoint’s move from decision to fill.
    "delay": float,
    # The midpoint’s move from decision to the end of the order, of what was not filled.
    "unfilled": float,
    "orders": int,
    # Orders decided without a bid or an ask: only their fees are in the costs. Also those that ended unfilled without one: their `unfilled` is not.
    "unmeasured": int,
})

BacktestResult1Capacity1 = TypedDict("BacktestResult1Capacity1", {
    # Bars in which one side of an instrument was filled.
    "bars": int,
    # Mean share of their volume that was taken.
    "meanShare": "Ratio",
    "maxShare": "Ratio",
    # How many times larger all orders may be before `maxShare` is `fills.share`.
    "roomFactor": "Ratio",
    # Fills whose volume is not known: of recorded quotes, midpoints or bars without any.
    "unmeasured": int,
})

BacktestResult1Attribution1NodeItem = TypedDict("BacktestResult1Attribution1NodeItem", {
    "of": str,
    "trades": int,
    "wins": int,
    "profit": float,
})

BacktestResult1Attribution1InstrumentItem = TypedDict("BacktestResult1Attribution1InstrumentItem", {
    "of": str,
    "trades": int,
    "wins": int,
    "profit": float,
})

BacktestResult1Attribution1HourItem = TypedDict("BacktestResult1Attribution1HourItem", {
    "of": str,
    "trades": int,
    "wins": int,
    "profit": float,
})

BacktestResult1Attribution1WeekdayItem = TypedDict("BacktestResult1Attribution1WeekdayItem", {
    "of": str,
    "trades": int,
    "wins": int,
    "profit": float,
})

BacktestResult1Attribution1RegimeItem = TypedDict("BacktestResult1Attribution1RegimeItem", {
    "of": str,
    "trades": int,
    "wins": int,
    "profit": float,
})

BacktestResult1Attribution1 = TypedDict("BacktestResult1Attribution1", {
    "node": List["BacktestResult1Attribution1NodeItem"],
    "instrument": List["BacktestResult1Attribution1InstrumentItem"],
    "hour": List["BacktestResult1Attribution1HourItem"],
    "weekday": List["BacktestResult1Attribution1WeekdayItem"],
    "regime": List["BacktestResult1Attribution1RegimeItem"],
})

BacktestResult1Forecasts1BinsItem = TypedDict("BacktestResult1Forecasts1BinsItem", {
    "from": float,
    "count": int,
    "meanStated": "Ratio",
    "meanOutcome": "Ratio",
    # Where the true share of outcomes lies with 95 % confidence.
    "interval": Union["Interval", None],
})

BacktestResult1Forecasts1 = TypedDict("BacktestResult1Forecasts1", {
    # Contracts entered with a probability and held until they settled.
    "count": int,
    "brier": "Ratio",
    # Of the midpoint when they were decided.
    "marketBrier": "Ratio",
    # 1 − `brier` / `marketBrier`: above 0 the graph knew more than the market.
    "skill": "Ratio",
    # Mean −ln of the probability given to what happened.
    "logScore": "Ratio",
    "marketLogScore": "Ratio",
    # Mean gain in squared error over its standard error.
    "skillT": "Ratio",
    # Reliability: ten bins of the stated probability. Empty in results of earlier releases.
    "bins": List["BacktestResult1Forecasts1BinsItem"],
})

BacktestResult1Sensitivity1Item = TypedDict("BacktestResult1Sensitivity1Item", {
    "change": Literal["no_fees", "no_spread", "no_latency", "one_more_tick", "any_amount", "half_volume", "tenth_of_volume", "other_path"],
    # How much higher the result is with it, USD.
    "difference": float,
    "trades": int,
})

BacktestResult1Unsettled1 = TypedDict("BacktestResult1Unsettled1", {
    "count": int,
    "worth": float,
    "low": float,
    "high": float,
})

BacktestResult1 = TypedDict("BacktestResult1", {
    # Warnings about the result. Read them before any figure.
    "verdicts": List["BacktestResult1VerdictsItem"],
    "assumptions": List["BacktestResult1AssumptionsItem"],
    # A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only.
    "fidelity": Literal["A", "B", "C", "D"],
    "pace": Literal["candles", "quotes", "path"],
    "statistics": "Statistics",
    "orders": "BacktestResult1Orders",
    "evaluations": int,
    "bars": int,
    "gaps": int,
    "ambiguousBars": int,
    "range": Union["BacktestResult1Range1", None],
    "finalCash": float,
    "finalEquity": float,
    # If all holdings were sold at the market, after fees.
    "exitEquity": float,
    "fees": float,
    "buyAndHold": Union[float, None],
    # Fills by the grade of their data, and the result of trades by the lowest grade of their fills.
    "fillGrades": List["BacktestResult1FillGradesItem"],
    # Beside holding the traded coins in equal parts from the start, bought at the ask with the fee. Null if a contract is traded, which has no such holding. Null in results of earlier releases.
    "benchmark": Union["BacktestResult1Benchmark1", None],
    # Figures of the run’s days in 1,000 other orders and selections (stationary bootstrap). Null below 20 days. Null in results of earlier releases.
    "resampled": Union["BacktestResult1Resampled1", None],
    # Costs of orders against the midpoint at their decision, USD; below 0 they are gains. Null in results of earlier releases.
    "costs": Union["BacktestResult1Costs1", None],
    # Share of the market’s volume that fills took. Null in results of earlier releases.
    "capacity": Union["BacktestResult1Capacity1", None],
    # Results of ended trades by the node, instrument, hour and weekday (UTC, 0 is Sunday) of their entry, and by what the benchmark did in the seven days before: `rising_calm`, `rising_volatile`, `falling_calm`, `falling_volatile`, or `unknown` in the first seven. The twelve largest nodes and instruments. Without a benchmark there are no regimes. Null in results of earlier releases.
    "attribution": Union["BacktestResult1Attribution1", None],
    # The probabilities wired into `fair` of a `probability.edge` node beside the market’s. Null for a graph without one. Null in results of earlier releases.
    "forecasts": Union["BacktestResult1Forecasts1", None],
    # The run with each assumption changed alone; a row is missing if its run was too large. Null unless `sensitivity` was requested, and if it was cut off.
    "sensitivity": Union[List["BacktestResult1Sensitivity1Item"], None],
    # Contracts that closed and were never settled; the final equity with all at 0 and at 1.
    "unsettled": Union["BacktestResult1Unsettled1", None],
})

Backtest = TypedDict("Backtest", {
    "id": str,
    "blueprintId": Union[str, None],
    "name": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    "phase": Union[Literal["history", "running", "checks", "writing"], None],
    "progress": Union["BacktestProgress1", None],
    "failure": Union["BacktestFailure1", None],
    # It was canceled: the result ends at that point.
    "isPartial": bool,
    "from": str,
    "to": str,
    "requestHash": str,
    "resultHash": Union[str, None],
    "notes": str,
    "pinned": bool,
    "createdAt": str,
    "startedAt": Union[str, None],
    "finishedAt": Union[str, None],
    # The request, with every default written out. `members`: the instruments of each list that is a series, as listed at any time of the span.
    "request": Any,
    "coverage": Union[List["BacktestCoverage1Item"], None],
    "result": Union["BacktestResult1", None],
})

BacktestTrade = TypedDict("BacktestTrade", {
    # The instrument.
    "holding": str,
    "openedAt": str,
    "closedAt": str,
    # USD, without fees.
    "bought": float,
    "sold": float,
    "fees": float,
    # `sold - bought - fees`.
    "pnl": float,
    "amountMax": float,
    "entryPrice": float,
    # The settlement’s value; null if it was sold.
    "settledAt": Union[float, None],
    "worstPnl": float,
    "bestPnl": float,
})

BacktestOrder = TypedDict("BacktestOrder", {
    "id": str,
    "at": str,
    "nodeId": str,
    "tokenId": str,
    "side": Literal["buy", "sell"],
    "type": Literal["limit", "market"],
    "amount": float,
    "limitPrice": Union[float, None],
    "status": str,
    "statusReason": Union[str, None],
    "filledAmount": float,
    "averagePrice": Union[float, None],
    "reason": str,
    # The measured values and verdict of each risk rule.
    "receipt": Any,
})

BacktestLogLine = TypedDict("BacktestLogLine", {
    "at": str,
    "code": str,
    "nodeId": Union[str, None],
    "message": str,
})

BacktestEquityPointsItem = TypedDict("BacktestEquityPointsItem", {
    "at": str,
    "equity": float,
    "held": float,
})

BacktestEquityMonthlyItem = TypedDict("BacktestEquityMonthlyItem", {
    "month": str,
    "value": float,
    "isPartial": bool,
})

BacktestEquity = TypedDict("BacktestEquity", {
    # Oldest first. For each span, the lowest and the highest point.
    "points": List["BacktestEquityPointsItem"],
    "monthly": List["BacktestEquityMonthlyItem"],
    # The ten deepest, deepest first.
    "drawdowns": List["Drawdown"],
})

SweepOutlineProgress1 = TypedDict("SweepOutlineProgress1", {
    "done": int,
    "total": Union[int, None],
    "etaSec": Union[float, None],
})

SweepOutlineFailure1 = TypedDict("SweepOutlineFailure1", {
    "code": Literal["no_history", "no_trials", "out_of_memory", "timed_out", "look_ahead", "too_large", "internal"],
    "message": str,
})

SweepOutlineBest1 = TypedDict("SweepOutlineBest1", {
    "values": List[Union[float, str, bool]],
    "score": float,
    "figures": "TrialFigures",
    # The probability that its Sharpe ratio is above the best that luck alone shows in as many trials.
    "deflatedSharpe": "Ratio",
    # The probability that the best trial in sample lies in the lower half out of sample.
    "probabilityOfOverfitting": "Ratio",
})

SweepOutline = TypedDict("SweepOutline", {
    "id": str,
    "blueprintId": Union[str, None],
    "name": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    "progress": Union["SweepOutlineProgress1", None],
    "failure": Union["SweepOutlineFailure1", None],
    "from": str,
    "to": str,
    # The number of trials made, once the sweep ended.
    "trials": int,
    "best": Union["SweepOutlineBest1", None],
    # Verdicts that invalidate the result, or may.
    "warnings": int,
    "createdAt": str,
    "startedAt": Union[str, None],
    "finishedAt": Union[str, None],
})

TrialFigures = TypedDict("TrialFigures", {
    # USD.
    "netProfit": float,
    "totalReturn": "Ratio",
    "cagr": "Ratio",
    "sharpe": "Ratio",
    "sortino": "Ratio",
    "calmar": "Ratio",
    "probabilisticSharpe": "Ratio",
    "profitFactor": "Ratio",
    "winRate": "Ratio",
    "expectancy": "Ratio",
    "sqn": "Ratio",
    "exposure": "Ratio",
    # Share of the peak.
    "maxDrawdown": float,
    # Trades that ended.
    "closed": int,
    "open": int,
    # Intents the rules denied.
    "denied": int,
    "fees": float,
    "finalEquity": float,
    # The longest a position was held.
    "heldMaxSec": float,
})

SweepProgress1 = TypedDict("SweepProgress1", {
    "done": int,
    "total": Union[int, None],
    "etaSec": Union[float, None],
})

SweepFailure1 = TypedDict("SweepFailure1", {
    "code": Literal["no_history", "no_trials", "out_of_memory", "timed_out", "look_ahead", "too_large", "internal"],
    "message": str,
})

SweepBest1 = TypedDict("SweepBest1", {
    "values": List[Union[float, str, bool]],
    "score": float,
    "figures": "TrialFigures",
    # The probability that its Sharpe ratio is above the best that luck alone shows in as many trials.
    "deflatedSharpe": "Ratio",
    # The probability that the best trial in sample lies in the lower half out of sample.
    "probabilityOfOverfitting": "Ratio",
})

SweepRefused1FirstItemIssuesItem = TypedDict("SweepRefused1FirstItemIssuesItem", {
    "path": str,
    "code": str,
    "message": str,
})

SweepRefused1FirstItem = TypedDict("SweepRefused1FirstItem", {
    "values": List[Union[float, str, bool]],
    "issues": List["SweepRefused1FirstItemIssuesItem"],
})

SweepRefused1 = TypedDict("SweepRefused1", {
    "count": int,
    "first": List["SweepRefused1FirstItem"],
})

SweepResult1VerdictsItem = TypedDict("SweepResult1VerdictsItem", {
    "code": str,
    "severity": Literal["info", "warning", "danger"],
    "message": str,
    "count": NotRequired[float],
})

SweepResult1ProfileItemValuesItem = TypedDict("SweepResult1ProfileItemValuesItem", {
    "value": Union[float, str, bool],
    "trials": int,
    "median": Union[float, None],
    "best": Union[float, None],
})

SweepResult1ProfileItem = TypedDict("SweepResult1ProfileItem", {
    "pointer": str,
    "values": List["SweepResult1ProfileItemValuesItem"],
})

SweepResult1WalkForward1FoldsItemTrain = TypedDict("SweepResult1WalkForward1FoldsItemTrain", {
    "from": str,
    "to": str,
})

SweepResult1WalkForward1FoldsItemTest = TypedDict("SweepResult1WalkForward1FoldsItemTest", {
    "from": str,
    "to": str,
})

SweepResult1WalkForward1FoldsItem = TypedDict("SweepResult1WalkForward1FoldsItem", {
    "train": "SweepResult1WalkForward1FoldsItemTrain",
    "test": "SweepResult1WalkForward1FoldsItemTest",
    # The combination chosen in training.
    "values": Union[List[Union[float, str, bool]], None],
    "inSample": Union["TrialFigures", None],
    "outOfSample": Union["TrialFigures", None],
    "isHeldTooLong": bool,
})

SweepResult1WalkForward1InSample = TypedDict("SweepResult1WalkForward1InSample", {
    "days": int,
    "totalReturn": float,
    # The mean daily return, times 365.
    "yearly": float,
    "sharpe": "Ratio",
})

SweepResult1WalkForward1OutOfSample = TypedDict("SweepResult1WalkForward1OutOfSample", {
    "days": int,
    "totalReturn": float,
    # The mean daily return, times 365.
    "yearly": float,
    "sharpe": "Ratio",
})

SweepResult1WalkForward1CurveItem = TypedDict("SweepResult1WalkForward1CurveItem", {
    "at": str,
    "factor": float,
})

SweepResult1WalkForward1 = TypedDict("SweepResult1WalkForward1", {
    "embargoDays": int,
    "folds": List["SweepResult1WalkForward1FoldsItem"],
    "inSample": "SweepResult1WalkForward1InSample",
    "outOfSample": "SweepResult1WalkForward1OutOfSample",
    # A year out of sample over a year in sample.
    "efficiency": "Ratio",
    "curve": List["SweepResult1WalkForward1CurveItem"],
})

SweepResult1 = TypedDict("SweepResult1", {
    # Warnings about the result, most severe first. Read them before any figure.
    "verdicts": List["SweepResult1VerdictsItem"],
    # The number of trials made on this blueprint and range.
    "trialsEver": int,
    # The scores of the trials with each value.
    "profile": List["SweepResult1ProfileItem"],
    "walkForward": Union["SweepResult1WalkForward1", None],
})

Sweep = TypedDict("Sweep", {
    "id": str,
    "blueprintId": Union[str, None],
    "name": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    "progress": Union["SweepProgress1", None],
    "failure": Union["SweepFailure1", None],
    "from": str,
    "to": str,
    # The number of trials made, once the sweep ended.
    "trials": int,
    "best": Union["SweepBest1", None],
    # Verdicts that invalidate the result, or may.
    "warnings": int,
    "createdAt": str,
    "startedAt": Union[str, None],
    "finishedAt": Union[str, None],
    # The request, with every default written out.
    "request": Any,
    # Trials of older sweeps are deleted to make room; the result stays.
    "areTrialsKept": bool,
    # Combinations that do not compile; they are not run.
    "refused": Union["SweepRefused1", None],
    "result": Union["SweepResult1", None],
})

SweepTrial = TypedDict("SweepTrial", {
    "number": int,
    # One of each dimension.
    "values": List[Union[float, str, bool]],
    # The figure that ranks it; null if it cannot be computed.
    "score": Union[float, None],
    "figures": "TrialFigures",
    "resultHash": str,
})

Signal = TypedDict("Signal", {
    "name": str,
    # `live`: deployments with real money read it too.
    "mode": Literal["paper", "live"],
    # `boolean`: it takes 0 and 1 only.
    "kind": Literal["number", "boolean"],
    # The lowest value it takes; null: −10^15.
    "min": Union[float, None],
    # The highest value it takes; null: 10^15.
    "max": Union[float, None],
    # Number of values that arrived; repetitions do not count.
    "received": int,
    # The newest value; a condition is 1 or 0.
    "lastValue": Union[float, None],
    # When it arrived.
    "lastAt": Union[str, None],
    # Who sent it: `key:<id>`, `session:<user>`, or `signal:<name>` by the token. Null before the first value, and for one from before senders were recorded.
    "lastSender": Union[str, None],
    "createdAt": str,
})
"""A named input that senders outside the service write."""

CreatedSignal = TypedDict("CreatedSignal", {
    "name": str,
    # `live`: deployments with real money read it too.
    "mode": Literal["paper", "live"],
    # `boolean`: it takes 0 and 1 only.
    "kind": Literal["number", "boolean"],
    # The lowest value it takes; null: −10^15.
    "min": Union[float, None],
    # The highest value it takes; null: 10^15.
    "max": Union[float, None],
    # Number of values that arrived; repetitions do not count.
    "received": int,
    # The newest value; a condition is 1 or 0.
    "lastValue": Union[float, None],
    # When it arrived.
    "lastAt": Union[str, None],
    # Who sent it: `key:<id>`, `session:<user>`, or `signal:<name>` by the token. Null before the first value, and for one from before senders were recorded.
    "lastSender": Union[str, None],
    "createdAt": str,
    # Shown once. For senders without headers: `POST /hooks/signal?token=<token>`.
    "token": str,
})
"""A signal and its token."""

Order = TypedDict("Order", {
    "id": str,
    "blueprintId": str,
    "status": Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"],
    "side": Literal["buy", "sell"],
    # Quantity: contracts, shares or base coin.
    "amount": float,
    "createdAt": str,
})
"""An order or order intent, as lists show it."""

OrderIntent = TypedDict("OrderIntent", {
    # The order intent; its order has the same id.
    "intentId": str,
    "status": Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"],
    "amount": float,
    # On the tick; for a market order its price band.
    "limitPrice": float,
})

OrderDetailAllocationsItem = TypedDict("OrderDetailAllocationsItem", {
    "positionId": str,
    "blueprintId": str,
    "amount": float,
    "filledAmount": float,
})

OrderDetailFillsItem = TypedDict("OrderDetailFillsItem", {
    "id": str,
    "amount": float,
    "price": float,
    "fee": float,
    "at": str,
})

OrderDetailTimelineItem = TypedDict("OrderDetailTimelineItem", {
    "status": Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"],
    "from": Union[Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"], None],
    "at": str,
    "actor": str,
    "reason": Union[str, None],
})

OrderDetail = TypedDict("OrderDetail", {
    "id": str,
    "blueprintId": str,
    "deploymentId": Union[str, None],
    "releaseNumber": Union[int, None],
    "nodeId": Union[str, None],
    # The kind of node that raised it, or `manual`: a person or key did.
    "origin": Literal["order", "close", "exit", "manual"],
    "tokenId": str,
    "venue": Literal["venue-a", "venue-b", "crypto"],
    "title": str,
    # The source of the prices of its decision: simulated or live. Null for orders older than this field.
    "priceSource": Union[Literal["simulator", "live"], None],
    "side": Literal["buy", "sell"],
    "type": Literal["market", "limit"],
    "timeInForce": Literal["gtc", "gtx", "ioc", "fok"],
    # Quantity: contracts, shares or base coin.
    "amount": float,
    # The worst acceptable price; for a market order its price band.
    "limitPrice": float,
    # USD. Notional that the rules evaluated.
    "size": float,
    # USD.
    "worstFee": float,
    "filledAmount": float,
    "averagePrice": Union[float, None],
    # USD paid.
    "fees": float,
    "status": Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"],
    "reasonCode": Union[str, None],
    "reason": Union[str, None],
    "receipt": "RiskReceipt",
    # The second check, at approval.
    "approvalReceipt": Union["RiskReceipt", None],
    # Node values that led to it, with their times.
    "inputs": Any,
    # The quote at the decision.
    "decidedQuote": Any,
    "preapprovedRelease": Union[int, None],
    "approvedBy": Union[str, None],
    "cancelRequestedAt": Union[str, None],
    "createdAt": str,
    "updatedAt": str,
    "queuedAt": Union[str, None],
    "submittedAt": Union[str, None],
    "endedAt": Union[str, None],
    "expiresAt": Union[str, None],
    "version": int,
    "allocations": List["OrderDetailAllocationsItem"],
    "fills": List["OrderDetailFillsItem"],
    "timeline": List["OrderDetailTimelineItem"],
})
"""Everything about one order."""

RiskReceiptLinesItem = TypedDict("RiskReceiptLinesItem", {
    "rule": str,
    "limit": float,
    "actual": Union[float, None],
    "headroom": Union[float, None],
    "verdict": Literal["pass", "wait", "deny", "skipped"],
    "note": NotRequired[str],
})

RiskReceiptMarksItem = TypedDict("RiskReceiptMarksItem", {
    "tokenId": str,
    "amount": float,
    "price": Union[float, None],
    "asOf": Union[str, None],
    "ageSec": Union[float, None],
})

RiskReceipt = TypedDict("RiskReceipt", {
    "decidedAt": str,
    "rulesVersion": int,
    "rules": "RiskRules",
    "lines": List["RiskReceiptLinesItem"],
    "marks": List["RiskReceiptMarksItem"],
})
"""The measured values and verdict of each rule."""

RiskRules = TypedDict("RiskRules", {
    # USD. A larger buy is denied; 0 allows exits only.
    "maxOrderSize": float,
    # USD. Buys are denied once the day (00:00 UTC) has lost this much.
    "maxDailyLoss": float,
    # Distinct instruments held or being bought.
    "maxOpenPositions": float,
    # Orders cleared for sending in any 60 seconds.
    "maxOrdersPerMinute": float,
    # Seconds after a losing sell in which buys are denied.
    "cooldownAfterLossSec": float,
    # USD. A larger order waits for a person.
    "requireApprovalAbove": float,
})
"""Constraints checked before every order of the account."""

PortfolioSummary = TypedDict("PortfolioSummary", {
    "runningBlueprints": float,
    # Distinct instruments held.
    "openPositions": float,
    # Intents that wait for approval.
    "pendingOrders": float,
    # USD. Realized plus unrealized at marks, after fees.
    "totalPnl": float,
})

Position = TypedDict("Position", {
    "tokenId": str,
    "venue": Literal["venue-a", "venue-b", "crypto"],
    "title": str,
    "amount": float,
    # Reserved by live sells.
    "amountClosing": float,
    # USD per unit, fees not included.
    "averageCost": float,
    # USD. Best bid; null until the first quote.
    "markPrice": Union[float, None],
    "unrealizedPnl": Union[float, None],
    "realizedPnl": float,
    "blueprintId": str,
    "openedAt": str,
    "updatedAt": str,
    # Live mode only: the whole holding is below the venue’s minimum sell size. It is no open position.
    "isDust": NotRequired[Literal[True]],
})
"""One blueprint’s holding of one instrument."""

ClosePositionIntent = TypedDict("ClosePositionIntent", {
    # The sell order intent; its order has the same id.
    "intentId": str,
    "status": Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"],
    "amount": float,
})

WrittenOffPosition = TypedDict("WrittenOffPosition", {
    "tokenId": str,
    "amount": float,
    # USD per unit, as stated.
    "value": float,
    # USD.
    "realizedPnl": float,
})

EquityPoint = TypedDict("EquityPoint", {
    "at": str,
    # USD. Cash plus positions at their marks.
    "equity": float,
    "cash": float,
    "realizedPnl": float,
    "unrealizedPnl": float,
})

OrderPreviewDenial1 = TypedDict("OrderPreviewDenial1", {
    "rule": str,
    "limit": float,
    "actual": float,
    "message": str,
})

OrderPreview = TypedDict("OrderPreview", {
    # `queued`: it would be sent at once.
    "verdict": Literal["queued", "pending", "denied"],
    # On the venue’s step.
    "amount": float,
    "limitPrice": float,
    # USD.
    "size": float,
    # USD.
    "worstFee": float,
    "receipt": "RiskReceipt",
    "denial": Union["OrderPreviewDenial1", None],
    # An unwanted effect: a partial sale may leave less than the venue’s minimum sell size.
    "warning": Union[str, None],
})
"""The verdict of the risk rules on an order."""

RiskUsageLinesItem = TypedDict("RiskUsageLinesItem", {
    "rule": str,
    "limit": float,
    "used": Union[float, None],
    "headroom": Union[float, None],
    "note": NotRequired[str],
})

RiskUsage = TypedDict("RiskUsage", {
    "at": str,
    "rulesVersion": int,
    "lines": List["RiskUsageLinesItem"],
})
"""The used part of each rule now."""

OptionalRiskRules = TypedDict("OptionalRiskRules", {
    # USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off.
    "maxPositionSize": Union[float, None],
    # USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off.
    "maxVenueExposure": Union[float, None],
    # USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off.
    "maxGrossExposure": Union[float, None],
    # USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off.
    "maxBlueprintBudget": Union[float, None],
    # USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off.
    "maxDrawdown": Union[float, None],
})
"""Further limits of the account. Null: off."""

ApiKey = TypedDict("ApiKey", {
    "id": str,
    "name": str,
    # First characters of the key, prefix included.
    "start": str,
    "last4": str,
    "scopes": List[str],
    "createdAt": str,
    # Null: never.
    "expiresAt": Union[str, None],
    # To the minute.
    "lastUsedAt": Union[str, None],
    "revokedAt": Union[str, None],
})
"""Metadata of an API key; never the secret."""

CreatedApiKey = TypedDict("CreatedApiKey", {
    "id": str,
    # The secret. Shown only in this answer; only its hash is stored.
    "key": str,
    "name": str,
    "scopes": List[str],
    "expiresAt": Union[str, None],
    "createdAt": str,
})
"""A new key, with its secret."""

AgentKeyEnvelope1 = TypedDict("AgentKeyEnvelope1", {
    # USD. A larger buy is denied. Absent: only the risk rules bound it.
    "maxOrder": NotRequired[float],
    # USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied.
    "maxDay": NotRequired[float],
    # The blueprints it may trade for; absent: all.
    "blueprintIds": NotRequired[List[str]],
    # Every order of the key waits for a person’s approval, however small. The key itself approves none.
    "alwaysApprove": NotRequired[Literal[True]],
    # Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused.
    "allowsUntried": NotRequired[Literal[True]],
})

AgentKeyClient1 = TypedDict("AgentKeyClient1", {
    # The name that the client gave itself.
    "name": str,
    # The host that access was sent to.
    "host": str,
})

AgentKey = TypedDict("AgentKey", {
    "id": str,
    "name": str,
    # First characters of the key, prefix included.
    "start": str,
    "last4": str,
    "scopes": List[str],
    "createdAt": str,
    # Null: never.
    "expiresAt": Union[str, None],
    # To the minute.
    "lastUsedAt": Union[str, None],
    "revokedAt": Union[str, None],
    # The mode whose money it moves. Cannot be changed.
    "mode": Literal["paper", "live"],
    "envelope": Union["AgentKeyEnvelope1", None],
    # The connected client that holds the key; null for a key that a person keeps.
    "client": Union["AgentKeyClient1", None],
})
"""Metadata of a key with its mode and spending limits; never the secret."""

CreatedAgentKeyEnvelope1 = TypedDict("CreatedAgentKeyEnvelope1", {
    # USD. A larger buy is denied. Absent: only the risk rules bound it.
    "maxOrder": NotRequired[float],
    # USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied.
    "maxDay": NotRequired[float],
    # The blueprints it may trade for; absent: all.
    "blueprintIds": NotRequired[List[str]],
    # Every order of the key waits for a person’s approval, however small. The key itself approves none.
    "alwaysApprove": NotRequired[Literal[True]],
    # Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused.
    "allowsUntried": NotRequired[Literal[True]],
})

CreatedAgentKey = TypedDict("CreatedAgentKey", {
    "id": str,
    # The secret. Shown only in this answer; only its hash is stored.
    "key": str,
    "name": str,
    "scopes": List[str],
    "expiresAt": Union[str, None],
    "createdAt": str,
    # The mode whose money it moves. Cannot be changed.
    "mode": Literal["paper", "live"],
    "envelope": Union["CreatedAgentKeyEnvelope1", None],
})
"""A new key with its spending limits, and its secret."""

VenueConnectionChecksItem = TypedDict("VenueConnectionChecksItem", {
    "name": str,
    "state": Literal["green", "red", "grey"],
    # The finding.
    "value": Union[str, None],
    # The problem and the remedy; null if the check passed.
    "reason": Union[str, None],
    "at": str,
})

VenueConnection = TypedDict("VenueConnection", {
    "id": str,
    "venue": Literal["venue-a", "venue-b", "crypto"],
    "environment": Literal["demo", "testnet", "live"],
    "label": str,
    # `ready`: all orders may be sent. `reduce_only`: no entries. `halted`: cancels only, until a person resumes it. `unverified`: not all of its checks have passed yet.
    "state": Literal["unverified", "ready", "reduce_only", "halted", "expired", "revoked"],
    # Why, stable.
    "stateCode": Union[str, None],
    # The reason for the state, in words.
    "stateReason": Union[str, None],
    "stateAt": str,
    # Last characters of the public name of the key.
    "keyHint": str,
    # The identity of the account at the venue.
    "fingerprint": Union[str, None],
    "permissions": Union[List[str], None],
    "keyExpiresAt": Union[str, None],
    # USD. Largest entry; null: no limit of its own.
    "maxOrder": Union[float, None],
    # USD. Entries of a UTC day together.
    "maxDay": Union[float, None],
    # USD. Open entries and positions together.
    "maxOpenNotional": Union[float, None],
    # How far the venue's clock is ahead.
    "clockOffsetMs": Union[int, None],
    "checks": List["VenueConnectionChecksItem"],
    "checkedAt": Union[str, None],
    # Null: no check is pending.
    "checkRequestedAt": Union[str, None],
    "reconciledAt": Union[str, None],
    "createdAt": str,
    "updatedAt": str,
})
"""An account at a venue. Its credentials are in no answer."""

VenueDifference = TypedDict("VenueDifference", {
    "id": str,
    # `in_flight` and `lag` disappear on their own. `external_order` and `external_fill`: not placed by this service. `transfer`: money from or to outside. `fee`: another fee than the booked one. `unredeemed`: won and not paid out. `netting`: both sides of a question paid out against each other. `unexplained`: none of these.
    "kind": Literal["in_flight", "lag", "external_order", "external_fill", "transfer", "fee", "unredeemed", "netting", "unexplained"],
    # Its subject, by the names of the venue.
    "subject": str,
    # The amount in the books; for cash in USD.
    "ours": Union[float, None],
    # The amount at the venue.
    "theirs": Union[float, None],
    # USD; null if the worth is unknown.
    "worth": Union[float, None],
    "tokenId": Union[str, None],
    # Side of an order or a trade.
    "side": Union[Literal["buy", "sell"], None],
    # USD per unit, for an order or a trade.
    "price": Union[float, None],
    # The id of our order, if it is about one.
    "orderId": Union[str, None],
    "firstSeen": str,
    # The time since which it has its kind.
    "since": str,
    "lastSeen": str,
    # `gone`: it no longer exists. `booked`: the books were moved to match the venue. `explained`: it stays, and is known.
    "state": Literal["open", "gone", "booked", "explained"],
    "note": Union[str, None],
    "resolvedBy": Union[str, None],
    "resolvedAt": Union[str, None],
})
"""A difference between a venue account and its books, open or resolved."""

NotificationChannelQuietHours1 = TypedDict("NotificationChannelQuietHours1", {
    "from": str,
    "to": str,
    "zone": str,
})

NotificationChannel = TypedDict("NotificationChannel", {
    "id": str,
    "kind": Literal["webhook", "slack", "discord", "telegram", "email", "push"],
    "label": str,
    # The destination, without the parts that would let another person write there.
    "target": str,
    # `disabled`: by the service, because nothing arrived for three days, or the receiver is gone.
    "state": Literal["on", "off", "disabled"],
    "stateReason": Union[str, None],
    # `false` for a new webhook: it receives only tests, until it answers one with `data.challenge` of it.
    "proven": bool,
    "switches": "NotificationSwitches",
    "quietHours": Union["NotificationChannelQuietHours1", None],
    # Null: the last attempt succeeded.
    "failingSince": Union[str, None],
    # Null: none is queued.
    "nextTryAt": Union[str, None],
    "createdAt": str,
    "updatedAt": str,
})
"""A destination of an account's notifications. Its secrets are in no answer."""

NotificationSwitches = TypedDict("NotificationSwitches", {
    # An order waits for approval.
    "order.pending": Literal["off", "on", "always"],
    # An order was filled.
    "order.filled": Literal["off", "on", "always"],
    # A rule denied an order.
    "order.denied": Literal["off", "on", "always"],
    # A venue rejected an order.
    "order.rejected": Literal["off", "on", "always"],
    # A strategy stopped in error.
    "blueprint.error": Literal["off", "on", "always"],
    # A Notify step said something.
    "blueprint.said": Literal["off", "on", "always"],
    # A Notify step warned.
    "blueprint.warning": Literal["off", "on", "always"],
    # A Notify step said something critical.
    "blueprint.critical": Literal["off", "on", "always"],
    # 80 % of a limit is used.
    "rule.near_limit": Literal["off", "on", "always"],
    # A limit is reached.
    "rule.reached": Literal["off", "on", "always"],
    # A connection changed its state.
    "connection.changed": Literal["off", "on", "always"],
    # An API key expires soon.
    "key.expiring": Literal["off", "on", "always"],
    # Summary of the day.
    "summary.daily": Literal["off", "on", "always"],
    # Another channel was disabled.
    "channel.disabled": Literal["off", "on", "always"],
})
"""`always`: in quiet hours too."""

CreatedNotificationChannelQuietHours1 = TypedDict("CreatedNotificationChannelQuietHours1", {
    "from": str,
    "to": str,
    "zone": str,
})

CreatedNotificationChannel = TypedDict("CreatedNotificationChannel", {
    "id": str,
    "kind": Literal["webhook", "slack", "discord", "telegram", "email", "push"],
    "label": str,
    # The destination, without the parts that would let another person write there.
    "target": str,
    # `disabled`: by the service, because nothing arrived for three days, or the receiver is gone.
    "state": Literal["on", "off", "disabled"],
    "stateReason": Union[str, None],
    # `false` for a new webhook: it receives only tests, until it answers one with `data.challenge` of it.
    "proven": bool,
    "switches": "NotificationSwitches",
    "quietHours": Union["CreatedNotificationChannelQuietHours1", None],
    # Null: the last attempt succeeded.
    "failingSince": Union[str, None],
    # Null: none is queued.
    "nextTryAt": Union[str, None],
    "createdAt": str,
    "updatedAt": str,
    # The secret of a webhook, `whsec_…`, shown only in this answer; null for other kinds.
    "secret": Union[str, None],
})

NotificationDelivery = TypedDict("NotificationDelivery", {
    "id": str,
    "channelId": str,
    "channelLabel": str,
    # The `webhook-id`: the same in every delivery of it.
    "notificationId": str,
    "kind": str,
    # `expired`: no longer useful when its turn came. `refused`: the receiver accepts others, but not this one.
    "status": Literal["waiting", "delivered", "expired", "refused"],
    "replay": bool,
    "attempts": int,
    "notBefore": str,
    "lastAttemptAt": Union[str, None],
    # HTTP or SMTP status.
    "lastStatus": Union[int, None],
    "lastProblem": Union[str, None],
    "tookMs": Union[int, None],
    "createdAt": str,
    "endedAt": Union[str, None],
})
"""One notification on its way to one channel."""

AuditEvent = TypedDict("AuditEvent", {
    "id": str,
    "at": str,
    # `session:<user id>`, `key:<key id>`, `operator:<user id>` or `system`.
    "actor": str,
    "action": str,
    "subjectId": Union[str, None],
    # Any JSON value.
    "before": Any,
    # Any JSON value.
    "after": Any,
    "requestId": Union[str, None],
})
"""An actor and a change. Never changed or deleted."""

LedgerHead = TypedDict("LedgerHead", {
    # How many links the chain has.
    "number": int,
    # SHA-256 of the last link, as hexadecimal digits; null while there is none.
    "hash": Union[str, None],
})
"""The last link of the chain over an account’s history."""

ErrorErrorIssuesItem = TypedDict("ErrorErrorIssuesItem", {
    # JSON Pointer into the request.
    "path": str,
    "code": str,
    "message": str,
})

ErrorError = TypedDict("ErrorError", {
    # The problem, the value, the limit and the remedy.
    "message": str,
    # Stable; for programs.
    "code": Literal["validation_failed", "malformed_json", "payload_too_large", "unsupported_media_type", "cursor_invalid", "idempotency_key_invalid", "blueprint_invalid", "credentials_missing", "credentials_invalid", "insufficient_scope", "session_required", "account_suspended", "live_trading_off", "outside_envelope", "csrf_rejected", "paper_run_missing", "blueprint_running", "blueprint_holds_positions", "invalid_state", "intent_not_pending", "intent_expired", "price_moved", "risk_rule_violated", "no_liquidity", "market_not_open", "credentials_not_kept", "mail_off", "password_required", "quota_exceeded", "backtest_too_large", "not_found", "route_not_found", "idempotency_key_in_use", "idempotency_key_reused", "idempotency_replay_unavailable", "precondition_failed", "rate_limited", "too_many_auth_failures", "internal", "database_unavailable", "account_moving", "no_runner", "quote_unavailable", "upstream_unavailable", "archived_unavailable", "overloaded", "shutting_down"],
    "issues": NotRequired[List["ErrorErrorIssuesItem"]],
    # Also in `X-Request-Id`; quote it when asking for help.
    "requestId": str,
})
"""The reason for the refusal."""

Error = TypedDict("Error", {
    # The reason for the refusal.
    "error": "ErrorError",
    # The same text again: a client may read either.
    "message": str,
})
"""Why the request was refused."""

OrderChangedEventPayload = TypedDict("OrderChangedEventPayload", {
    # The order.
    "id": str,
    # The blueprint it is about.
    "blueprintId": str,
    # The instrument.
    "tokenId": str,
    "side": Literal["buy", "sell"],
    # The status it has now.
    "status": Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"],
})

OrderChangedEvent = TypedDict("OrderChangedEvent", {
    "type": Literal["order.changed"],
    "at": str,
    "payload": "OrderChangedEventPayload",
})
"""Event `order.changed`: an order came to be or changed its status."""

FillAppliedEventPayload = TypedDict("FillAppliedEventPayload", {
    # The order that was executed.
    "orderId": str,
    # The instrument.
    "tokenId": str,
    # The blueprint it is about.
    "blueprintId": str,
    # Executions that were booked at once.
    "fills": float,
})

FillAppliedEvent = TypedDict("FillAppliedEvent", {
    "type": Literal["fill.applied"],
    "at": str,
    "payload": "FillAppliedEventPayload",
})
"""Event `fill.applied`: an execution was booked."""

PositionChangedEventPayload = TypedDict("PositionChangedEventPayload", {
    # The instrument.
    "tokenId": str,
    # The blueprint it is about.
    "blueprintId": str,
    # The order that changed it, where one did.
    "orderId": NotRequired[str],
    # What a unit paid at settlement, USD.
    "settled": NotRequired[str],
    # What a unit was written off at, USD.
    "writtenOff": NotRequired[str],
})

PositionChangedEvent = TypedDict("PositionChangedEvent", {
    "type": Literal["position.changed"],
    "at": str,
    "payload": "PositionChangedEventPayload",
})
"""Event `position.changed`: a holding grew, shrank, was settled or written off."""

RiskRulesChangedEventPayload = TypedDict("RiskRulesChangedEventPayload", {
    # The version the rules have now.
    "version": float,
})

RiskRulesChangedEvent = TypedDict("RiskRulesChangedEvent", {
    "type": Literal["risk_rules.changed"],
    "at": str,
    "payload": "RiskRulesChangedEventPayload",
})
"""Event `risk_rules.changed`: the limits have another version."""

DailyLossTrippedEventPayload = TypedDict("DailyLossTrippedEventPayload", {
    # When, ISO 8601.
    "at": str,
    # The loss of the day, USD.
    "loss": str,
    # The limit, USD.
    "limit": str,
})

DailyLossTrippedEvent = TypedDict("DailyLossTrippedEvent", {
    "type": Literal["daily_loss.tripped"],
    "at": str,
    "payload": "DailyLossTrippedEventPayload",
})
"""Event `daily_loss.tripped`: the loss of the day reached its limit."""

DrawdownTrippedEventPayload = TypedDict("DrawdownTrippedEventPayload", {
    # When, ISO 8601.
    "at": str,
    # How far profit is below its highest, USD.
    "below": str,
    "limit": Union[str, None],
})

DrawdownTrippedEvent = TypedDict("DrawdownTrippedEvent", {
    "type": Literal["drawdown.tripped"],
    "at": str,
    "payload": "DrawdownTrippedEventPayload",
})
"""Event `drawdown.tripped`: the fall from the highest profit reached its limit."""

BlueprintChangedEventPayload = TypedDict("BlueprintChangedEventPayload", {
    # The blueprint.
    "id": str,
    # The status it has now, where it changed.
    "status": NotRequired[Literal["draft", "running", "error", "stopped"]],
    "deploymentId": NotRequired[str],
    # What failed, in words.
    "error": NotRequired[str],
    # What failed, for programs.
    "code": NotRequired[str],
    "deleted": NotRequired[bool],
    "tags": NotRequired[List[str]],
})

BlueprintChangedEvent = TypedDict("BlueprintChangedEvent", {
    "type": Literal["blueprint.changed"],
    "at": str,
    "payload": "BlueprintChangedEventPayload",
})
"""Event `blueprint.changed`: a blueprint was deployed, stopped, tagged or deleted, or failed."""

ConnectionChangedEventPayload = TypedDict("ConnectionChangedEventPayload", {
    # The connection.
    "id": str,
    "state": Literal["unverified", "ready", "reduce_only", "halted", "expired", "revoked"],
    # Why, for programs.
    "stateCode": Union[str, None],
})

ConnectionChangedEvent = TypedDict("ConnectionChangedEvent", {
    "type": Literal["connection.changed"],
    "at": str,
    "payload": "ConnectionChangedEventPayload",
})
"""Event `connection.changed`: a connection to a venue has another state."""

BacktestFinishedEventPayload = TypedDict("BacktestFinishedEventPayload", {
    "backtestId": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
})

BacktestFinishedEvent = TypedDict("BacktestFinishedEvent", {
    "type": Literal["backtest.finished"],
    "at": str,
    "payload": "BacktestFinishedEventPayload",
})
"""Event `backtest.finished`: a backtest came to its end."""

SweepFinishedEventPayload = TypedDict("SweepFinishedEventPayload", {
    "sweepId": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
})

SweepFinishedEvent = TypedDict("SweepFinishedEvent", {
    "type": Literal["sweep.finished"],
    "at": str,
    "payload": "SweepFinishedEventPayload",
})
"""Event `sweep.finished`: a sweep came to its end."""

NoticeRaisedEventPayload = TypedDict("NoticeRaisedEventPayload", {
    # The kind of notification it becomes.
    "kind": str,
})

NoticeRaisedEvent = TypedDict("NoticeRaisedEvent", {
    "type": Literal["notice.raised"],
    "at": str,
    "payload": "NoticeRaisedEventPayload",
})
"""Event `notice.raised`: a limit is nearly used, a key ends soon, a day is over, a channel was disabled."""

NotificationEventPayload = TypedDict("NotificationEventPayload", {
    "kind": str,
    # What a person should read.
    "text": str,
})

NotificationEvent = TypedDict("NotificationEvent", {
    "type": Literal["notification"],
    "at": str,
    "payload": "NotificationEventPayload",
})
"""Event `notification`: something a person should read."""

ResyncEventPayload = TypedDict("ResyncEventPayload", {
})

ResyncEvent = TypedDict("ResyncEvent", {
    "type": Literal["resync"],
    "at": str,
    "payload": "ResyncEventPayload",
})
"""Some missed events are no longer stored: read the resources again."""

AccountEvent = Union["OrderChangedEvent", "FillAppliedEvent", "PositionChangedEvent", "RiskRulesChangedEvent", "DailyLossTrippedEvent", "DrawdownTrippedEvent", "BlueprintChangedEvent", "ConnectionChangedEvent", "BacktestFinishedEvent", "SweepFinishedEvent", "NoticeRaisedEvent", "NotificationEvent", "ResyncEvent"]
"""One event of the stream, by its `type`."""

PriceValuePayload = TypedDict("PriceValuePayload", {
    # The instrument.
    "tokenId": str,
    # Best bid; null if there is none or it is not known.
    "bid": Union[float, None],
    # Quantity at the best bid.
    "bidSize": Union[float, None],
    # Best ask; null if there is none or it is not known.
    "ask": Union[float, None],
    # Quantity at the best ask.
    "askSize": Union[float, None],
    # False if bid and ask say nothing about the market.
    "isTopOfBookKnown": bool,
    # Price of the last trade, if the venue states it.
    "last": Union[float, None],
    # Volume of 24 hours: contracts at venue A, else USD.
    "volume24h": Union[float, None],
    # Relative change in 24 hours, if the venue states it: 0.05 is +5 %.
    "change24h": Union[float, None],
    "marketStatus": Literal["open", "paused", "closed", "settled"],
    # When the venue answered, by the clock of the market data.
    "asOf": str,
})

PriceValue = TypedDict("PriceValue", {
    "type": Literal["price"],
    "at": str,
    "payload": "PriceValuePayload",
})
"""Message `price`: the best prices of an instrument changed."""

BookValuePayloadBidsItem = TypedDict("BookValuePayloadBidsItem", {
    # Price.
    "price": float,
    # Quantity at this price.
    "size": float,
})

BookValuePayloadAsksItem = TypedDict("BookValuePayloadAsksItem", {
    # Price.
    "price": float,
    # Quantity at this price.
    "size": float,
})

BookValuePayload = TypedDict("BookValuePayload", {
    # The instrument.
    "tokenId": str,
    # Bids, best first, at most 20.
    "bids": List["BookValuePayloadBidsItem"],
    # Asks, best first, at most 20.
    "asks": List["BookValuePayloadAsksItem"],
    # When the venue answered, by the clock of the market data.
    "asOf": str,
})

BookValue = TypedDict("BookValue", {
    "type": Literal["book"],
    "at": str,
    "payload": "BookValuePayload",
})
"""Message `book`: the order book of an instrument changed."""

NodesValuePayload = TypedDict("NodesValuePayload", {
    # The blueprint.
    "blueprintId": str,
    "status": Literal["draft", "running", "error", "stopped"],
    # The latest deployment; null if none.
    "deploymentId": Union[str, None],
    # State per node of the latest deployment.
    "nodeStates": Any,
})

NodesValue = TypedDict("NodesValue", {
    "type": Literal["nodes"],
    "at": str,
    "payload": "NodesValuePayload",
})
"""Message `nodes`: node values or the status of a blueprint changed."""

UnavailableValuePayload = TypedDict("UnavailableValuePayload", {
    # The value that is missing.
    "of": Literal["price", "book", "nodes"],
    # Its instrument or blueprint.
    "id": str,
    # `not_found`: unknown or deleted. `upstream_unavailable`: the venue does not respond.
    "code": Literal["not_found", "upstream_unavailable"],
})

UnavailableValue = TypedDict("UnavailableValue", {
    "type": Literal["unavailable"],
    "at": str,
    "payload": "UnavailableValuePayload",
})
"""Message `unavailable`: a value cannot be read now; its next value ends this."""

StreamedValue = Union["PriceValue", "BookValue", "NodesValue", "UnavailableValue"]
"""One message of the stream of values, by its `type`."""

SystemHealthAnswer = TypedDict("SystemHealthAnswer", {
    "status": Literal["ok"],
})

SystemReadyAnswer = TypedDict("SystemReadyAnswer", {
    "status": Literal["ready"],
    "warnings": NotRequired[List[Literal["no_runner"]]],
})

HistoryCancelImportAnswer = TypedDict("HistoryCancelImportAnswer", {
    # True on success.
    "ok": bool,
    # The order intent.
    "id": str,
})

BlueprintsStopAllAnswer = TypedDict("BlueprintsStopAllAnswer", {
    # How many were stopped.
    "stopped": int,
})

BlueprintsValidateDrawingAnswerIssuesItem = TypedDict("BlueprintsValidateDrawingAnswerIssuesItem", {
    "nodeId": Union[str, None],
    # JSON Pointer into `visual`.
    "path": str,
    "code": str,
    "severity": Literal["error", "warning"],
    "message": str,
})

BlueprintsValidateDrawingAnswerSentencesItem = TypedDict("BlueprintsValidateDrawingAnswerSentencesItem", {
    "nodeId": str,
    "text": str,
})

BlueprintsValidateDrawingAnswer = TypedDict("BlueprintsValidateDrawingAnswer", {
    "valid": bool,
    "issues": List["BlueprintsValidateDrawingAnswerIssuesItem"],
    "sentences": List["BlueprintsValidateDrawingAnswerSentencesItem"],
})

BlueprintsDeleteAnswer = TypedDict("BlueprintsDeleteAnswer", {
    "deleted": bool,
})

BlueprintsRedeployParametersValue5 = TypedDict("BlueprintsRedeployParametersValue5", {
    "series": str,
    "venue": Literal["venue-a", "venue-b"],
    "outcome": str,
})

BlueprintsValidateAnswerIssuesItem = TypedDict("BlueprintsValidateAnswerIssuesItem", {
    "nodeId": Union[str, None],
    # JSON Pointer into `visual`.
    "path": str,
    "code": str,
    "severity": Literal["error", "warning"],
    "message": str,
})

BlueprintsValidateAnswer = TypedDict("BlueprintsValidateAnswer", {
    "valid": bool,
    "issues": List["BlueprintsValidateAnswerIssuesItem"],
})

BlueprintsExplainAnswerSentencesItem = TypedDict("BlueprintsExplainAnswerSentencesItem", {
    "nodeId": str,
    "text": str,
})

BlueprintsExplainAnswer = TypedDict("BlueprintsExplainAnswer", {
    "sentences": List["BlueprintsExplainAnswerSentencesItem"],
})

BacktestsStartData = TypedDict("BacktestsStartData", {
    "source": NotRequired[Literal["auto", "recorded", "bars"]],
    "detail": NotRequired[Literal["auto", "1s", "1m", "none"]],
    "substitute": NotRequired[Dict[str, List[str]]],
})
"""The history to use."""

BacktestsStartFills = TypedDict("BacktestsStartFills", {
    "latencyMs": NotRequired[int],
    "halfSpread": NotRequired[Union[Literal["auto"], str]],
    "slippageTicks": NotRequired[int],
    "liquidity": NotRequired[Literal["share", "unlimited"]],
    "share": NotRequired[str],
    # Paths inside bars: drawn from all that fit (`likely`), from those that reach one extreme first, or all three, of which the lowest end is shown (`both`).
    "highLow": NotRequired[Literal["likely", "high_first", "low_first", "both"]],
})
"""How orders are filled."""

BacktestsStartRiskRules2 = TypedDict("BacktestsStartRiskRules2", {
    # USD. A larger buy is denied; 0 allows exits only.
    "maxOrderSize": float,
    # USD. Buys are denied once the day (00:00 UTC) has lost this much.
    "maxDailyLoss": float,
    # Distinct instruments held or being bought.
    "maxOpenPositions": int,
    # Orders cleared for sending in any 60 seconds.
    "maxOrdersPerMinute": int,
    # Seconds after a losing sell in which buys are denied.
    "cooldownAfterLossSec": int,
    # USD. A larger order waits for a person.
    "requireApprovalAbove": float,
    # USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off.
    "maxPositionSize": NotRequired[Union[float, None]],
    # USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off.
    "maxVenueExposure": NotRequired[Union[float, None]],
    # USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off.
    "maxGrossExposure": NotRequired[Union[float, None]],
    # USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off.
    "maxBlueprintBudget": NotRequired[Union[float, None]],
    # USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off.
    "maxDrawdown": NotRequired[Union[float, None]],
})

BacktestsStartRiskApprovals = TypedDict("BacktestsStartRiskApprovals", {
    "policy": NotRequired[Literal["auto", "never"]],
    "delaySec": NotRequired[int],
})

BacktestsStartRisk = TypedDict("BacktestsStartRisk", {
    "rules": NotRequired[Union[Literal["account"], "BacktestsStartRiskRules2"]],
    "approvals": NotRequired["BacktestsStartRiskApprovals"],
})
"""The rules, and the approvals."""

BacktestsStartAnswer = TypedDict("BacktestsStartAnswer", {
    "id": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    # SHA-256 of every input of the result.
    "requestHash": str,
    # The earlier run with the same result.
    "reusedFrom": Union[str, None],
})

BacktestsDeleteAnswer = TypedDict("BacktestsDeleteAnswer", {
    "deleted": bool,
})

BacktestsCancelAnswer = TypedDict("BacktestsCancelAnswer", {
    # True on success.
    "ok": bool,
    # The order intent.
    "id": str,
})

SweepsStartData = TypedDict("SweepsStartData", {
    "source": NotRequired[Literal["auto", "recorded", "bars"]],
    "detail": NotRequired[Literal["auto", "1s", "1m", "none"]],
    "substitute": NotRequired[Dict[str, List[str]]],
})
"""The history to use."""

SweepsStartFills = TypedDict("SweepsStartFills", {
    "latencyMs": NotRequired[int],
    "halfSpread": NotRequired[Union[Literal["auto"], str]],
    "slippageTicks": NotRequired[int],
    "liquidity": NotRequired[Literal["share", "unlimited"]],
    "share": NotRequired[str],
    # Paths inside bars: drawn from all that fit (`likely`), from those that reach one extreme first, or all three, of which the lowest end is shown (`both`).
    "highLow": NotRequired[Literal["likely", "high_first", "low_first", "both"]],
})
"""How orders are filled."""

SweepsStartRiskRules2 = TypedDict("SweepsStartRiskRules2", {
    # USD. A larger buy is denied; 0 allows exits only.
    "maxOrderSize": float,
    # USD. Buys are denied once the day (00:00 UTC) has lost this much.
    "maxDailyLoss": float,
    # Distinct instruments held or being bought.
    "maxOpenPositions": int,
    # Orders cleared for sending in any 60 seconds.
    "maxOrdersPerMinute": int,
    # Seconds after a losing sell in which buys are denied.
    "cooldownAfterLossSec": int,
    # USD. A larger order waits for a person.
    "requireApprovalAbove": float,
    # USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off.
    "maxPositionSize": NotRequired[Union[float, None]],
    # USD. At stake at one venue: what is held at cost, and what buys there may still cost with their fees. Null: off.
    "maxVenueExposure": NotRequired[Union[float, None]],
    # USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off.
    "maxGrossExposure": NotRequired[Union[float, None]],
    # USD. At stake by any one blueprint: what it holds at cost, and what its buys may still cost with their fees. Null: off.
    "maxBlueprintBudget": NotRequired[Union[float, None]],
    # USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off.
    "maxDrawdown": NotRequired[Union[float, None]],
})

SweepsStartRiskApprovals = TypedDict("SweepsStartRiskApprovals", {
    "policy": NotRequired[Literal["auto", "never"]],
    "delaySec": NotRequired[int],
})

SweepsStartRisk = TypedDict("SweepsStartRisk", {
    "rules": NotRequired[Union[Literal["account"], "SweepsStartRiskRules2"]],
    "approvals": NotRequired["SweepsStartRiskApprovals"],
})
"""The rules, and the approvals."""

SweepsStartSpaceDimensionsItem1 = TypedDict("SweepsStartSpaceDimensionsItem1", {
    # JSON Pointer into the graph.
    "pointer": str,
    "values": List[Union[float, str, bool]],
})

SweepsStartSpaceDimensionsItem2 = TypedDict("SweepsStartSpaceDimensionsItem2", {
    # JSON Pointer into the graph.
    "pointer": str,
    "from": float,
    "to": float,
    "step": float,
})

SweepsStartSpaceConstraintsItem = TypedDict("SweepsStartSpaceConstraintsItem", {
    # JSON Pointer into the graph.
    "less": str,
    # JSON Pointer into the graph.
    "than": str,
})

SweepsStartSpace = TypedDict("SweepsStartSpace", {
    # Settings of the graph, each with the values to try, or a range in steps.
    "dimensions": List[Union["SweepsStartSpaceDimensionsItem1", "SweepsStartSpaceDimensionsItem2"]],
    # Only combinations in which one number is below another are tried.
    "constraints": NotRequired[List["SweepsStartSpaceConstraintsItem"]],
})

SweepsStartSearch1 = TypedDict("SweepsStartSearch1", {
    "kind": Literal["grid"],
})

SweepsStartSearch2 = TypedDict("SweepsStartSearch2", {
    "kind": Literal["random"],
    "count": int,
    "seed": int,
})

SweepsStartObjective = TypedDict("SweepsStartObjective", {
    "statistic": Literal["sharpe", "sortino", "calmar", "totalReturn", "netProfit", "profitFactor", "expectancy", "sqn"],
    # Trials with fewer trades are not ranked; 30 by default.
    "minTrades": NotRequired[int],
})
"""The figure that ranks trials; the Sharpe ratio by default."""

SweepsStartWalkForward1 = TypedDict("SweepsStartWalkForward1", {
    "trainDays": int,
    "testDays": int,
    # From one fold to the next; as testDays by default.
    "stepDays": NotRequired[int],
    # Training always begins at the start.
    "isAnchored": NotRequired[bool],
    # The assumed holding time of a position, part of the embargo. 1 by default.
    "holdingDays": NotRequired[int],
})

SweepsStartAnswer = TypedDict("SweepsStartAnswer", {
    "id": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    # Trials over the range and in folds, if all combinations compile.
    "runsAtMost": int,
})

SweepsDeleteAnswer = TypedDict("SweepsDeleteAnswer", {
    "deleted": bool,
})

SweepsCancelAnswer = TypedDict("SweepsCancelAnswer", {
    # True on success.
    "ok": bool,
    # The order intent.
    "id": str,
})

SignalsSendAnswer = TypedDict("SignalsSendAnswer", {
    "received": bool,
    # It had arrived before, and changed nothing.
    "duplicate": bool,
    "value": float,
    # When it first arrived.
    "at": str,
})

SignalsRemoveAnswer = TypedDict("SignalsRemoveAnswer", {
    "deleted": bool,
})

OrdersApproveAnswer = TypedDict("OrdersApproveAnswer", {
    # True on success.
    "ok": bool,
    # The order intent.
    "id": str,
})

OrdersRejectAnswer = TypedDict("OrdersRejectAnswer", {
    # True on success.
    "ok": bool,
    # The order intent.
    "id": str,
})

OrdersCancelAnswer = TypedDict("OrdersCancelAnswer", {
    # True on success.
    "ok": bool,
    # The order intent.
    "id": str,
})

ApiKeysRevokeAnswer = TypedDict("ApiKeysRevokeAnswer", {
    # True on success.
    "revoked": bool,
})

NotificationsOptionsAnswerKindsItem = TypedDict("NotificationsOptionsAnswerKindsItem", {
    "kind": Literal["order.pending", "order.filled", "order.denied", "order.rejected", "blueprint.error", "blueprint.said", "blueprint.warning", "blueprint.critical", "rule.near_limit", "rule.reached", "connection.changed", "key.expiring", "summary.daily", "channel.disabled"],
    "title": str,
    "usual": Literal["off", "on", "always"],
})

NotificationsOptionsAnswer = TypedDict("NotificationsOptionsAnswer", {
    "kinds": List["NotificationsOptionsAnswerKindsItem"],
    "channels": List[Literal["webhook", "slack", "discord", "telegram", "email", "push"]],
    # The address of the owner of the account: e-mail goes to no other address.
    "emails": List[str],
    # The `applicationServerKey` of a subscription.
    "pushKey": Union[str, None],
})

NotificationsCreateSubscriptionKeys = TypedDict("NotificationsCreateSubscriptionKeys", {
    "p256dh": str,
    "auth": str,
})

NotificationsCreateSubscription = TypedDict("NotificationsCreateSubscription", {
    "endpoint": str,
    "expirationTime": NotRequired[Union[float, None]],
    "keys": "NotificationsCreateSubscriptionKeys",
})
"""Of `push`: what the browser’s `PushSubscription.toJSON()` says."""

NotificationsCreateSwitches = TypedDict("NotificationsCreateSwitches", {
    "order.pending": NotRequired[Literal["off", "on", "always"]],
    "order.filled": NotRequired[Literal["off", "on", "always"]],
    "order.denied": NotRequired[Literal["off", "on", "always"]],
    "order.rejected": NotRequired[Literal["off", "on", "always"]],
    "blueprint.error": NotRequired[Literal["off", "on", "always"]],
    "blueprint.said": NotRequired[Literal["off", "on", "always"]],
    "blueprint.warning": NotRequired[Literal["off", "on", "always"]],
    "blueprint.critical": NotRequired[Literal["off", "on", "always"]],
    "rule.near_limit": NotRequired[Literal["off", "on", "always"]],
    "rule.reached": NotRequired[Literal["off", "on", "always"]],
    "connection.changed": NotRequired[Literal["off", "on", "always"]],
    "key.expiring": NotRequired[Literal["off", "on", "always"]],
    "summary.daily": NotRequired[Literal["off", "on", "always"]],
    "channel.disabled": NotRequired[Literal["off", "on", "always"]],
})
"""`off`, `on` or `always` (in quiet hours too) by kind; a kind that is not named stays."""

NotificationsCreateQuietHours1 = TypedDict("NotificationsCreateQuietHours1", {
    "from": str,
    "to": str,
    # By its name in the IANA database.
    "zone": str,
})
"""Kinds that are `on` wait for their end. They span midnight if `from` is after `to`."""

NotificationsUpdateSwitches = TypedDict("NotificationsUpdateSwitches", {
    "order.pending": NotRequired[Literal["off", "on", "always"]],
    "order.filled": NotRequired[Literal["off", "on", "always"]],
    "order.denied": NotRequired[Literal["off", "on", "always"]],
    "order.rejected": NotRequired[Literal["off", "on", "always"]],
    "blueprint.error": NotRequired[Literal["off", "on", "always"]],
    "blueprint.said": NotRequired[Literal["off", "on", "always"]],
    "blueprint.warning": NotRequired[Literal["off", "on", "always"]],
    "blueprint.critical": NotRequired[Literal["off", "on", "always"]],
    "rule.near_limit": NotRequired[Literal["off", "on", "always"]],
    "rule.reached": NotRequired[Literal["off", "on", "always"]],
    "connection.changed": NotRequired[Literal["off", "on", "always"]],
    "key.expiring": NotRequired[Literal["off", "on", "always"]],
    "summary.daily": NotRequired[Literal["off", "on", "always"]],
    "channel.disabled": NotRequired[Literal["off", "on", "always"]],
})
"""`off`, `on` or `always` (in quiet hours too) by kind; a kind that is not named stays."""

NotificationsUpdateQuietHours1 = TypedDict("NotificationsUpdateQuietHours1", {
    "from": str,
    "to": str,
    # By its name in the IANA database.
    "zone": str,
})
"""Kinds that are `on` wait for their end. They span midnight if `from` is after `to`."""

NotificationsUpdateSubscriptionKeys = TypedDict("NotificationsUpdateSubscriptionKeys", {
    "p256dh": str,
    "auth": str,
})

NotificationsUpdateSubscription = TypedDict("NotificationsUpdateSubscription", {
    "endpoint": str,
    "expirationTime": NotRequired[Union[float, None]],
    "keys": "NotificationsUpdateSubscriptionKeys",
})
"""For `push`: the new subscription after the browser renewed the old one."""

NotificationsRemoveAnswer = TypedDict("NotificationsRemoveAnswer", {
    "deleted": bool,
})

NotificationsTestAnswer = TypedDict("NotificationsTestAnswer", {
    # Its row in the delivery log shows the outcome.
    "deliveryId": str,
})

NotificationsReplaySpanAnswer = TypedDict("NotificationsReplaySpanAnswer", {
    "queued": int,
})

NotificationsReplayAnswer = TypedDict("NotificationsReplayAnswer", {
    # Its row in the delivery log shows the outcome.
    "deliveryId": str,
})

CareersSendAnswer = TypedDict("CareersSendAnswer", {
    "received": bool,
    "id": str,
})

class _System:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def health(self) -> "SystemHealthAnswer":
        """Liveness. Shows that the process answers. It checks nothing else. Also at `/api/health`."""
        return self._transport.call("GET", "/health")

    def ready(self) -> "SystemReadyAnswer":
        """Readiness. 503 while the database or the migrations are not ready, or during a shutdown. `warnings` is present for other problems: `no_runner` says that no process sends orders or runs strategies."""
        return self._transport.call("GET", "/health/ready")

class _MarketData:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def venue_a(self, *, search: str = OMIT, top: int = OMIT, ticker: str = OMIT, ref: str = OMIT, interval: Literal["1d", "1w", "1m", "all"] = OMIT, limit: int = OMIT) -> "VenueA":
        """Venue A search and lookup. Market search, market detail or price history, by one of `search`, `top`, `ticker`, `ref`; none means `top=20`. Rules and fees are on a market requested by `ticker`, null in lists."""
        return self._transport.call("GET", "/api/venue-a", query={"search": search, "top": top, "ticker": ticker, "ref": ref, "interval": interval, "limit": limit})

    def venue_b(self, *, search: str = OMIT, slug: str = OMIT, token: str = OMIT, raw: str = OMIT, book: str = OMIT, trending: int = OMIT, top: int = OMIT, ref: str = OMIT, interval: Literal["1d", "1w", "1m", "all"] = OMIT, limit: int = OMIT, expand: Literal["markets"] = OMIT) -> "VenueB":
        """Venue B search and lookup. Search by text, slug, token or trending volume: market search, market detail, price history or order book. One selector; none means `top=20`. Rules are on a market or event requested by name, null in lists."""
        return self._transport.call("GET", "/api/venue-b", query={"search": search, "slug": slug, "token": token, "raw": raw, "book": book, "trending": trending, "top": top, "ref": ref, "interval": interval, "limit": limit, "expand": expand})

    def crypto(self, *, symbol: str = OMIT, type: Literal["trades", "klines", "symbols"] = OMIT, interval: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] = OMIT, limit: int = OMIT, search: str = OMIT) -> "Crypto":
        """Crypto market data. A symbol summary (default), recent trades, klines, or a symbol search."""
        return self._transport.call("GET", "/api/crypto", query={"symbol": symbol, "type": type, "interval": interval, "limit": limit, "search": search})

class _History:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def coverage(self, *, token_id: str = OMIT, interval: str = OMIT, from_: str = OMIT, to: str = OMIT) -> "HistoryCoverage":
        """Read the recorded data of an instrument. Quotes of instruments in use are stored, for 30 days unless the operator sets another retention. An instrument that was never in use has no range. With `interval`, the stored history too, of the last year unless `from` and `to` are given."""
        return self._transport.call("GET", "/api/history/coverage", query={"tokenId": token_id, "interval": interval, "from": from_, "to": to})

    def import_(self, *, token_id: str, interval: str, from_: str, to: str) -> "HistoryImport":
        """Import history of an instrument. Queues the import of whole months that touch the range; stored spans are not requested again. A runner starts it within seconds, with half of the venue’s rate limit. At most 10 imports of an account wait or run."""
        return self._transport.call("POST", "/api/history/import", body={"tokenId": token_id, "interval": interval, "from": from_, "to": to})

    def imports(self) -> List["HistoryImport"]:
        """List imports of history and their progress. The 50 newest of the account, newest first."""
        return self._transport.call("GET", "/api/history/imports")

    def cancel_import(self, id: str) -> "HistoryCancelImportAnswer":
        """Cancel an import of history. It ends at its next page. Imported rows stay. An import that has ended answers 403."""
        return self._transport.call("POST", "/api/history/imports/{id}/cancel", path_values={"id": id})

    def export_file(self, *, token_id: str = OMIT, interval: str = OMIT, from_: str = OMIT, to: str = OMIT) -> bytes:
        """Export the stored history of an instrument as Parquet. Oldest first; instants in UTC, numbers as the venue stated them, null where it stated none. All that is stored, unless `from` or `to` is given; nothing is fetched from the venue. Over REST only."""
        return self._transport.call("GET", "/api/history/export", query={"tokenId": token_id, "interval": interval, "from": from_, "to": to})

class _Blueprints:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int = OMIT, cursor: str = OMIT, status: Literal["draft", "running", "error", "stopped"] = OMIT, thesis_id: str = OMIT) -> List["Blueprint"]:
        """List blueprints. The account’s blueprints, newest first. The plain call is complete: an account has 200, unless its operator allows more."""
        return self._transport.call("GET", "/api/blueprints", query={"limit": limit, "cursor": cursor, "status": status, "thesisId": thesis_id})

    def list_all(self, *, limit: int = OMIT, status: Literal["draft", "running", "error", "stopped"] = OMIT, thesis_id: str = OMIT) -> Iterator["Blueprint"]:
        """Yields every row of `list`, page by page."""
        return self._transport.rows("/api/blueprints", query={"limit": limit, "status": status, "thesisId": thesis_id})

    def create(self, *, name: str, visual: Any = OMIT, thesis_id: str = OMIT, idempotency_key: Union[str, None] = None) -> "Blueprint":
        """Create a blueprint. Creates a draft: empty with only a name, or with an initial graph."""
        return self._transport.call("POST", "/api/blueprints", body={"name": name, "visual": visual, "thesisId": thesis_id}, idempotency_key=idempotency_key)

    def stop_all(self, *, idempotency_key: Union[str, None] = None) -> "BlueprintsStopAllAnswer":
        """Stop everything. Stops every blueprint of the account that is running or in error, in one transaction."""
        return self._transport.call("POST", "/api/blueprints/stop", idempotency_key=idempotency_key)

    def tags(self) -> List["BlueprintTag"]:
        """List tags. The tags of the account’s blueprints, each once in any case, with the blueprints that have it."""
        return self._transport.call("GET", "/api/blueprints/tags")

    def validate_drawing(self, *, visual: Any = OMIT, idempotency_key: Union[str, None] = None) -> "BlueprintsValidateDrawingAnswer":
        """Check a graph. Checks the graph you send as deploy would, and explains it: one English sentence for each node that acts. It is not stored, and nothing changes."""
        return self._transport.call("POST", "/api/blueprints/validate", body={"visual": visual}, idempotency_key=idempotency_key)

    def read(self, id: str) -> "Blueprint":
        """Read a blueprint. One blueprint with its node states. Its `ETag` can be sent as `If-Match` when editing or deploying."""
        return self._transport.call("GET", "/api/blueprints/{id}", path_values={"id": id})

    def update(self, id: str, *, name: str = OMIT, visual: Any = OMIT, expected_version: Union[int, None] = None) -> "Blueprint":
        """Update a blueprint. Renames a blueprint or replaces its graph; an absent field keeps its value. A running blueprint must be stopped first."""
        return self._transport.call("PUT", "/api/blueprints/{id}", path_values={"id": id}, body={"name": name, "visual": visual}, expected_version=expected_version)

    def delete(self, id: str) -> "BlueprintsDeleteAnswer":
        """Delete a blueprint. The blueprint answers 404 afterwards; its orders stay. Refused while it is running or in error, or holds a position."""
        return self._transport.call("DELETE", "/api/blueprints/{id}", path_values={"id": id})

    def deploy(self, id: str, *, idempotency_key: Union[str, None] = None, expected_version: Union[int, None] = None) -> "Blueprint":
        """Deploy a blueprint. Freezes the graph as a numbered release and runs it. Deploying a running blueprint changes nothing. Send the `ETag` you reviewed as `If-Match` to deploy exactly that. A graph that cannot run answers 400 with one issue per problem."""
        return self._transport.call("POST", "/api/blueprints/{id}/deploy", path_values={"id": id}, idempotency_key=idempotency_key, expected_version=expected_version)

    def redeploy(self, id: str, *, name: str = OMIT, visual: Any = OMIT, parameters: Dict[str, Union[float, bool, str, List[str], "BlueprintsRedeployParametersValue5"]] = OMIT, idempotency_key: Union[str, None] = None, expected_version: Union[int, None] = None) -> "Blueprint":
        """Replace a running blueprint. Stores this graph, or the stored one with other `parameters`, and runs it as the next release, in one step: exits of the next release guard the positions from the instant at which those of the last one end. A blueprint that runs exactly this graph keeps its deployment. Works for drafts and stopped blueprints, too. Needs `blueprints:write`, too. Send the `ETag` you reviewed as `If-Match`. A graph that cannot run answers 400 with one issue per problem, and changes nothing."""
        return self._transport.call("POST", "/api/blueprints/{id}/redeploy", path_values={"id": id}, body={"name": name, "visual": visual, "parameters": parameters}, idempotency_key=idempotency_key, expected_version=expected_version)

    def stop(self, id: str, *, idempotency_key: Union[str, None] = None) -> "Blueprint":
        """Stop a blueprint. After this answer the deployment creates and sends nothing. Orders already at the venue get a cancel and may still fill until the venue confirms. Positions stay."""
        return self._transport.call("POST", "/api/blueprints/{id}/stop", path_values={"id": id}, idempotency_key=idempotency_key)

    def validate(self, id: str, *, visual: Any = OMIT, idempotency_key: Union[str, None] = None) -> "BlueprintsValidateAnswer":
        """Check a blueprint. Checks the blueprint’s graph, or the graph you send, as deploy would, without deploying."""
        return self._transport.call("POST", "/api/blueprints/{id}/validate", path_values={"id": id}, body={"visual": visual}, idempotency_key=idempotency_key)

    def explain(self, id: str, *, visual: Any = OMIT, idempotency_key: Union[str, None] = None) -> "BlueprintsExplainAnswer":
        """Explain a blueprint. The blueprint’s graph in words, or the graph you send: one English sentence for each node that acts. A part that is missing is an ellipsis; a node that is switched off has no sentence."""
        return self._transport.call("POST", "/api/blueprints/{id}/explain", path_values={"id": id}, body={"visual": visual}, idempotency_key=idempotency_key)

    def node_types(self) -> List["NodeType"]:
        """List node types. The node catalogue: ports, config as JSON Schema, one line of help each."""
        return self._transport.call("GET", "/api/node-types")

    def releases(self, id: str) -> List["Release"]:
        """List releases. The releases of this blueprint, newest first, at most 200."""
        return self._transport.call("GET", "/api/blueprints/{id}/releases", path_values={"id": id})

    def release(self, id: str, n: int) -> "ReleaseWithVisual":
        """Read a release. One release with its graph."""
        return self._transport.call("GET", "/api/blueprints/{id}/releases/{n}", path_values={"id": id, "n": n})

    def restore(self, id: str, n: int, *, idempotency_key: Union[str, None] = None) -> "Blueprint":
        """Restore a release. Copies the release’s graph into the draft. A running blueprint must be stopped first."""
        return self._transport.call("POST", "/api/blueprints/{id}/releases/{n}/restore", path_values={"id": id, "n": n}, idempotency_key=idempotency_key)

    def set_tags(self, id: str, *, tags: List[str]) -> "BlueprintTags":
        """Tag a blueprint. Gives a blueprint these tags and no others; an empty list removes all. A running blueprint can be tagged: its `ETag` and `updatedAt` stay."""
        return self._transport.call("PUT", "/api/blueprints/{id}/tags", path_values={"id": id}, body={"tags": tags})

    def performance(self, id: str) -> "Performance":
        """Read a blueprint’s performance. Realized and unrealized profit and loss, fees and fills over all its deployments."""
        return self._transport.call("GET", "/api/blueprints/{id}/performance", path_values={"id": id})

    def statistics(self, id: str, *, range: Literal["1d", "1w", "1m", "all"] = OMIT) -> "Statistics":
        """Read a blueprint’s statistics. Return, risk and trades over a range, over all its deployments. A blueprint has no money of its own: its returns are relative to the account’s equity at the beginning of the range."""
        return self._transport.call("GET", "/api/blueprints/{id}/statistics", path_values={"id": id}, query={"range": range})

class _Backtests:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int = OMIT, cursor: str = OMIT, blueprint_id: str = OMIT, status: Literal["queued", "running", "done", "failed", "canceled"] = OMIT) -> List["BacktestOutline"]:
        """List backtests. The account’s backtests in short, newest first. 200 are stored; a new one never displaces a pinned one."""
        return self._transport.call("GET", "/api/backtests", query={"limit": limit, "cursor": cursor, "blueprintId": blueprint_id, "status": status})

    def list_all(self, *, limit: int = OMIT, blueprint_id: str = OMIT, status: Literal["queued", "running", "done", "failed", "canceled"] = OMIT) -> Iterator["BacktestOutline"]:
        """Yields every row of `list`, page by page."""
        return self._transport.rows("/api/backtests", query={"limit": limit, "blueprintId": blueprint_id, "status": status})

    def start(self, *, from_: str, to: str, blueprint_id: Union[str, None] = OMIT, release: Union[int, None] = OMIT, visual: Any = OMIT, cash: str = OMIT, seed: int = OMIT, risk_free: float = OMIT, fresh: bool = OMIT, data: "BacktestsStartData" = OMIT, fills: "BacktestsStartFills" = OMIT, fees: Literal["schedule", "none"] = OMIT, risk: "BacktestsStartRisk" = OMIT, checks: bool = OMIT, sensitivity: bool = OMIT, idempotency_key: Union[str, None] = None) -> "BacktestsStartAnswer":
        """Run a strategy over history. Queues a run: at most 2 run and 10 wait per account. If the same was computed before, that backtest is returned, unless `fresh` is true."""
        return self._transport.call("POST", "/api/backtests", body={"blueprintId": blueprint_id, "release": release, "visual": visual, "from": from_, "to": to, "cash": cash, "seed": seed, "riskFree": risk_free, "fresh": fresh, "data": data, "fills": fills, "fees": fees, "risk": risk, "checks": checks, "sensitivity": sensitivity}, idempotency_key=idempotency_key)

    def compare(self, *, ids: str = OMIT) -> "BacktestComparison":
        """Compare backtests. Two to four side by side: figures, and the differences of requests and graphs. Different ranges, cash, data or fees are listed, and make the runs incomparable."""
        return self._transport.call("GET", "/api/backtests/compare", query={"ids": ids})

    def read(self, id: str) -> "Backtest":
        """Read a backtest. The request, the progress, the history that was used and the result. Read the verdicts before the figures."""
        return self._transport.call("GET", "/api/backtests/{id}", path_values={"id": id})

    def update(self, id: str, *, notes: Union[str, None] = OMIT, pinned: bool = OMIT) -> "BacktestOutline":
        """Note or pin a backtest. An absent field keeps its value. A new backtest never displaces a pinned one."""
        return self._transport.call("PATCH", "/api/backtests/{id}", path_values={"id": id}, body={"notes": notes, "pinned": pinned})

    def delete(self, id: str) -> "BacktestsDeleteAnswer":
        """Delete a backtest. Also deletes its result, pinned or not. Refused while it is queued or running."""
        return self._transport.call("DELETE", "/api/backtests/{id}", path_values={"id": id})

    def cancel(self, id: str, *, idempotency_key: Union[str, None] = None) -> "BacktestsCancelAnswer":
        """Cancel a backtest. It ends within a second; the result up to then stays, marked as partial. Refused once it has ended."""
        return self._transport.call("POST", "/api/backtests/{id}/cancel", path_values={"id": id}, idempotency_key=idempotency_key)

    def trades(self, id: str, *, limit: int = OMIT, cursor: str = OMIT) -> List["BacktestTrade"]:
        """The trades of a backtest. Each from flat through held to flat, in the order they ended. Current holdings are in none."""
        return self._transport.call("GET", "/api/backtests/{id}/trades", path_values={"id": id}, query={"limit": limit, "cursor": cursor})

    def trades_all(self, id: str, *, limit: int = OMIT) -> Iterator["BacktestTrade"]:
        """Yields every row of `trades`, page by page."""
        return self._transport.rows("/api/backtests/{id}/trades", path_values={"id": id}, query={"limit": limit})

    def orders(self, id: str, *, limit: int = OMIT, cursor: str = OMIT) -> List["BacktestOrder"]:
        """The orders of a backtest. All order intents, refused ones too, oldest first, each with its receipt."""
        return self._transport.call("GET", "/api/backtests/{id}/orders", path_values={"id": id}, query={"limit": limit, "cursor": cursor})

    def orders_all(self, id: str, *, limit: int = OMIT) -> Iterator["BacktestOrder"]:
        """Yields every row of `orders`, page by page."""
        return self._transport.rows("/api/backtests/{id}/orders", path_values={"id": id}, query={"limit": limit})

    def log(self, id: str, *, limit: int = OMIT, cursor: str = OMIT) -> List["BacktestLogLine"]:
        """The log of a backtest. Events other than orders, oldest first: refusals, gaps, settlements, errors of nodes."""
        return self._transport.call("GET", "/api/backtests/{id}/log", path_values={"id": id}, query={"limit": limit, "cursor": cursor})

    def log_all(self, id: str, *, limit: int = OMIT) -> Iterator["BacktestLogLine"]:
        """Yields every row of `log`, page by page."""
        return self._transport.rows("/api/backtests/{id}/log", path_values={"id": id}, query={"limit": limit})

    def equity(self, id: str, *, points: int = OMIT) -> "BacktestEquity":
        """The equity of a backtest. The curve thinned for a chart, monthly returns, and the ten deepest drawdowns."""
        return self._transport.call("GET", "/api/backtests/{id}/equity", path_values={"id": id}, query={"points": points})

    def report(self, id: str) -> str:
        """The report of a backtest. One static page without scripts or external resources: verdicts first, then figures, charts, trades and assumptions. Refused before there is a result."""
        return self._transport.call("GET", "/api/backtests/{id}/report.html", path_values={"id": id})

    def trades_file(self, id: str) -> str:
        """The trades of a backtest as CSV. RFC 4180, exact decimals, instants in UTC."""
        return self._transport.call("GET", "/api/backtests/{id}/trades.csv", path_values={"id": id})

    def equity_file(self, id: str) -> str:
        """The equity of a backtest as CSV. Every point. RFC 4180, exact decimals, instants in UTC."""
        return self._transport.call("GET", "/api/backtests/{id}/equity.csv", path_values={"id": id})

    def result_file(self, id: str) -> Any:
        """All of a backtest as JSON. The backtest with its graph, trades, orders, fills, equity and log, decimals as text."""
        return self._transport.call("GET", "/api/backtests/{id}/result.json", path_values={"id": id})

class _Sweeps:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int = OMIT, cursor: str = OMIT, blueprint_id: str = OMIT, status: Literal["queued", "running", "done", "failed", "canceled"] = OMIT) -> List["SweepOutline"]:
        """List sweeps. The account’s sweeps in short, newest first."""
        return self._transport.call("GET", "/api/sweeps", query={"limit": limit, "cursor": cursor, "blueprintId": blueprint_id, "status": status})

    def list_all(self, *, limit: int = OMIT, blueprint_id: str = OMIT, status: Literal["queued", "running", "done", "failed", "canceled"] = OMIT) -> Iterator["SweepOutline"]:
        """Yields every row of `list`, page by page."""
        return self._transport.rows("/api/sweeps", query={"limit": limit, "blueprintId": blueprint_id, "status": status})

    def start(self, *, from_: str, to: str, space: "SweepsStartSpace", blueprint_id: Union[str, None] = OMIT, release: Union[int, None] = OMIT, visual: Any = OMIT, cash: str = OMIT, seed: int = OMIT, risk_free: float = OMIT, data: "SweepsStartData" = OMIT, fills: "SweepsStartFills" = OMIT, fees: Literal["schedule", "none"] = OMIT, risk: "SweepsStartRisk" = OMIT, search: Union["SweepsStartSearch1", "SweepsStartSearch2"] = OMIT, objective: "SweepsStartObjective" = OMIT, walk_forward: Union["SweepsStartWalkForward1", None] = OMIT, idempotency_key: Union[str, None] = None) -> "SweepsStartAnswer":
        """Try a strategy with many values. Queues a sweep: at most 1 runs and 5 wait per account, each with at most 10,000 trials. Every combination is compiled first."""
        return self._transport.call("POST", "/api/sweeps", body={"blueprintId": blueprint_id, "release": release, "visual": visual, "from": from_, "to": to, "cash": cash, "seed": seed, "riskFree": risk_free, "data": data, "fills": fills, "fees": fees, "risk": risk, "space": space, "search": search, "objective": objective, "walkForward": walk_forward}, idempotency_key=idempotency_key)

    def read(self, id: str) -> "Sweep":
        """Read a sweep. The request, the progress and the outcome. The best trial always comes with the part that luck explains."""
        return self._transport.call("GET", "/api/sweeps/{id}", path_values={"id": id})

    def delete(self, id: str) -> "SweepsDeleteAnswer":
        """Delete a sweep. Also deletes its trials. Their number still counts in later sweeps of the blueprint. Refused while it is queued or running."""
        return self._transport.call("DELETE", "/api/sweeps/{id}", path_values={"id": id})

    def cancel(self, id: str, *, idempotency_key: Union[str, None] = None) -> "SweepsCancelAnswer":
        """Cancel a sweep. It ends within a second; trials made until then stay, and count. Refused once it has ended."""
        return self._transport.call("POST", "/api/sweeps/{id}/cancel", path_values={"id": id}, idempotency_key=idempotency_key)

    def trials(self, id: str, *, sort: Literal["score", "number", "totalReturn", "sharpe", "maxDrawdown", "trades"] = OMIT, order: Literal["best", "worst"] = OMIT, limit: int = OMIT, cursor: str = OMIT) -> List["SweepTrial"]:
        """The trials of a sweep. Trials over the whole range, best first, or in another order. While it runs, those made so far."""
        return self._transport.call("GET", "/api/sweeps/{id}/trials", path_values={"id": id}, query={"sort": sort, "order": order, "limit": limit, "cursor": cursor})

    def trials_all(self, id: str, *, sort: Literal["score", "number", "totalReturn", "sharpe", "maxDrawdown", "trades"] = OMIT, order: Literal["best", "worst"] = OMIT, limit: int = OMIT) -> Iterator["SweepTrial"]:
        """Yields every row of `trials`, page by page."""
        return self._transport.rows("/api/sweeps/{id}/trials", path_values={"id": id}, query={"sort": sort, "order": order, "limit": limit})

    def apply_trial(self, id: str, *, number: int, expected_version: Union[int, None] = None) -> "Blueprint":
        """Write a trial as draft. Replaces the draft of the blueprint by the graph of a trial. It changes no release: running deployments continue unchanged."""
        return self._transport.call("POST", "/api/sweeps/{id}/apply", path_values={"id": id}, body={"number": number}, expected_version=expected_version)

class _Signals:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> List["Signal"]:
        """List signals. The account’s signals of both modes with their newest values, by name; at most 20."""
        return self._transport.call("GET", "/api/signals")

    def create(self, *, name: str, kind: Literal["number", "boolean"] = OMIT, min: Union[float, None] = OMIT, max: Union[float, None] = OMIT, idempotency_key: Union[str, None] = None) -> "CreatedSignal":
        """Add a signal. In the mode of the caller: deployments with real money read only signals that were added in live mode. Values outside `min` and `max`, or of a `boolean` other than 0 and 1, are refused. The token is shown only in this answer."""
        return self._transport.call("POST", "/api/signals", body={"name": name, "kind": kind, "min": min, "max": max}, idempotency_key=idempotency_key)

    def update(self, name: str, *, kind: Literal["number", "boolean"] = OMIT, min: Union[float, None] = OMIT, max: Union[float, None] = OMIT) -> "Signal":
        """Change what a signal takes. For values sent from then on; the newest one stays. An absent field keeps its value; `null` removes a bound. A change to `boolean` removes both."""
        return self._transport.call("PATCH", "/api/signals/{name}", path_values={"name": name}, body={"kind": kind, "min": min, "max": max})

    def send(self, name: str, *, value: Union[float, bool], id: str = OMIT, idempotency_key: Union[str, None] = None) -> "SignalsSendAnswer":
        """Send a value to a signal. Deployments read it at their next tick, within two seconds. A repetition changes nothing: an equal `id`, or without one the same value as the one before it within 30 seconds. At most 60 values a minute. A value that the signal does not take is refused (`validation_failed`). The key or person is stored with the value. Senders without headers use the token: `POST /hooks/signal?token=<token>` with any text or JSON."""
        return self._transport.call("POST", "/api/signals/{name}", path_values={"name": name}, body={"value": value, "id": id}, idempotency_key=idempotency_key)

    def remove(self, name: str) -> "SignalsRemoveAnswer":
        """Remove a signal. Also deletes its token and its values. Nodes that read it become unknown."""
        return self._transport.call("DELETE", "/api/signals/{name}", path_values={"name": name})

    def rotate(self, name: str) -> "CreatedSignal":
        """Rotate the token of a signal. The former token ends at once. The new one is shown only in this answer."""
        return self._transport.call("POST", "/api/signals/{name}/rotate-token", path_values={"name": name})

class _Orders:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int = OMIT, cursor: str = OMIT, status: Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"] = OMIT, side: Literal["buy", "sell"] = OMIT, blueprint_id: str = OMIT, since: str = OMIT, until: str = OMIT) -> List["Order"]:
        """List orders. The account’s orders and intents, newest first, for monitoring and reconciliation."""
        return self._transport.call("GET", "/api/orders", query={"limit": limit, "cursor": cursor, "status": status, "side": side, "blueprintId": blueprint_id, "since": since, "until": until})

    def list_all(self, *, limit: int = OMIT, status: Literal["denied", "pending", "queued", "submitted", "unknown", "open", "partially_filled", "filled", "canceled", "expired", "declined", "rejected"] = OMIT, side: Literal["buy", "sell"] = OMIT, blueprint_id: str = OMIT, since: str = OMIT, until: str = OMIT) -> Iterator["Order"]:
        """Yields every row of `list`, page by page."""
        return self._transport.rows("/api/orders", query={"limit": limit, "status": status, "side": side, "blueprintId": blueprint_id, "since": since, "until": until})

    def place(self, *, token_id: str, side: Literal["buy", "sell"], type: Literal["market", "limit"], amount: float, limit_price: float = OMIT, time_in_force: Literal["gtc", "gtx", "ioc", "fok"] = OMIT, expire_after_sec: int = OMIT, idempotency_key: Union[str, None] = None) -> "OrderIntent":
        """Place an order. Buys or sells one instrument by hand, under the same rules as a strategy. `POST /api/risk-rules/preview` shows what the rules say without sending it; it leaves out the spending limits of the key. A buy is held apart from all strategies; a sell draws on all positions, oldest first. Above the approval limit it is `pending` until a person approves it. With real money a key needs `allowsUntried` to buy."""
        return self._transport.call("POST", "/api/orders", body={"tokenId": token_id, "side": side, "type": type, "amount": amount, "limitPrice": limit_price, "timeInForce": time_in_force, "expireAfterSec": expire_after_sec}, idempotency_key=idempotency_key)

    def read(self, id: str) -> "OrderDetail":
        """Read an order. Everything about one order: the intent and the inputs that led to it, the risk receipt, fills and timeline. Its `ETag` can be sent as `If-Match` when approving."""
        return self._transport.call("GET", "/api/orders/{id}", path_values={"id": id})

    def approve(self, id: str, *, idempotency_key: Union[str, None] = None, expected_version: Union[int, None] = None) -> "OrdersApproveAnswer":
        """Approve an order intent. Review the order and the risk rules first. Rules and price band are checked again; if a check fails nothing changes and the answer has the reason. Send the order’s `ETag` as `If-Match` to approve exactly what you saw."""
        return self._transport.call("POST", "/api/orders/{id}/approve", path_values={"id": id}, idempotency_key=idempotency_key, expected_version=expected_version)

    def reject(self, id: str, *, idempotency_key: Union[str, None] = None) -> "OrdersRejectAnswer":
        """Decline an order intent. A pending intent is declined permanently and never sent."""
        return self._transport.call("POST", "/api/orders/{id}/reject", path_values={"id": id}, idempotency_key=idempotency_key)

    def cancel(self, id: str, *, idempotency_key: Union[str, None] = None) -> "OrdersCancelAnswer":
        """Cancel an order. An unsent order is canceled at once. For an order at the venue a cancel is requested, and a fill may still come first."""
        return self._transport.call("POST", "/api/orders/{id}/cancel", path_values={"id": id}, idempotency_key=idempotency_key)

class _Portfolio:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def summary(self) -> "PortfolioSummary":
        """Portfolio summary. Counts and profit and loss of the whole account."""
        return self._transport.call("GET", "/api/portfolio")

    def positions(self) -> List["Position"]:
        """List positions. Holdings, one row per instrument and blueprint."""
        return self._transport.call("GET", "/api/portfolio/positions")

    def close(self, *, token_id: str, amount: float, blueprint_id: str = OMIT, idempotency_key: Union[str, None] = None) -> "ClosePositionIntent":
        """Close part of a position. Creates a sell order intent: immediate or cancel, within the price band. The unfilled rest stays in the position."""
        return self._transport.call("POST", "/api/portfolio/positions/close", body={"tokenId": token_id, "amount": amount, "blueprintId": blueprint_id}, idempotency_key=idempotency_key)

    def history(self, *, range: Literal["1d", "1w", "1m", "all"] = OMIT) -> List["EquityPoint"]:
        """Equity history. Equity from the first deploy, ascending: every 5 minutes, and of a long time the last point of each of some 400 steps."""
        return self._transport.call("GET", "/api/portfolio/history", query={"range": range})

    def statistics(self, *, range: Literal["1d", "1w", "1m", "all"] = OMIT) -> "Statistics":
        """Read the account’s statistics. Return, risk and trades over a range, by one set of definitions for live trading and simulation. Trades count where they ended."""
        return self._transport.call("GET", "/api/portfolio/statistics", query={"range": range})

class _RiskRules:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read(self) -> "RiskRules":
        """Read the risk rules. The account’s six limits. One set per account, always present."""
        return self._transport.call("GET", "/api/risk-rules")

    def update(self, *, max_order_size: float = OMIT, max_daily_loss: float = OMIT, max_open_positions: int = OMIT, max_orders_per_minute: int = OMIT, cooldown_after_loss_sec: int = OMIT, require_approval_above: float = OMIT, expected_version: Union[int, None] = None) -> "RiskRules":
        """Change the risk rules. Changes the fields you send and no others, from the next decision on. Pending intents are checked again at approval; resting buys larger than a lowered `maxOrderSize` are canceled; a changed `maxDailyLoss` lifts a day’s latch."""
        return self._transport.call("PUT", "/api/risk-rules", body={"maxOrderSize": max_order_size, "maxDailyLoss": max_daily_loss, "maxOpenPositions": max_open_positions, "maxOrdersPerMinute": max_orders_per_minute, "cooldownAfterLossSec": cooldown_after_loss_sec, "requireApprovalAbove": require_approval_above}, expected_version=expected_version)

    def preview(self, *, token_id: str, side: Literal["buy", "sell"], type: Literal["market", "limit"], amount: float, limit_price: float = OMIT, blueprint_id: str = OMIT, idempotency_key: Union[str, None] = None) -> "OrderPreview":
        """Preview an order. The receipt a proposed order would get now, without any effect."""
        return self._transport.call("POST", "/api/risk-rules/preview", body={"tokenId": token_id, "side": side, "type": type, "amount": amount, "limitPrice": limit_price, "blueprintId": blueprint_id}, idempotency_key=idempotency_key)

    def usage(self) -> "RiskUsage":
        """Read the usage of the risk rules. Each rule with its limit, its current usage and the headroom, and the available cash."""
        return self._transport.call("GET", "/api/risk-rules/usage")

    def read_optional(self) -> "OptionalRiskRules":
        """Read the optional risk rules. Limits in addition to the six, each off (null) until it is set. They share the version of the six. None of them blocks sells."""
        return self._transport.call("GET", "/api/risk-rules/optional")

    def update_optional(self, *, max_position_size: Union[float, None] = OMIT, max_venue_exposure: Union[float, None] = OMIT, max_gross_exposure: Union[float, None] = OMIT, max_blueprint_budget: Union[float, None] = OMIT, max_drawdown: Union[float, None] = OMIT, expected_version: Union[int, None] = None) -> "OptionalRiskRules":
        """Change the optional risk rules. Changes the fields you send and no others, from the next decision on; null turns a rule off. Pending intents are checked again at approval."""
        return self._transport.call("PUT", "/api/risk-rules/optional", body={"maxPositionSize": max_position_size, "maxVenueExposure": max_venue_exposure, "maxGrossExposure": max_gross_exposure, "maxBlueprintBudget": max_blueprint_budget, "maxDrawdown": max_drawdown}, expected_version=expected_version)

class _ApiKeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> List["ApiKey"]:
        """List keys. Metadata of the account’s keys, newest first; never the secret."""
        return self._transport.call("GET", "/api/api-keys")

    def revoke(self, id: str) -> "ApiKeysRevokeAnswer":
        """Revoke a key. The next request with the key is refused, everywhere. Revoking again changes nothing."""
        return self._transport.call("DELETE", "/api/api-keys/{id}", path_values={"id": id})

class _Exports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read(self, *, table: Literal["fills", "orders", "cash", "equity", "blueprint-equity"] = OMIT) -> bytes:
        """Export a table of the account as Parquet. Every row of the mode of the key, in the order of its key: decimals as `DECIMAL(38, 12)`, instants in UTC. A truncated file has no footer, and readers refuse it. Over REST only."""
        return self._transport.call("GET", "/api/exports", query={"table": table})

class _Notifications:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def options(self) -> "NotificationsOptionsAnswer":
        """Read the kinds of notifications and channels. The kinds of notifications with their default switches, and the channel kinds of this service."""
        return self._transport.call("GET", "/api/notification-options")

    def list(self) -> List["NotificationChannel"]:
        """List channels. The account's notification channels, oldest first; at most 20."""
        return self._transport.call("GET", "/api/notification-channels")

    def create(self, *, kind: Literal["webhook", "slack", "discord", "telegram", "email", "push"], label: str, url: str = OMIT, body_template: str = OMIT, bot_token: str = OMIT, chat_id: str = OMIT, address: str = OMIT, subscription: "NotificationsCreateSubscription" = OMIT, switches: "NotificationsCreateSwitches" = OMIT, quiet_hours: Union["NotificationsCreateQuietHours1", None] = OMIT, idempotency_key: Union[str, None] = None) -> "CreatedNotificationChannel":
        """Add a channel. Further required fields depend on `kind`: `url` for `webhook`, `slack` and `discord`, `botToken` and `chatId` for `telegram`, `address` for `email`, `subscription` for `push`. Addresses are public and `https:`. The secret of a webhook is shown only in this answer. A webhook receives notifications once it has answered a test with the challenge in it."""
        return self._transport.call("POST", "/api/notification-channels", body={"kind": kind, "label": label, "url": url, "bodyTemplate": body_template, "botToken": bot_token, "chatId": chat_id, "address": address, "subscription": subscription, "switches": switches, "quietHours": quiet_hours}, idempotency_key=idempotency_key)

    def read(self, id: str) -> "NotificationChannel":
        """Read a channel. A channel's event kinds, its quiet hours, and whether deliveries arrive."""
        return self._transport.call("GET", "/api/notification-channels/{id}", path_values={"id": id})

    def update(self, id: str, *, label: str = OMIT, on: bool = OMIT, switches: "NotificationsUpdateSwitches" = OMIT, quiet_hours: Union["NotificationsUpdateQuietHours1", None] = OMIT, subscription: "NotificationsUpdateSubscription" = OMIT, body_template: Union[str, None] = OMIT) -> "NotificationChannel":
        """Change a channel. An absent field keeps its value. A channel that is turned on again continues with its queued deliveries, in order."""
        return self._transport.call("PATCH", "/api/notification-channels/{id}", path_values={"id": id}, body={"label": label, "on": on, "switches": switches, "quietHours": quiet_hours, "subscription": subscription, "bodyTemplate": body_template})

    def remove(self, id: str) -> "NotificationsRemoveAnswer":
        """Remove a channel. Also deletes its secrets, its log and its queued deliveries."""
        return self._transport.call("DELETE", "/api/notification-channels/{id}", path_values={"id": id})

    def rotate(self, id: str) -> "CreatedNotificationChannel":
        """Rotate the secret of a webhook. The new secret is shown only in this answer. For 24 hours deliveries also carry a signature by the old secret, so that the receiver can switch."""
        return self._transport.call("POST", "/api/notification-channels/{id}/rotate-secret", path_values={"id": id})

    def test(self, id: str, *, idempotency_key: Union[str, None] = None) -> "NotificationsTestAnswer":
        """Send a test. Ignores switches and quiet hours, and goes to the end of the queue. The delivery log shows whether it arrived. A test of a webhook has a `data.challenge`: a new one is proven by an answer 2xx whose body is that text."""
        return self._transport.call("POST", "/api/notification-channels/{id}/test", path_values={"id": id}, idempotency_key=idempotency_key)

    def replay_span(self, id: str, *, from_: str, to: str, idempotency_key: Union[str, None] = None) -> "NotificationsReplaySpanAnswer":
        """Replay a span. Sends all notifications that its switches let through, oldest first, under the same ids, at most 1,000. One that is already queued is sent now, at its position in the queue. The queue of a channel holds at most 10,000. Notifications are stored for 30 days."""
        return self._transport.call("POST", "/api/notification-channels/{id}/replay", path_values={"id": id}, body={"from": from_, "to": to}, idempotency_key=idempotency_key)

    def deliveries(self, *, limit: int = OMIT, cursor: str = OMIT, channel_id: str = OMIT, status: Literal["waiting", "delivered", "expired", "refused"] = OMIT) -> List["NotificationDelivery"]:
        """Read the delivery log. Deliveries with their destinations and outcomes, newest first. Stored for 30 days."""
        return self._transport.call("GET", "/api/notification-deliveries", query={"limit": limit, "cursor": cursor, "channelId": channel_id, "status": status})

    def deliveries_all(self, *, limit: int = OMIT, channel_id: str = OMIT, status: Literal["waiting", "delivered", "expired", "refused"] = OMIT) -> Iterator["NotificationDelivery"]:
        """Yields every row of `deliveries`, page by page."""
        return self._transport.rows("/api/notification-deliveries", query={"limit": limit, "channelId": channel_id, "status": status})

    def replay(self, id: str, *, idempotency_key: Union[str, None] = None) -> "NotificationsReplayAnswer":
        """Replay a notification. Sends the same notification to the same channel, under the same id, at the end of the queue."""
        return self._transport.call("POST", "/api/notification-deliveries/{id}/replay", path_values={"id": id}, idempotency_key=idempotency_key)

class _Careers:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, *, name: str, email: str, message: str, role: str = OMIT, links: List[str] = OMIT) -> "CareersSendAnswer":
        """Send an application. Stores an application from the careers form. The number per address and hour is limited."""
        return self._transport.call("POST", "/api/careers", body={"name": name, "email": email, "role": role, "message": message, "links": links})

class Client:
    """The service at `url`, for the holder of `key`. `timeout_sec` bounds each wait for the next bytes."""

    def __init__(self, url: str, key: str, *, timeout_sec: float = 15) -> None:
        self._transport = Transport(url, key, timeout_sec)
        self.system = _System(self._transport)
        self.market_data = _MarketData(self._transport)
        self.history = _History(self._transport)
        self.blueprints = _Blueprints(self._transport)
        self.backtests = _Backtests(self._transport)
        self.sweeps = _Sweeps(self._transport)
        self.signals = _Signals(self._transport)
        self.orders = _Orders(self._transport)
        self.portfolio = _Portfolio(self._transport)
        self.risk_rules = _RiskRules(self._transport)
        self.api_keys = _ApiKeys(self._transport)
        self.exports = _Exports(self._transport)
        self.notifications = _Notifications(self._transport)
        self.careers = _Careers(self._transport)

    def event_stream(self, *, last_event_id: str = OMIT, kinds: str = OMIT, blueprint_id: str = OMIT) -> Iterator[Tuple[Union[str, None], "AccountEvent"]]:
        """Follow the events of the account. Server-sent events of the account, in the mode of the key, until the caller hangs up or the key ends. Each has an `id`; a reader that comes back with it as `Last-Event-ID` receives what it missed, in order. Any scope of a kind opens it. Kinds, each with the scope that reads it: `order.changed` (`orders:read`), `fill.applied` (`orders:read`), `position.changed` (`portfolio:read`), `risk_rules.changed` (`risk:read`), `daily_loss.tripped` (`risk:read`), `drawdown.tripped` (`risk:read`), `blueprint.changed` (`blueprints:read`), `connection.changed` (`orders:read`), `backtest.finished` (`blueprints:read`), `sweep.finished` (`blueprints:read`), `notice.raised` (`notifications:read`), `notification` (`orders:read`). `resync` comes instead of events that are no longer stored: read everything again. `end` says why the service ends the stream. A comment every 15 s shows that it is alive. The handshake of a WebSocket gets the same events as messages, and messages of the caller are requests: `/asyncapi.json`."""
        return self._transport.stream("/api/events", query={"lastEventId": last_event_id, "kinds": kinds, "blueprintId": blueprint_id})

    def value_stream(self, *, prices: str = OMIT, books: str = OMIT, blueprints: str = OMIT) -> Iterator[Tuple[Union[str, None], "StreamedValue"]]:
        """Follow prices, order books and node values. Server-sent events of the chosen values, until the caller hangs up or the key ends. Each value is sent once it is known and whenever it changed, at most 20 messages a second. A slow reader gets the newest value of each. There is no replay: a reader that comes back gets the present. `prices` and `books` need `market_data:read`, `blueprints` needs `blueprints:read`. `unavailable` comes when a value cannot be read; until it is sent again, treat the last one as old. `end` says why the service ends the stream. A comment every 15 s shows that it is alive. The handshake of a WebSocket gets the same as messages, and messages of the caller are requests: `/asyncapi.json`."""
        return self._transport.stream("/api/stream", query={"prices": prices, "books": books, "blueprints": blueprints})
