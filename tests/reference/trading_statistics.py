"""Statistics of trading, computed a second time, from the definitions and not from the service's code.

    python3 tests/reference/trading_statistics.py > tests/reference/trading_statistics.json

Needs nothing but Python 3.11 or newer. Prints scenarios of made-up trading and what they come to; the tests compare. Money is
exact (Decimal), ratios are floats summed by fsum, everything is done the obvious and slow way.
"""

import datetime
import itertools
import json
import math
import random
from decimal import Decimal, getcontext
from statistics import NormalDist

getcontext().prec = 60
DAY = 86_400_000
HOUR = 3_600_000
FROM = 1_735_689_600_000  # 2025-01-01T00:00:00Z


def none(reason):
    return {"value": None, "reason": reason}


def val(value):
    return {"value": value}


def mean(xs):
    return math.fsum(xs) / len(xs)


def sd(xs):
    m = mean(xs)
    return math.sqrt(math.fsum((x - m) ** 2 for x in xs) / (len(xs) - 1))


def scenario(name, seed, days, tokens, step_ms, fee_rate, settle, start="10000", begins=FROM):
    """A random trader: buys and sells a few instruments, marked at each step."""
    rng = random.Random(seed)
    cash, held = Decimal(start), {t: Decimal(0) for t in tokens}
    price = {t: Decimal(rng.randint(20, 80)) / 100 for t in tokens}
    gone = set()
    events, points = [], []
    at, end = begins, begins + days * DAY
    while at < end:
        at += step_ms
        for t in tokens:
            if t in gone:
                continue
            price[t] = min(max(price[t] + Decimal(rng.randint(-4, 4)) / 100, Decimal("0.02")), Decimal("0.98"))
            if held[t] > 0:
                events.append({"kind": "mark", "holding": t, "atMs": at, "price": str(price[t])})
            dice = rng.random()
            if dice < 0.12 and cash > 500:
                amount = Decimal(rng.randint(1, 300))
                fee = (amount * price[t] * Decimal(fee_rate)).quantize(Decimal("0.0001"))
                cash -= amount * price[t] + fee
                held[t] += amount
                events.append({"kind": "fill", "holding": t, "atMs": at, "side": "buy", "amount": str(amount), "price": str(price[t]), "fee": str(fee)})
            elif dice < 0.25 and held[t] > 0:
                amount = held[t] if rng.random() < 0.6 else Decimal(rng.randint(1, int(held[t])))
                fee = (amount * price[t] * Decimal(fee_rate)).quantize(Decimal("0.0001"))
                cash += amount * price[t] - fee
                held[t] -= amount
                events.append({"kind": "fill", "holding": t, "atMs": at, "side": "sell", "amount": str(amount), "price": str(price[t]), "fee": str(fee)})
        if settle and len(gone) < len(tokens) - 1 and rng.random() < 0.02:
            t = rng.choice([t for t in tokens if t not in gone])
            value = Decimal(rng.choice(["0", "1", "0.5"]))
            cash += held[t] * value
            events.append({"kind": "settlement", "holding": t, "atMs": at, "value": str(value)})
            held[t] = Decimal(0)
            gone.add(t)
        worth = sum((held[t] * price[t] for t in tokens), Decimal(0))
        points.append({"atMs": at, "equity": str(cash + worth), "held": str(worth)})
    return {"name": name, "fromMs": begins, "toMs": end, "start": start, "events": events, "points": points}


def trades_of(events):
    """Cycles from flat to flat, of each holding by itself."""
    closed, still = [], []
    for holding in dict.fromkeys(e["holding"] for e in events):
        cycle, amount = [], Decimal(0)
        for e in (e for e in events if e["holding"] == holding):
            if e["kind"] == "mark":
                if amount > 0:
                    cycle.append(e)
                continue
            if e["kind"] == "settlement" and amount == 0:
                continue
            cycle.append(e)
            if e["kind"] == "settlement":
                amount = Decimal(0)
            else:
                amount += Decimal(e["amount"]) * (1 if e["side"] == "buy" else -1)
            if amount == 0:
                closed.append(figures(cycle))
                cycle = []
        if cycle:
            still.append(figures(cycle))
    return closed, still


def figures(cycle):
    amount = bought = sold = fees = Decimal(0)
    worst = best = Decimal(0)
    entry_amount = entry_notional = Decimal(0)
    reduced, settled = False, None
    for e in cycle:
        if e["kind"] == "fill":
            notional = Decimal(e["amount"]) * Decimal(e["price"])
            fees += Decimal(e["fee"])
            if e["side"] == "buy":
                amount, bought = amount + Decimal(e["amount"]), bought + notional
                if not reduced:
                    entry_amount, entry_notional = entry_amount + Decimal(e["amount"]), entry_notional + notional
            else:
                amount, sold, reduced = amount - Decimal(e["amount"]), sold + notional, True
        elif e["kind"] == "settlement":
            settled = e["value"]
            sold, amount = sold + amount * Decimal(e["value"]), Decimal(0)
        else:
            result = sold + amount * Decimal(e["price"]) - bought - fees
            worst, best = min(worst, result), max(best, result)
    pnl = sold - bought - fees
    if amount == 0:
        worst, best = min(worst, pnl), max(best, pnl)
    return {
        "opened": cycle[0]["atMs"], "closed": cycle[-1]["atMs"], "bought": bought, "sold": sold, "fees": fees, "pnl": pnl,
        "amount": amount, "worst": worst, "best": best, "entry": entry_notional / entry_amount, "settled": settled,
    }


def daily(points, start):
    by_day = {}
    for p in points:
        by_day[(p["atMs"] - 1) // DAY] = float(p["equity"])
    out, before = [], float(start)
    for day in range(min(by_day), max(by_day) + 1):
        now = by_day.get(day, before)
        out.append((day, now / before - 1))
        before = now
    return out


def drawdown(points, start, from_ms):
    """Of every point: how far below the highest before it. O(n^2) on purpose."""
    curve = [(from_ms, Decimal(start))] + [(p["atMs"], Decimal(p["equity"])) for p in points]
    deepest, longest = None, 0
    for i, (at, equity) in enumerate(curve):
        top = max(e for _, e in curve[: i + 1])
        peak_at = max(t for t, e in curve[: i + 1] if e == top)
        back = next((t for t, e in curve[i + 1 :] if e >= top), None)
        if equity < top:
            longest = max(longest, (back if back is not None else curve[-1][0]) - peak_at)
            share = float((top - equity) / top)
            if deepest is None or share > deepest["share"]:
                deepest = {"share": share, "usd": str(top - equity), "peakAtMs": peak_at, "troughAtMs": at, "recoveredAtMs": back}
    return deepest, longest


def exposure(events, points, from_ms, to_ms):
    """Union of the times in which something was held."""
    amounts, since, total = {}, None, 0
    for e in events:
        if e["kind"] == "mark":
            continue
        if e["kind"] == "settlement":
            amounts[e["holding"]] = Decimal(0)
        else:
            amounts[e["holding"]] = amounts.get(e["holding"], Decimal(0)) + Decimal(e["amount"]) * (1 if e["side"] == "buy" else -1)
        held = any(a > 0 for a in amounts.values())
        if held and since is None:
            since = e["atMs"]
        if not held and since is not None:
            total, since = total + e["atMs"] - since, None
    if since is not None:
        total += to_ms - since
    ends = [p["atMs"] for p in points[1:]] + [to_ms]
    weighted = math.fsum(float(p["held"]) / float(p["equity"]) * (e - p["atMs"]) for p, e in zip(points, ends))
    return total / (to_ms - from_ms), weighted / (to_ms - from_ms)


def psr(returns, benchmark=0.0):
    m, n = mean(returns), len(returns)
    sr = m / sd(returns)
    moment = lambda k: math.fsum((x - m) ** k for x in returns) / n
    skew, kurt = moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2
    return NormalDist().cdf((sr - benchmark) * math.sqrt(n - 1) / math.sqrt(1 - skew * sr + (kurt - 1) / 4 * sr * sr))


def risk(returns, points, start, from_ms, to_ms, of_equity, growth):
    """Textbook loops over the days; time under water point by point."""
    n, m, s = len(returns), mean(returns), sd(returns)
    sr = m / s
    moment = lambda k: math.fsum((x - m) ** k for x in returns) / n
    skew, kurt = moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2
    rho = math.fsum((returns[i] - m) * (returns[i - 1] - m) for i in range(1, n)) / math.fsum((x - m) ** 2 for x in returns)
    year = 365 + 2 * math.fsum((365 - k) * rho**k for k in range(1, 365))
    tail = math.ceil(n / 20)
    low, high = sorted(returns)[:tail], sorted(returns, reverse=True)[:tail]
    losses = -math.fsum(x for x in returns if x < 0)
    worth, falls = [1.0], []
    for x in returns:
        worth.append(worth[-1] * (1 + x))
        falls.append(100 * (max(worth) - worth[-1]) / max(worth))
    peak, peak_at, low_since, under = Decimal(start), from_ms, False, 0
    for p in points:
        if Decimal(p["equity"]) >= peak:
            under += p["atMs"] - peak_at if low_since else 0
            peak, peak_at, low_since = Decimal(p["equity"]), p["atMs"], False
        else:
            low_since = True
    under += points[-1]["atMs"] - peak_at if low_since else 0
    few = n < 20
    return {
        "sharpeError": val(math.sqrt(365) * math.sqrt((1 - skew * sr + (kurt - 1) / 4 * sr * sr) / (n - 1))),
        "autocorrelation": val(rho),
        "sharpeAdjusted": val(365 * sr / math.sqrt(year)),
        "skewness": val(skew), "kurtosis": val(kurt),
        "valueAtRisk": none("too_few") if few else val(-low[-1]),
        "expectedShortfall": none("too_few") if few else val(-mean(low)),
        "omega": none("no_downside") if losses < 1e-12 else val(math.fsum(x for x in returns if x > 0) / losses),
        "tailRatio": none("too_few") if few else none("no_downside") if -low[-1] < 1e-12 else val(high[-1] / -low[-1]),
        "ulcer": val(math.sqrt(mean([f * f for f in falls])) / 100),
        "timeUnderWater": val(under / (to_ms - from_ms)),
        "returnOnExposure": val((growth - 1) / of_equity),
    }


def track_record(returns):
    """The published formula, in days."""
    m, n = mean(returns), len(returns)
    sr = m / sd(returns)
    if sr <= 0:
        return none("no_gain")
    moment = lambda k: math.fsum((x - m) ** k for x in returns) / n
    skew, kurt = moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2
    return val(1 + (1 - skew * sr + (kurt - 1) / 4 * sr**2) * (NormalDist().inv_cdf(0.95) / sr) ** 2)


def days_held(events, to_ms):
    """Each day of each holding, from its first buy to the event that ends it."""
    days, since, amounts = set(), {}, {}
    for e in events:
        if e["kind"] == "mark":
            continue
        t = e["holding"]
        before = amounts.get(t, Decimal(0))
        amounts[t] = Decimal(0) if e["kind"] == "settlement" else before + Decimal(e["amount"]) * (1 if e["side"] == "buy" else -1)
        if before == 0 and amounts[t] > 0:
            since[t] = e["atMs"]
        if before > 0 and amounts[t] == 0:
            days |= set(range((since.pop(t) - 1) // DAY, (e["atMs"] - 1) // DAY + 1))
    for at in since.values():
        days |= set(range((at - 1) // DAY, (to_ms - 1) // DAY + 1))
    return days


def rolling(days):
    """Every nth window of 30 days that ends with the newest, so that there are at most 60."""
    ends = [i for i in range(len(days)) if i >= 29]
    step = max(1, math.ceil(len(ends) / 60))
    out = []
    for i in sorted(ends[::-1][::step]):
        window = [v for _, v in days[i - 29 : i + 1]]
        name = datetime.datetime.fromtimestamp(days[i][0] * 86400, datetime.timezone.utc).strftime("%Y-%m-%d")
        out.append({"day": name, "value": mean(window) / sd(window) * math.sqrt(365) if sd(window) >= 1e-12 else None})
    return out


def chance_of_row(length, p, trades):
    """The chance that a row of hits appears: every state of a chain that counts the row so far."""
    state, reached = [1.0] + [0.0] * (length - 1), 0.0
    for _ in range(trades):
        reached += state[-1] * p
        state = [math.fsum(state) * (1 - p)] + [s * p for s in state[:-1]]
    return reached


def row_figure(length, hits, trades, never, always):
    if trades == 0:
        return none("no_trades")
    if hits in (0, trades):
        return none(never if hits == 0 else always)
    if trades < 30:
        return none("too_few")
    return val(chance_of_row(length, hits / trades, trades))


def dsr(returns, sharpes):
    g, n, z = 0.5772156649015329, len(sharpes), NormalDist().inv_cdf
    return psr(returns, sd(sharpes) * ((1 - g) * z(1 - 1 / n) + g * z(1 - 1 / (n * math.e))))


def pbo(trials, slices):
    days = len(trials[0])
    drop = days % slices
    per = (days - drop) // slices
    cut = [[t[drop + i * per : drop + (i + 1) * per] for i in range(slices)] for t in trials]
    sharpe = lambda xs: mean(xs) / sd(xs) if sd(xs) >= 1e-12 else 0.0
    low = count = 0
    for known in itertools.combinations(range(slices), slices // 2):
        inside = [sharpe([x for i in known for x in c[i]]) for c in cut]
        outside = [sharpe([x for i in range(slices) if i not in known for x in c[i]]) for c in cut]
        best = inside.index(max(inside))
        rank = 1 + sum(o < outside[best] for o in outside)
        omega = rank / (len(trials) + 1)
        low, count = low + (math.log(omega / (1 - omega)) <= 0), count + 1
    return low / count


def xoshiro(seed):
    """The published generator (xoshiro128**), its state from the published splitmix32."""
    word = 0xFFFFFFFF
    turn = lambda x, k: ((x << k) | (x >> (32 - k))) & word
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B9) & word
        z = ((seed ^ (seed >> 16)) * 0x21F0AAAD) & word
        z = ((z ^ (z >> 15)) * 0x735A2D97) & word
        state.append(z ^ (z >> 15))
    while True:
        yield (turn((state[1] * 5) & word, 7) * 9) & word
        t = (state[1] << 9) & word
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= t
        state[3] = turn(state[3], 11)


def resampled(returns):
    """Stationary bootstrap: the whole path of each of 1,000 resamples, then its figures."""
    n, numbers = len(returns), xoshiro(1)
    below = lambda k: next(x for x in numbers if x < 2**32 - 2**32 % k) % k
    block = math.floor(n ** (1 / 3) + 0.5)
    totals, falls = [], []
    for _ in range(1000):
        day, path = below(n), [1.0]
        for _ in range(n):
            path.append(path[-1] * (1 + returns[day]))
            day = below(n) if below(block) == 0 else (day + 1) % n
        totals.append(path[-1] - 1)
        falls.append(max(1 - low / high for low, high in zip(path, itertools.accumulate(path, max))))
    ends = lambda xs: {"low": sorted(xs)[49], "high": sorted(xs)[950]}
    return {"totalReturn": ends(totals), "maxDrawdown": ends(falls), "losing": sum(x < 0 for x in totals) / 1000}


def expected(s):
    points, start = s["points"], s["start"]
    every = daily(points, start)
    days = [(d, v) for d, v in every if d * DAY >= s["fromMs"] and (d + 1) * DAY <= s["toMs"]]
    r = [v for _, v in days]
    closed, still = trades_of(s["events"])
    closed.sort(key=lambda t: t["closed"])
    span = s["toMs"] - s["fromMs"]
    end = Decimal(points[-1]["equity"])
    growth = float(end / Decimal(start))
    cagr = none("too_short") if span < 30 * DAY else val(growth ** (365 * DAY / span) - 1)
    deepest, longest = drawdown(points, start, s["fromMs"])
    pnls = [t["pnl"] for t in closed]
    wins, losses = [p for p in pnls if p > 0], [p for p in pnls if p < 0]
    short = math.sqrt(math.fsum(min(x, 0.0) ** 2 for x in r) / len(r))
    mean_win = val(float(sum(wins)) / len(wins)) if wins else none("no_wins" if pnls else "no_trades")
    mean_loss = val(float(-sum(losses)) / len(losses)) if losses else none("no_losses" if pnls else "no_trades")
    held = sorted(t["closed"] - t["opened"] for t in closed)
    time, of_equity = exposure(s["events"], points, s["fromMs"], s["toMs"])
    streak = lambda sign: max((len(list(g)) for k, g in itertools.groupby((p > 0) - (p < 0) for p in pnls) if k == sign), default=0)
    gross = sum((t["pnl"] + t["fees"] for t in closed if t["pnl"] + t["fees"] > 0), Decimal(0))
    fees = sum((t["fees"] for t in closed), Decimal(0))
    months = {}
    for day, v in every:
        months.setdefault(datetime.datetime.fromtimestamp(day * 86400, datetime.timezone.utc).strftime("%Y-%m"), []).append(v)
    settled = [(float(t["entry"]), float(t["settled"])) for t in closed if t["settled"] is not None]
    traded = sum((Decimal(e["amount"]) * Decimal(e["price"]) for e in s["events"] if e["kind"] == "fill"), Decimal(0))
    flat = sd(r) < 1e-12
    market_days = days_held(s["events"], s["toMs"])
    in_market = [v for day, v in days if day in market_days]
    on_paid = [float(t["pnl"]) / float(t["bought"]) for t in closed]
    best = sorted(pnls, reverse=True)[:5]
    return {
        "netProfit": str(end - Decimal(start)),
        "totalReturn": val(growth - 1),
        "cagr": cagr,
        "volatility": val(sd(r) * math.sqrt(365)),
        "sharpe": none("zero_variance") if flat else val(mean(r) / sd(r) * math.sqrt(365)),
        "sortino": none("no_downside") if short < 1e-12 else val(mean(r) / short * math.sqrt(365)),
        "calmar": none("no_drawdown") if deepest is None else cagr if cagr["value"] is None else val(cagr["value"] / deepest["share"]),
        "probabilisticSharpe": none("zero_variance") if flat else val(psr(r)),
        "maxDrawdown": deepest,
        "longestDrawdownMs": longest,
        "exposure": val(time),
        "exposureOfEquity": val(of_equity),
        "risk": {
            **risk(r, points, start, s["fromMs"], s["toMs"], of_equity, growth),
            "days": len(r), "partialDays": len(every) - len(days), "minTrackRecordDays": track_record(r),
            "daysInMarket": len(in_market), "sharpeInMarket": val(mean(in_market) / sd(in_market) * math.sqrt(365)),
        },
        "rollingSharpe": rolling(days),
        "turnover": val(float(traded / Decimal(start))),
        "turnoverYearly": none("too_short") if span < 30 * DAY else val(float(traded / Decimal(start)) * 365 * DAY / span),
        "closed": len(pnls), "wins": len(wins), "losses": len(losses), "flat": len(pnls) - len(wins) - len(losses), "open": len(still),
        "winRate": val(len(wins) / len(pnls)) if pnls else none("no_trades"),
        "profitFactor": val(float(sum(wins)) / float(-sum(losses))) if losses else none("no_losses" if pnls else "no_trades"),
        "expectancy": val(float(sum(pnls)) / len(pnls)) if pnls else none("no_trades"),
        "meanReturn": val(mean([float(t["pnl"]) / float(t["bought"]) for t in closed])) if pnls else none("no_trades"),
        "meanWin": mean_win, "meanLoss": mean_loss,
        "sqn": none("too_few" if pnls else "no_trades") if len(pnls) < 2 else val(math.sqrt(len(pnls)) * mean([float(p) for p in pnls]) / sd([float(p) for p in pnls])),
        "best": str(max(pnls)) if pnls else None, "worst": str(min(pnls)) if pnls else None,
        "meanHeldMs": val(mean(held)) if held else none("no_trades"),
        "medianHeldMs": val((held[(len(held) - 1) // 2] + held[len(held) // 2]) / 2) if held else none("no_trades"),
        "winsInARowMax": streak(1), "lossesInARowMax": streak(-1),
        "winsInARowChance": row_figure(streak(1), len(wins), len(pnls), "no_wins", "no_losses"),
        "lossesInARowChance": row_figure(streak(-1), len(losses), len(pnls), "no_losses", "no_wins"),
        "bestFiveShare": none("no_trades") if not pnls else none("no_gain") if sum(pnls) <= 0 else none("too_few") if len(pnls) <= 5 else val(float(sum(best)) / float(sum(pnls))),
        "sharpe of trades": none("too_few" if pnls else "no_trades") if len(pnls) < 2 else val(mean(on_paid) / sd(on_paid)),
        "fees": str(fees),
        "feesOfGross": val(float(fees) / float(gross)) if gross > 0 else none("no_wins" if pnls else "no_trades"),
        "monthly": [{"month": m, "value": math.prod(1 + v for v in vs) - 1} for m, vs in months.items()],
        "brier": val(mean([(p - o) ** 2 for p, o in settled])) if settled else none("no_trades"),
        "excursions": [[str(t["worst"]), str(t["best"])] for t in closed],
    }


if __name__ == "__main__":
    scenarios = [
        scenario("a quarter of contracts that settle", 1, 90, ["a", "b", "c", "d"], 12 * HOUR, "0.02", True),
        scenario("three weeks, too short for a year", 2, 21, ["a", "b"], 6 * HOUR, "0.001", False),
        scenario("a year of one instrument, without fees", 3, 365, ["a"], 24 * HOUR, "0", False),
        scenario("two months that gain, from noon to noon", 7, 62, ["a", "b", "c", "d"], 8 * HOUR, "0", False, begins=FROM + 12 * HOUR),
        scenario("two days", 4, 2, ["a", "b", "c"], HOUR, "0.07", True),
    ]
    rng = random.Random(5)
    noise = [[rng.gauss(0, 0.01) for _ in range(101)] for _ in range(12)]
    sharpes = [mean(t) / sd(t) for t in noise]
    best = noise[max(range(len(noise)), key=lambda i: sharpes[i])]
    print(json.dumps({
        "scenarios": [{**s, "expected": expected(s)} for s in scenarios],
        "overfitting": {"trials": noise, "best": best, "psr": psr(best), "dsr": dsr(best, sharpes), "pbo": pbo(noise, 8), "resampled": resampled(best)},
        "normal": [[x, 0.5 * math.erfc(-x / math.sqrt(2))] for x in (-9.5, -6, -3.0001, -2.9, -1, -1e-9, 0, 0.3, 1, 2.9999, 3, 5, 8)],
        "quantiles": [[p, NormalDist().inv_cdf(p)] for p in (1e-12, 1e-6, 0.01, 0.025, 0.3, 0.5, 0.7, 0.999, 1 - 1e-9)],
    }))
