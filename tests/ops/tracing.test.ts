import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { traceIdOf } from '../../engine/trading/orders/diagnostics.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const STEP = { deploymentId: '01990000-0000-7000-8000-000000000001', nodeId: 'buy', stepAt: new Date(1e12) };

/** Replaces OpenTelemetry, which the service does not include: prints the calls of the tracing file. */
const STAND_INS = {
  api: `
    export const SpanStatusCode = { ERROR: 2 };
    export const TraceFlags = { SAMPLED: 1 };
    export const context = { active: () => null };
    export const trace = {
      setSpanContext: (_, { traceId }) => traceId,
      getTracer: () => ({
        startSpan: (name, { attributes }, traceId) => ({
          setStatus() {},
          end: () => console.log(JSON.stringify({ name, traceId, attributes })),
        }),
      }),
    };`,
  resources: `
    export const envDetector = {};
    export const detectResources = () => ({});
    export const defaultResource = () => ({ merge: () => ({}) });`,
  'sdk-trace-node': `
    export class BatchSpanProcessor {}
    export class NodeTracerProvider { register() {} }`,
  'exporter-trace-otlp-http': 'export class OTLPTraceExporter {}',
};

/** Publishes one message on every channel, as the service does. */
const SAYS = `
  const { ticks, decisions } = await import('${ROOT}/server/kernel/rounds/runner-events.ts');
  const { sendings, reports } = await import('${ROOT}/engine/trading/orders/diagnostics.ts');
  const { endedRequests } = await import('${ROOT}/server/http-kit/ended-requests.ts');
  const { venueCalls } = await import('${ROOT}/venues/http/venue-calls.ts');
  const step = { ...${JSON.stringify(STEP)}, stepAt: new Date(${STEP.stepAt.getTime()}) };
  const traceId = '${traceIdOf(STEP)}';
  await ticks.tracePromise(async () => {}, { shard: 3, raised: [step] });
  decisions.publish({ ...step, verdict: 'queued', ms: 5 });
  await sendings.tracePromise(async () => {}, { orderId: 'o', traceId });
  reports.publish({ orderId: 'o', traceId, status: 'filled' });
  await venueCalls.tracePromise(async () => {}, { host: 'crypto' });
  endedRequests.publish({ method: 'GET', status: 200, ms: 2 });`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tracing-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('in a folder of its own, the tracing file makes a span of every message, and one trace of an intent and its order', () => {
  cpSync(path.join(ROOT, 'ops/tracing.mjs'), path.join(folder, 'tracing.mjs'));
  for (const [name, text] of Object.entries(STAND_INS)) {
    const place = path.join(folder, 'node_modules/@opentelemetry', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
    writeFileSync(path.join(place, 'index.js'), text);
  }
  const args = ['--import', path.join(folder, 'tracing.mjs'), '--input-type=module', '-e', SAYS];
  const spans = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; traceId: string | null });

  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    'decide',
    'raise',
    'report',
    'request',
    'send',
    'tick',
    'venue call',
  ]);
  const ofIntent = spans.filter(({ traceId }) => traceId === traceIdOf(STEP));
  expect(ofIntent.map(({ name }) => name)).toEqual(['raise', 'decide', 'send', 'report']);
});
