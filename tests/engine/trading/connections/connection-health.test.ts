import { expect, test } from 'vitest';
import { ConnectionHealth } from '../../../../engine/trading/connections/connection-health.ts';
import type { VenueEvent } from '../../../../venues/broker.ts';
import { VenueError } from '../../../../venues/errors.ts';
import { ScriptedBroker } from '../../../support/scripted-broker.ts';

let nowMs = Date.parse('2026-11-22T12:00:00.000Z');
const now = () => new Date(nowMs);

function watched() {
  const health = new ConnectionHealth(now);
  const broker = new ScriptedBroker(now);
  return { health, broker, seen: health.observe(broker) };
}
const failing = (error: unknown) => async () => {
  throw error;
};

test('a venue is unanswered since its first failure, until any response', async () => {
  const { health, broker, seen } = watched();
  expect(health.factsSince(null)).toEqual({
    lastSeenAt: null,
    unansweredSince: null,
    isUnreadable: false,
    limitedCalls: 0,
    keyRefusals: 0,
    contestedBeats: 0,
  });
  broker.listOpen = failing(new Error('connection reset'));
  const since = now();
  await expect(health.observe(broker).listOpen()).rejects.toThrow('connection reset');
  nowMs += 5_000;
  await expect(health.observe(broker).listOpen()).rejects.toThrow();
  expect(health.factsSince(null).unansweredSince).toEqual(since);
  await seen.positions();
  expect(health.factsSince(null).unansweredSince).toBeNull();
});

test('a response that cannot be parsed is distinct from silence, until one can be parsed', async () => {
  const { health, broker, seen } = watched();
  broker.listOpen = failing(VenueError.unreadable('Binance sent open orders of another shape than expected'));
  await expect(health.observe(broker).listOpen()).rejects.toThrow();
  expect(health.factsSince(null)).toMatchObject({ unansweredSince: now(), isUnreadable: true });
  broker.listOpen = failing(VenueError.unavailable('Binance does not answer'));
  await expect(health.observe(broker).listOpen()).rejects.toThrow();
  expect(health.factsSince(null)).toMatchObject({ unansweredSince: now(), isUnreadable: false });
  broker.listOpen = failing(VenueError.mismatched('Binance', 'open orders'));
  await expect(health.observe(broker).listOpen()).rejects.toThrow();
  expect(health.factsSince(null).isUnreadable).toBe(true);
  await seen.positions();
  expect(health.factsSince(null)).toMatchObject({ unansweredSince: null, isUnreadable: false });
});

test.each([
  ['rate', VenueError.refused(429, 'venue A asks for less'), 'limitedCalls'],
  ['rate', VenueError.limited('Binance asks for fewer requests', 30), 'limitedCalls'],
  ['key', VenueError.refused(401, 'venue A does not accept the key'), 'keyRefusals'],
  ['key', VenueError.refused(403, 'venue B refuses'), 'keyRefusals'],
  ['heartbeat', VenueError.contested('venue B hears another one'), 'contestedBeats'],
] as const)('a refusal because of the %s is counted for a minute', async (_what, error, fact) => {
  const { health, broker } = watched();
  broker.balances = failing(error);
  const seen = health.observe(broker);
  for (const _ of [1, 2]) await expect(seen.balances()).rejects.toBe(error);
  expect(health.factsSince(null)[fact]).toBe(2);
  nowMs += 59_999;
  expect(health.factsSince(null)[fact]).toBe(2);
  nowMs += 1;
  expect(health.factsSince(null)[fact]).toBe(0);
});

test("refusals before a person's fix no longer count", async () => {
  const { health, broker } = watched();
  broker.balances = failing(VenueError.refused(401, 'venue A does not accept the key'));
  await expect(health.observe(broker).balances()).rejects.toThrow();
  nowMs += 1;
  expect(health.factsSince(new Date(nowMs - 2)).keyRefusals).toBe(1);
  expect(health.factsSince(now()).keyRefusals).toBe(0);
});

test('a failure that does not mention key or rate counts as neither', async () => {
  const { health, broker } = watched();
  broker.balances = failing(VenueError.refused(503, 'venue A is down'));
  await expect(health.observe(broker).balances()).rejects.toThrow();
  expect(health.factsSince(null)).toMatchObject({ limitedCalls: 0, keyRefusals: 0 });
});

test('events of the stream are passed on and noted; a venue without a stream has none', async () => {
  const { health, broker, seen } = watched();
  expect([seen.stream, seen.sendHeartbeat, seen.refusalOf]).toEqual([undefined, undefined, undefined]);
  const events: VenueEvent[] = [];
  let tell: (event: VenueEvent) => void = () => {};
  const streaming = health.observe(
    Object.assign(broker, {
      sendHeartbeat: async () => {},
      refusalOf: async () => null,
      stream: (on: (event: VenueEvent) => void) => {
        tell = on;
        return { stop: async () => {} };
      },
    }),
  );
  streaming.stream?.((event) => events.push(event));
  await streaming.sendHeartbeat?.();
  expect(streaming.refusalOf).toBeDefined();
  expect(health.factsSince(null).lastSeenAt).toBeNull();
  tell({ kind: 'gap' });
  expect(events).toEqual([{ kind: 'gap' }]);
  expect(health.factsSince(null).lastSeenAt).toEqual(now());
});
