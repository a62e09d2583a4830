import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Reported, reports, type Sending, sendings } from '../../engine/trading/orders/diagnostics.ts';
import { type VenueCall, venueCalls } from '../../venues/http/venue-calls.ts';
import {
  type DecidedIntent,
  decisions,
  type ForeignIntentEvent,
  foreignIntents,
  polls,
  type Tick,
  ticks,
  type VenuePoll,
} from '../kernel/rounds/runner-events.ts';
import { subscribeTo, subscribeToDurations } from '../kernel/subscribe-to.ts';

const QUICK_SEC = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const AGE_SEC = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600];

/** Counts ticks, intents, orders, quotes and venues. Returns a function that stops it. */
export function countTradingWork(register: Registry): () => void {
  const stops = [countTicks, countIntents, countForeignIntents, countOrders, countVenues, countQuotes].map(
    (count) => count([register]),
  );
  return () => stops.forEach((stop) => void stop());
}

type Registers = Registry[];

function countTicks(registers: Registers): () => void {
  const seconds = new Histogram({
    name: 'trading_tick_duration_seconds',
    help: 'One tick of one shard: read, evaluate, store',
    buckets: QUICK_SEC,
    registers,
  });
  const lag = new Histogram({
    name: 'trading_tick_lag_seconds',
    help: 'Between the instant of a tick and the moment it was stored',
    buckets: QUICK_SEC,
    registers,
  });
  const skipped = new Counter({ name: 'trading_ticks_skipped_total', help: 'Ticks skipped', registers });
  const failed = new Counter({ name: 'trading_ticks_failed_total', help: 'Ticks that failed', registers });
  const evaluated = new Counter({
    name: 'trading_evaluations_total',
    help: 'Steps of deployments',
    registers,
  });
  const stored = new Counter({
    name: 'trading_states_stored_total',
    help: 'Rows of states written',
    registers,
  });
  const raised = new Counter({ name: 'trading_intents_raised_total', help: 'Intents of ticks', registers });
  return subscribeToDurations<Tick>(ticks, (tick, ms, error) => {
    seconds.observe(ms / 1_000);
    if (error) failed.inc();
    skipped.inc(tick.skipped);
    evaluated.inc(tick.deployments);
    stored.inc(tick.stored);
    raised.inc(tick.raised.length);
    if (tick.lagMs !== null) lag.observe(tick.lagMs / 1_000);
  });
}

function countIntents(registers: Registers): () => void {
  const seconds = new Histogram({
    name: 'trading_decision_duration_seconds',
    help: 'One decision, by verdict',
    labelNames: ['verdict'],
    buckets: QUICK_SEC,
    registers,
  });
  const denials = new Counter({
    name: 'trading_denials_total',
    help: 'Orders of strategies that were denied, by the code of the denial',
    labelNames: ['code'],
    registers,
  });
  return subscribeTo<DecidedIntent>(decisions, ({ verdict, deniedBy, ms }) => {
    seconds.observe({ verdict }, ms / 1_000);
    if (deniedBy !== null) denials.inc({ code: deniedBy });
  });
}

function countForeignIntents(registers: Registers): () => void {
  const found = new Counter({
    name: 'trading_foreign_intents_total',
    help: 'Steps with an intent that their deployment did not fire; not stored',
    registers,
  });
  return subscribeTo<ForeignIntentEvent>(foreignIntents, () => found.inc());
}

function countOrders(registers: Registers): () => void {
  const sent = new Histogram({
    name: 'trading_order_send_duration_seconds',
    help: 'An order on its way to its venue and back, by outcome',
    labelNames: ['outcome'],
    buckets: QUICK_SEC,
    registers,
  });
  const fills = new Counter({ name: 'trading_fills_total', help: 'Fills booked', registers });
  const age = new Histogram({
    name: 'trading_order_age_at_report_seconds',
    help: 'Age of an order when its venue said this status of it',
    labelNames: ['status'],
    buckets: AGE_SEC,
    registers,
  });
  const stopSending = subscribeToDurations<Sending>(sendings, ({ outcome }, ms) =>
    sent.observe({ outcome }, ms / 1_000),
  );
  const stopReports = subscribeTo<Reported>(reports, ({ status, fills: count, ageMs }) => {
    fills.inc(count);
    age.observe({ status }, Math.max(0, ageMs) / 1_000);
  });
  return () => {
    stopSending();
    stopReports();
  };
}

function countVenues(registers: Registers): () => void {
  const seconds = new Histogram({
    name: 'trading_venue_call_duration_seconds',
    help: 'One request to a host of a venue, by outcome',
    labelNames: ['host', 'outcome'],
    buckets: QUICK_SEC,
    registers,
  });
  const queued = new Gauge({
    name: 'trading_venue_queue',
    help: 'Requests that wait for their turn at a host, at the last request',
    labelNames: ['host'],
    registers,
  });
  const broken = new Gauge({
    name: 'trading_venue_left_alone',
    help: '1 where the last requests failed and the host is tried with single ones',
    labelNames: ['host'],
    registers,
  });
  return subscribeToDurations<VenueCall>(venueCalls, ({ host, outcome, queued: count, isBroken }, ms) => {
    seconds.observe({ host, outcome }, ms / 1_000);
    queued.set({ host }, count);
    broken.set({ host }, isBroken ? 1 : 0);
  });
}

/** Stores the moment and not the age, which grows while no quote arrives. */
function countQuotes(registers: Registers): () => void {
  const oldestAt = new Map<string, number>();
  new Gauge({
    name: 'trading_quote_age_seconds',
    help: 'Age of the oldest quote in use, reported by the process that polls the venue',
    labelNames: ['venue'],
    registers,
    collect() {
      this.reset();
      for (const [venue, at] of oldestAt) this.set({ venue }, (performance.now() - at) / 1_000);
    },
  });
  const instruments = new Gauge({
    name: 'trading_instruments_in_use',
    help: 'Instruments polled by this process',
    labelNames: ['venue'],
    registers,
  });
  return subscribeTo<VenuePoll>(polls, ({ venue, instruments: count, oldestMs }) => {
    instruments.set({ venue }, count);
    if (count === 0) oldestAt.delete(venue);
    else oldestAt.set(venue, performance.now() - oldestMs);
  });
}
