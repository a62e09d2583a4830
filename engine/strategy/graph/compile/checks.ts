/** Checks of a whole graph whose nodes and edges are valid. */

import { WINDOW_MAX } from '../candles.ts';
import { quoted } from '../json.ts';
import { shortName } from '../nodes/quote-readers.ts';
import type { KnownInstruments } from '../types.ts';
import { CONSTANT } from '../update-clock.ts';
import type { GraphAnalysis } from './analyze-graph.ts';
import { checkBaskets } from './basket-checks.ts';
import { isQuotedInDollars } from './currency.ts';
import { INDICATOR_COST_MAX, indicatorCostsOf } from './indicator-cost.ts';
import type { IssueLocation, Issues } from './issues.ts';
import { nodeLocation } from './parsed-graph.ts';
import type { GraphNode } from './wiring.ts';

/** Samples are stored with every deployment, unlike candles. */
const SAMPLES_MAX = 4_000;

export function checkGraph(
  graph: readonly GraphNode[],
  survey: GraphAnalysis,
  known: KnownInstruments,
  issues: Issues,
): void {
  const sound = new Set(survey.order);
  checkSamples(graph, survey, issues);
  checkEffort(survey, issues);
  checkBaskets(graph, issues);
  for (const node of graph) {
    checkInstruments(node, known, issues);
    checkTexts(node, graph, issues);
    if (!sound.has(node) || !survey.isValid(node)) continue;
    checkTrigger(node, survey, issues);
    checkObjections(node, survey, issues);
    checkWindow(node, survey, issues);
  }
}

/** Reports an action whose condition never changes, so that it never sees an edge. */
function checkTrigger(node: GraphNode, { clocks }: GraphAnalysis, issues: Issues): void {
  const when = node.type.group === 'action' ? node.sources.get('when')?.[0] : undefined;
  if (when === undefined || clocks.ofValue(when) !== CONSTANT) return;
  const message = `Nothing ever triggers “${node.parsed.label}”: its condition depends on constants only. Connect a price, a candle or a schedule.`;
  issues.error(nodeLocation(node.parsed), 'never_triggers', message);
}

function checkObjections(node: GraphNode, survey: GraphAnalysis, issues: Issues): void {
  for (const objection of node.node?.object?.((port) => survey.viewOf(node, port)) ?? []) {
    const location =
      objection.setting === undefined ? nodeLocation(node.parsed) : settingOf(node, objection.setting);
    issues.error(location, objection.code, objection.message);
  }
}

function checkWindow(node: GraphNode, { windowOf, viewOf }: GraphAnalysis, issues: Issues): void {
  const window = windowOf(node);
  // Reported only at the node that passes the limit, not at every node behind it.
  const behind = [...node.sources.keys()].some((port) =>
    (node.sources.get(port) ?? []).some((source) => windowOf(source) > WINDOW_MAX),
  );
  if (window <= WINDOW_MAX || behind || viewOf(node, 'in') === null) return;
  const message = `“${node.parsed.label}” looks back over ${window} candles, with the indicators before it; ${WINDOW_MAX} is the most. Shorten a period.`;
  issues.error(settingOf(node, 'period'), 'window_too_long', message);
}

/** Reports the node that passes the limit. */
function checkSamples(graph: readonly GraphNode[], { isHistory }: GraphAnalysis, issues: Issues): void {
  let sum = 0;
  for (const node of graph) {
    const isOfPast = [...node.sources.values()].flat().every(isHistory);
    const samples = node.node?.samples ?? (isOfPast ? 0 : (node.node?.steps ?? 0));
    if (sum <= SAMPLES_MAX && sum + samples > SAMPLES_MAX) {
      const message = `With “${node.parsed.label}” the steps of this graph keep over ${SAMPLES_MAX} values of their inputs. Shorten periods, or use closed candles.`;
      issues.error(settingOf(node, 'period'), 'too_many_samples', message);
    }
    sum += samples;
  }
}

/** Reports the most expensive indicator. Evaluations of all blueprints share a process, so that none may block it. */
function checkEffort(survey: GraphAnalysis, issues: Issues): void {
  const [most, ...others] = indicatorCostsOf(survey).sort((a, b) => b.units - a.units);
  if (most === undefined) return;
  if (others.reduce((sum, { units }) => sum + units, most.units) <= INDICATOR_COST_MAX) return;
  const { node, candles, window, before } = most;
  const times = candles === 1 ? '' : ` at each of ${candles} candles, because others look back over it,`;
  const message = `The indicators of this drawing are too heavy. “${node.parsed.label}” costs most: it is computed${times} from ${window} candles through ${before} ${before === 1 ? 'node' : 'nodes'} before it. Shorten the periods, put fewer indicators behind each other, or fewer nodes before it.`;
  issues.error(settingOf(node, 'period'), 'too_heavy', message);
}

function checkTexts(node: GraphNode, graph: readonly GraphNode[], issues: Issues): void {
  for (const id of node.node?.mentions ?? []) {
    const source = graph.find(({ parsed }) => parsed.id === id);
    if (source?.output) continue;
    const copy = graph.find(({ parsed, output }) => parsed.graphId === id && output !== null);
    const message =
      copy === undefined
        ? `The text mentions {${id}}, but no node with this id has a value. Write the id of a node, or remove the braces.`
        : `The text mentions {${id}}, which has a value for each instrument of a list. Write one of them, such as {${copy.parsed.id}}, or connect a condition of the same list.`;
    issues.error(settingOf(node, 'text'), 'unknown_mention', message);
  }
}

function checkInstruments(node: GraphNode, known: KnownInstruments, issues: Issues): void {
  const needs = node.node?.needs;
  const tokenId = needs?.instrument ?? needs?.quote ?? needs?.book ?? needs?.candle?.symbol;
  if (tokenId === undefined) return;
  const setting = settingOf(
    node,
    needs?.candle !== undefined || node.type.type === 'crypto.price' ? 'symbol' : 'instrument',
  );
  const facts = known.get(tokenId);
  if (facts === null) {
    issues.error(
      setting,
      'unknown_instrument',
      `The venue knows no ${quoted(shortName(tokenId))}. Check how it is written.`,
    );
    return;
  }
  if (node.node?.trade === undefined) return;
  if (!isQuotedInDollars(tokenId, facts?.quoteCurrency)) {
    const currency = facts === undefined ? '' : ` It is quoted in ${facts.quoteCurrency}.`;
    const message = `${shortName(tokenId)} cannot be traded: only instruments quoted in USD, USDT or USDC can.${currency} It can still be used as data.`;
    issues.error(setting, 'not_in_dollars', message);
  } else if (facts?.tradable === false) {
    const message = `${shortName(tokenId)} cannot be traded: its fee is not known to this service, or it has no order book. It can still be used as data.`;
    issues.error(setting, 'not_tradable', message);
  }
}

function settingOf({ parsed }: GraphNode, setting: string): IssueLocation {
  return nodeLocation(parsed, 'data', 'config', setting);
}
