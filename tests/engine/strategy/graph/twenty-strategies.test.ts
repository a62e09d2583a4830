import { expect, test } from 'vitest';
import { formatStrategy, parseStrategy } from '../../../../client/src/strategy-text/index.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';

const NO_AT_VENUE_B = '48331043336612883890938759509493159234755048973500640148014422747788308965732';

/** A pair, a basis and a hedge have their long legs only: there are no short sales, and no venue states a funding rate. */
const TWENTY: Readonly<Record<string, string>> = {
  'crossing averages': `
close = crypto.candle("BTCUSDT", 5m)
up = guard(crossesAbove(sma(close, 10), sma(close, 30)), "BTCUSDT", maxSpread: 50)
order("BTCUSDT", "buy", "market", amount: 0.001) when up
close("BTCUSDT") when crossesBelow(sma(close, 10), sma(close, 30))`,
  'reversion by RSI': `
strength = rsi(crypto.candle("BTCUSDT", 1m), 14)
order("BTCUSDT", "buy", "market", amount: 0.001) when guard(strength < 30, "BTCUSDT", maxPosition: 0.001)
close("BTCUSDT") when strength > 55`,
  'breakout of a Bollinger band': `
close = crypto.candle("ETHUSDT", 15m)
out = crossesAbove(close, bollinger(close, "upper"))
order("ETHUSDT", "buy", "market", amount: 0.01) when guard(out, "ETHUSDT", maxSpread: 5)
close("ETHUSDT") when close < bollinger(close, "middle")`,
  MACD: `
close = crypto.candle("BTCUSDT", 1h)
histogram = macd(close)
order("BTCUSDT", "buy", "market", amount: 0.001) when guard(crossesAbove(histogram, 0), "BTCUSDT")
close("BTCUSDT") when crossesBelow(histogram, 0)`,
  'a grid of three levels': `
held = position("BTCUSDT")
fit = guard(crypto.price("BTCUSDT") > 60000, "BTCUSDT", maxSpread: 50)
buy1 = quote("BTCUSDT", "buy", amount: 0.001, price: 79000) when fit and held < 0.001
buy2 = quote("BTCUSDT", "buy", amount: 0.001, price: 78000) when fit and held < 0.002
buy3 = quote("BTCUSDT", "buy", amount: 0.001, price: 77000) when fit and held < 0.003
sell3 = quote("BTCUSDT", "sell", amount: 0.001, price: 78000) when held > 0.0025
sell2 = quote("BTCUSDT", "sell", amount: 0.001, price: 79000) when held > 0.0015
sell1 = quote("BTCUSDT", "sell", amount: 0.001, price: 80000) when held > 0
exit("BTCUSDT", stopLoss: 0.1)`,
  'the same sum at each beat': `
fit = guard(schedule("every", 86400), "BTCUSDT", maxSpread: 50)
ask = crypto.price("BTCUSDT", field: "ask")
order("BTCUSDT", "buy", "market", amount: size(ask, "notional", 25)) when fit
exit("BTCUSDT", stopLoss: 0.4)`,
  'rotation over four coins': `
param coins = ["BTCUSDT", "ETHUSDT", "SOLUSDT", "XRPUSDT"]
best = top(change(crypto.candle(coins, 1h), 24), k: 1)
ask = crypto.price(coins, field: "ask")
order(coins, "buy", "market", amount: size(ask, "notional", 25)) when guard(best, coins)
close(coins) when not best`,
  'the long leg of a pair': `
ratio = crypto.candle("ETHUSDT", 1h) / crypto.candle("BTCUSDT", 1h)
apart = zscore(ratio, 48, sampleSec: 3600)
order("ETHUSDT", "buy", "market", amount: 0.02) when guard(apart < -2, "ETHUSDT", maxSpread: 5)
close("ETHUSDT") when apart > 0
exit("ETHUSDT", stopLoss: 0.1)`,
  'the spot leg of a basis, with the funding rate as a signal': `
funding = signal("funding", kind: "number", maxAgeSec: 36000)
rich = guard(funding > 0.0003, "BTCUSDT", maxSpread: 50, maxPosition: 0.001)
order("BTCUSDT", "buy", "market", amount: 0.001) when rich
close("BTCUSDT") when funding < 0`,
  'a part of the Kelly stake': `
ask = market.price("KXFEDDECISION-27MAR-C25:yes", field: "ask")
worth = guard(probability.edge(0.6, ask) > 0.03, "KXFEDDECISION-27MAR-C25:yes", maxPosition: 50)
order("KXFEDDECISION-27MAR-C25:yes", "buy", "limit", timeInForce: "ioc", amount: size(ask, 0.6, "kelly", 0.25), price: ask) when worth
exit("KXFEDDECISION-27MAR-C25:yes", beforeCloseSec: 600)`,
  'a bracket with a trailing stop': `
ask = crypto.price("BTCUSDT", field: "ask")
dip = guard(ask < lowest(ask, 30, sampleSec: 20) * 1.001, "BTCUSDT", maxPosition: 0.001)
order("BTCUSDT", "buy", "limit", amount: 0.001) when dip
target("BTCUSDT", 0.01, part: 0.5)
target("BTCUSDT", 0.03, part: 0.5)
exit("BTCUSDT", stopLoss: 0.02, trailing: 0.02)`,
  'arbitrage of one question at two venues': `
yes = market.price("KXFEDDECISION-27MAR-H0:yes", field: "ask")
no = market.price("${NO_AT_VENUE_B}", field: "ask")
both = guard(yes + no < 0.97, "KXFEDDECISION-27MAR-H0:yes", minDepth: 10, maxPosition: 10)
first = order("KXFEDDECISION-27MAR-H0:yes", "buy", "limit", timeInForce: "ioc", amount: 10, price: yes) when both
bought = order.result(first, "filledAmount")
order("${NO_AT_VENUE_B}", "buy", "limit", timeInForce: "ioc", amount: bought, price: no) when first`,
  'two-sided quoting': `
mid = market.price("KXFEDDECISION-27MAR-C25:yes")
held = position("KXFEDDECISION-27MAR-C25:yes")
calm = guard(held < 50, "KXFEDDECISION-27MAR-C25:yes", maxSpread: 0.06)
bid = quote("KXFEDDECISION-27MAR-C25:yes", "buy", amount: 10, price: mid - 0.02, afterFill: "repeat") when calm
offer = quote("KXFEDDECISION-27MAR-C25:yes", "sell", amount: 10, price: mid + 0.02, afterFill: "repeat") when held > 0
exit("KXFEDDECISION-27MAR-C25:yes", stopLoss: 0.3, beforeCloseSec: 1800)`,
  'news, and out before the close': `
news = signal("news", kind: "arrival")
order("KXFEDDECISION-27MAR-C25:yes", "buy", "market", amount: 10) when guard(news, "KXFEDDECISION-27MAR-C25:yes", maxSpread: 0.05)
exit("KXFEDDECISION-27MAR-C25:yes", stopLoss: 0.2, beforeCloseSec: 3600)`,
  'a probability with hysteresis': `
price = market.price("KXFEDDECISION-27MAR-C25:yes")
cheap = guard(lt(price, 0.4, hysteresis: 0.05), "KXFEDDECISION-27MAR-C25:yes", maxPosition: 20)
order("KXFEDDECISION-27MAR-C25:yes", "buy", "market", amount: 20) when cheap
close("KXFEDDECISION-27MAR-C25:yes") when price > 0.55`,
  'the first hour of a month': `
beat = once(schedule("daily", "14:00", "15:00", days: ["mon", "tue", "wed", "thu", "fri"]), "month")
order("BTCUSDT", "buy", "limit", timeInForce: "day", zone: "America/New_York", amount: 0.001) when guard(beat, "BTCUSDT")
exit("BTCUSDT", maxHoldSec: 604800)`,
  'rebalancing to a share of the equity': `
price = crypto.price("BTCUSDT")
equity = account("equity")
share = position("BTCUSDT") * price / equity
beat = schedule("every", 3600)
buy = order("BTCUSDT", "buy", "market", amount: (0.3 - share) * equity / price) when guard(beat and share < 0.25, "BTCUSDT")
sell = order("BTCUSDT", "sell", "market", amount: (share - 0.3) * equity / price) when beat and share > 0.35`,
  TWAP: `
slice = cooldown(schedule("every", 300), seconds: 0, maxCount: 12, windowSec: 86400)
order("ETHUSDT", "buy", "limit", timeInForce: "ioc", amount: 0.01) when guard(slice, "ETHUSDT", maxSpread: 5)
exit("ETHUSDT", stopLoss: 0.2)`,
  'a binary hedged with its coin': `
no = position("KXBTC-26DEC31:no")
missing = no * 0.00001 - position("BTCUSDT")
order("BTCUSDT", "buy", "market", amount: missing) when guard(missing > 0.0001, "BTCUSDT", maxSpread: 50)
close("BTCUSDT") when no < 1
exit("BTCUSDT", stopLoss: 0.2)`,
  'a ladder of bids that is withdrawn': `
fit = guard(schedule("daily", "08:00", "20:00"), "BTCUSDT", maxSpread: 50, maxPosition: 0.003)
bid = crypto.price("BTCUSDT", field: "bid")
one = quote("BTCUSDT", "buy", amount: 0.001, price: bid * 0.99) when fit
two = quote("BTCUSDT", "buy", amount: 0.001, price: bid * 0.98) when fit
three = quote("BTCUSDT", "buy", amount: 0.001, price: bid * 0.97) when fit
target("BTCUSDT", 0.01)
exit("BTCUSDT", stopLoss: 0.1)`,
};

const LINES_MAX = 15;

test.each(Object.entries(TWENTY))('%s can be written in fifteen lines, and compiles', (_, text) => {
  const read = parseStrategy(text);
  expect(read.ok ? [] : read.errors).toEqual([]);
  const formatted = formatStrategy(text);
  expect(formatted.ok && formatted.text.trim().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
  const { issues } = compile(read.ok && read.visual);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('twenty known strategies are held to this', () => {
  expect(Object.keys(TWENTY)).toHaveLength(20);
});
