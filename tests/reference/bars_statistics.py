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


if __name__ == "__main__":
    reference.drawdown = deepest
    bars = read(sys.argv[1])
    scenarios = []
    for s in SCENARIOS:
        part = bars[: s["bars"]]
        scenarios.append({**s, "expected": expected(trade(part, s))})
    print(json.dumps({"bars": len(bars), "scenarios": scenarios}, indent=2))
