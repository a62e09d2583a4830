// Spans of requests, ticks, decisions, orders and calls to venues, for OpenTelemetry. The service does not depend on
// OpenTelemetry. Put this file into a folder of its own with its packages: they stay apart from those of the service and
// survive its upgrades.
//   mkdir /srv/tracing && cd /srv/tracing && cp /srv/trading/ops/tracing.mjs .
//   npm install @opentelemetry/{api,resources,sdk-trace-node,exporter-trace-otlp-http}
//   node --import /srv/tracing/tracing.mjs server/start.mjs        (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME)
// All steps of one intent form one trace, across processes: its id is `traceId` of the log lines. Spans are sent every five
// seconds (OTEL_BSP_SCHEDULE_DELAY); the last ones before a process exits are lost.
import { createHash } from 'node:crypto';
import { subscribe, tracingChannel } from 'node:diagnostics_channel';
import { context, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

new NodeTracerProvider({
  // The provider does not read OTEL_SERVICE_NAME without this detector.
  resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
}).register();
const tracer = trace.getTracer('trading-strategy-service');

/** The same digest as `traceIdOf` of the service. */
const traceIdOf = ({ deploymentId, nodeId, stepAt }) =>
  createHash('sha256').update(`${deploymentId} ${nodeId} ${stepAt.toISOString()}`).digest('hex').slice(0, 32);

/** Sets a parent that no span has, so that all spans of one id belong to one trace. */
const under = (traceId) =>
  trace.setSpanContext(context.active(), {
    traceId,
    spanId: traceId.slice(0, 16),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });

function span(name, ms, attributes, parent = context.active()) {
  const endTime = Date.now();
  const plain = Object.entries(attributes).filter(([, value]) => value !== null && typeof value !== 'object');
  const options = { startTime: endTime - ms, attributes: Object.fromEntries(plain) };
  const made = tracer.startSpan(name, options, parent);
  if (attributes.error !== undefined) made.setStatus({ code: SpanStatusCode.ERROR });
  made.end(endTime);
}

function onEnd(channel, end) {
  const started = new WeakMap();
  tracingChannel(channel).subscribe({
    start: (operation) => started.set(operation, performance.now()),
    asyncEnd: (operation) =>
      end(operation, performance.now() - (started.get(operation) ?? performance.now())),
  });
}

onEnd('trading.tick', (tick, ms) => {
  span('tick', ms, tick);
  for (const intent of tick.raised)
    span('raise', 0, { ...intent, shard: tick.shard }, under(traceIdOf(intent)));
});
onEnd('trading.order.send', (sending, ms) => {
  if (sending.traceId !== null) span('send', ms, sending, under(sending.traceId));
});
onEnd('trading.venue-call', (call, ms) => span('venue call', ms, call));
subscribe('trading.intent', (decided) => span('decide', decided.ms, decided, under(traceIdOf(decided))));
subscribe('trading.order.report', (report) => span('report', 0, report, under(report.traceId)));
subscribe('trading.request', (ended) => span('request', ended.ms, ended));
