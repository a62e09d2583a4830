"""Four scenarios on recorded bars, traded and added up a second time; see `trading_statistics.py` for the definitions.

    python3 tests/reference/bars_statistics.py btcusdt-5m.csv.gz > tests/reference/bars_statistics.json

The bars are not part of the project. What is decided is decided on whole cents, so that two languages decide alike.
"""

import gzip
import json
import sys
from decimal import Decimal

import trading_statistics as reference

BAR = 300_000
SCENARIOS = [
    {"name": "10 over 30", "fast": 10, "slow": 30, "amount": "0.1", "fee": "0", "half": False, "bars": None},
    {"name": "10 over 30, with fees", "fast": 10, "slow": 30, "amount": "0.1", "fee": "0.001", "half": False, "bars": None},
    {"name": "50 over 200, half of it sold after an hour", "fast": 50, "slow": 200, "amount": "0.2", "fee": "0.0005", "half": True, "bars": None},
    {"name": "three weeks", "fast": 20, "slow": 80, "amount": "0.3", "fee": "0.001", "half": False, "bars": 21 * 288},
]


def cents(price):
    return int(Decimal(price) * 100)


def read(path):
    with gzip.open(path, "rt") as file:
        next(file)
        return [line.strip().split(",") for line in file]


def trade(bars, s):
    """Bought at the open after the fast average came to lie above the slow one, sold at the open after it did no longer."""
    cash, held, fee = Decimal("100000"), Decimal(0), Decimal(s["fee"])
    events, points = [], []
    closes = [cents(b[4]) for b in bars]
    fast = slow = 0
    above = was_above = None
    since = 0
    for i, bar in enumerate(bars):
        at, opened = int(bar[0]), Decimal(bar[1])
        side = amount = None
        if above is not None and was_above is not None and above != was_above:
            if above:
                side, amount = "buy", Decimal(s["amount"])
            elif held > 0:
                side, amount = "sell", held
        elif s["half"] and held == Decimal(s["amount"]) and i - since == 12:
            side, amount = "sell", held / 2
        if side is not None:
            paid = amount * opened * fee
            sign = 1 if side == "buy" else -1
            cash, held = cash - sign * amount * opened - paid, held + sign * amount
            events.append({"kind": "fill", "holding": "a", "atMs": at, "side": side, "amount": str(amount), "price": str(opened), "fee": str(paid)})
            if side == "buy":
                since = i
        if held > 0:
            events.append({"kind": "mark", "holding": "a", "atMs": at + BAR, "price": bar[4]})
        worth = held * Decimal(bar[4])
        points.append({"atMs": at + BAR, "equity": str(cash + worth), "held": str(worth)})
        fast += closes[i] - (closes[i - s["fast"]] if i >= s["fast"] else 0)
        slow += closes[i] - (closes[i - s["slow"]] if i >= s["slow"] else 0)
        if i + 1 >= s["slow"]:
            was_above, above = above, fast * s["slow"] > slow * s["fast"]
    return {"name": s["name"], "fromMs": int(bars[0][0]), "toMs": int(bars[-1][0]) + BAR, "start": "100000", "events": events, "points": points}


def deepest(points, start, from_ms):
    """As `trading_statistics.drawdown`, in one pass: of so many points every pair is too many."""
    top, top_at, trough, found, longest = Decimal(start), from_ms, None, [], 0
    for p in points:
        equity = Decimal(p["equity"])
        if equity >= top:
            if trough is not None:
                found.append((top, top_at, *trough, p["atMs"]))
                longest = max(longest, p["atMs"] - top_at)
            top, top_at, trough = equity, p["atMs"], None
        elif trough is None or equity < trough[0]:
            trough = (equity, p["atMs"])
    if trough is not None:
        found.append((top, top_at, *trough, None))
        longest = max(longest, points[-1]["atMs"] - top_at)
    if not found:
        return None, longest
    top, peak_at, low, at, back = max(found, key=lambda f: (f[0] - f[2]) / f[0])
    return {"share": float((top - low) / top), "usd": str(top - low), "peakAtMs": peak_at, "troughAtMs": at, "recoveredAtMs": back}, longest


def expected(s):
    seen = reference.expected(s)
    excursions = seen.pop("excursions")
    return {**seen, "worst of all": str(sum(Decimal(w) for w, _ in excursions)), "best of all": str(sum(Decimal(b) for _, b in excursions))}


SWEEP = {"fast": [5, 10, 15, 20, 25], "slow": [30, 40, 50, 60, 70], "amount": "0.1", "fromDay": 1, "days": 40}


def crossing(bars, fast, slow, amount, start, end):
    """Bought at the open after the fast average has risen above the slow one, all sold at the open after it has fallen below."""
    closes = [cents(b[4]) for b in bars[:end]]
    side = lambda i: sum(closes[i - fast + 1 : i + 1]) * slow - sum(closes[i - slow + 1 : i + 1]) * fast
    cash, held, points, trades = Decimal("100000"), Decimal(0), [], 0
    before = side(start - 1)
    was_above, was_below, wish = before > 0, before < 0, None
    for i in range(start, end):
        opened = Decimal(bars[i][1])
        if wish == "buy":
            cash, held = cash - Decimal(amount) * opened, held + Decimal(amount)
        elif wish == "sell":
            cash, held, trades = cash + held * opened, Decimal(0), trades + 1
        now = side(i)
        above, below, wish = now > 0, now < 0, None
        if above and not was_above:
            wish = "buy"
        if below and not was_below and held > 0:
            wish = "sell"
        was_above, was_below = above, below
        points.append({"atMs": int(bars[i][0]) + BAR, "equity": str(cash + held * Decimal(bars[i][4]))})
    return [v for _, v in reference.daily(points, "100000")], trades


def swept(bars, s):
    first = next(i for i, b in enumerate(bars) if int(b[0]) % reference.DAY == 0 and i >= s["fromDay"] * 288)
    runs = [(f, w, *crossing(bars, f, w, s["amount"], first, first + s["days"] * 288)) for f in s["fast"] for w in s["slow"]]
    daily = [reference.mean(r) / reference.sd(r) for _, _, r, _ in runs]
    best = max(range(len(runs)), key=lambda i: daily[i])
    return {
        **s,
        "fromMs": int(bars[first][0]),
        "trials": [{"fast": f, "slow": w, "sharpe": d * 365**0.5, "closed": t} for (f, w, _, t), d in zip(runs, daily)],
        "best": {"fast": runs[best][0], "slow": runs[best][1]},
        "psr": reference.psr(runs[best][2]),
        "dsr": reference.dsr(runs[best][2], daily),
        "pbo": reference.pbo([r for _, _, r, _ in runs], 8),
        "pboSlices": 8,
    }


if __name__ == "__main__":
    reference.drawdown = deepest
    bars = read(sys.argv[1])
    scenarios = []
    for s in SCENARIOS:
        part = bars[: s["bars"]]
        scenarios.append({**s, "expected": expected(trade(part, s))})
    print(json.dumps({"bars": len(bars), "scenarios": scenarios, "sweep": swept(bars, SWEEP)}, indent=2))
