/** Compiles a graph into a plan, or into a list of all its issues. */
import type { Plan } from '../run/run.ts';
import type { Issue, KnownInstruments, Needs } from '../types.ts';
import { analyzeGraph, nodeDataNeedsOf } from './analyze-graph.ts';
import { buildPlan } from './build-plan.ts';
import { checkGraph } from './checks.ts';
import { disabledNodesOf, parseEnabledGraph, warnOfDisabledNodes } from './disabled-nodes.ts';
import { gatherDataNeeds } from './gather-data-needs.ts';
import { Issues, pointer } from './issues.ts';
import { parseGraph } from './parse.ts';
import { NODES_MAX, type ParsedGraph } from './parsed-graph.ts';
import { addReviewWarnings } from './review-warnings.ts';
import { buildGraph } from './wiring.ts';

export type CompileResult = {
  /** `null` when an issue is an error. A graph without executable nodes is a plan that idles. */
  readonly plan: Plan | null;
  readonly issues: readonly Issue[];
  /** Known as far as the graph could be read, also when it does not compile. */
  readonly needs: Needs;
};

/**
 * Compiles any JSON value. All issues are returned at once; `plan` is `null` if one of them is an error. Known facts of
 * instruments are checked; `null` means that the venue has no such instrument. A missing fact is no issue: look up
 * `needs.instruments` and compile again. Never throws.
 */
export function compile(visual: unknown, known: KnownInstruments = new Map()): CompileResult {
  const issues = new Issues();
  const parsed = parseGraph(visual, issues);
  if (issues.isFull || isTooLarge(parsed, issues))
    return { plan: null, issues: issues.list(), needs: gatherDataNeeds([]) };
  const disabled = disabledNodesOf(parsed);
  const graph = buildGraph(parsed, disabled, issues);
  const found = analyzeGraph(graph, issues);
  checkGraph(graph, found, known, issues);
  addReviewWarnings(graph, issues);
  warnOfDisabledNodes(parsed, disabled, issues);
  const plan = issues.hasErrors ? null : buildPlan(graph, found);
  return {
    plan,
    issues: issues.list(),
    needs: plan?.needs ?? gatherDataNeeds(nodeDataNeedsOf(graph, found)),
  };
}

/**
 * Compiles only the exits of a graph, whatever issues the rest has. They keep guarding a blueprint in `error` whose release no
 * longer compiles. Exits have no inputs, so each stands alone. A disabled exit stays disabled.
 */
export function compileExits(visual: unknown): Plan {
  const issues = new Issues();
  const { nodes } = parseEnabledGraph(visual);
  const exits = nodes.filter(({ type }) => type === 'exit').slice(0, NODES_MAX);
  const parsed: ParsedGraph = { nodes: exits, edges: [], annotations: new Set(), unfed: new Set() };
  const graph = buildGraph(parsed, new Map(), issues).filter(({ node }) => node !== null);
  return buildPlan(graph, analyzeGraph(graph, issues));
}

function isTooLarge({ nodes }: ParsedGraph, issues: Issues): boolean {
  if (nodes.length <= NODES_MAX) return false;
  const message = `This graph has ${nodes.length} nodes to execute; ${NODES_MAX} are allowed. Split it into several blueprints.`;
  issues.error({ nodeId: null, path: pointer('nodes') }, 'too_many_nodes', message);
  return true;
}
