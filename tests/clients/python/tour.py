"""Tours the service through the Python package; prints `toured`."""
import sys

from trading_strategy import ApiError, Client, reply_of

url, key = sys.argv[1:]
client = Client(url, key)

assert client.portfolio.summary()["totalPnl"] == 0

made = client.blueprints.create(name="Made once", idempotency_key="tour-1")
again = client.blueprints.create(name="Made once", idempotency_key="tour-1")
assert again["id"] == made["id"] and reply_of(again).replayed and not reply_of(made).replayed

try:
    client.blueprints.create(name="")
    raise AssertionError("A blueprint without a name was created.")
except ApiError as refusal:
    assert (refusal.status, refusal.code, refusal.issues[0]["path"]) == (400, "validation_failed", "/name")
    assert refusal.request_id

pending = list(client.orders.list_all(limit=1, status="pending"))
assert len(pending) == 3, pending
first, second, third = pending

version = reply_of(client.orders.read(first["id"])).version
assert version is not None
try:
    client.orders.approve(first["id"], expected_version=version + 1)
    raise AssertionError("An order was approved at a version that it did not have.")
except ApiError as refusal:
    assert refusal.code == "precondition_failed"
client.orders.approve(first["id"], expected_version=version)
client.orders.cancel(first["id"])
assert client.orders.read(first["id"])["status"] == "canceled"

client.orders.reject(second["id"])
client.orders.cancel(third["id"])
assert [order["id"] for order in client.orders.list(status="declined")] == [second["id"]]
assert list(client.orders.list_all(status="pending")) == []

for event_id, event in client.event_stream(last_event_id="0", kinds="order.changed"):
    assert event_id is not None
    if event["type"] == "order.changed" and event["payload"]["status"] == "declined":
        assert event["payload"]["id"] == second["id"]
        break

try:
    Client(url, "tsk_none").portfolio.summary()
    raise AssertionError("An unknown key was accepted.")
except ApiError as refusal:
    assert refusal.status == 401

print("toured")
