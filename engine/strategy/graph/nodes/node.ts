/** How a node type is written down: once, for the compiler, the catalogue and the editor alike. */

import type { z } from 'zod';
import type { CandleInterval } from '../../../../venues/port.ts';
import type { CandleField } from '../candles.ts';
import type { Clock } from '../clocks.ts';
import type { Computation, Run } from '../run/run.ts';
import type { ActionOrigin, PortKind, Unknown, Value } from '../types.ts';

export const GROUPS = ['source', 'transform', 'condition', 'control', 'risk', 'action'] as const;
export type Group = (typeof GROUPS)[number];

/** A port that exists only while a setting has one of these values. */
export type PortCondition = {
  readonly setting: string;
  readonly in: readonly string[];
};

export type InputPort = {
  readonly name: string;
  readonly kind: PortKind;
  readonly help: string;
  readonly required: boolean;
  /** Takes any number of edges; others take one. */
  readonly many: boolean;
  readonly when?: PortCondition;
};

export type OutputPort = {
  readonly name: 'out';
  readonly kind: PortKind;
  readonly help: string;
  readonly when?: PortCondition;
};

export type CandleSeriesName = {
  readonly symbol: string;
  readonly interval: CandleInterval;
};

/** What one node needs. `open` asks for the candle that is still forming. */
export type NodeNeeds = {
  readonly quote?: string;
  readonly book?: string;
  readonly instrument?: string;
  readonly position?: string;
  readonly account?: boolean;
  readonly candle?: CandleSeriesName & { readonly open: boolean };
};

/** A slot that no edge leads to. */
export const NOT_CONNECTED = -1;

/** The past of an input that is a pure function of closed candles: it can be computed at any of them. */
export type History = {
  /** Equal for equal calculations on equal candles, whatever graph they stand in. */
  readonly key: string;
  /** The number of the candle that the input is; `null` if it is computed from candles. */
  readonly field: CandleField | null;
  /** What computes the input, in order. */
  readonly computations: readonly Computation[];
};

/** What a node is told about its place in the graph when it is built. */
export type Wiring = {
  readonly nodeId: string;
  readonly slot: number;
  /** The clock the node steps on. */
  readonly clock: Clock;
  /** Slot of the edge into a port, `NOT_CONNECTED` if there is none. */
  input(port: string): number;
  /** Slots of all edges into a port, in the order of the drawing. */
  inputs(port: string): readonly number[];
  /** The past of an input; `null` unless it is a pure function of one candle series. */
  history(port: string): History | null;
  /** Slot of any node by its id, for texts that quote values. */
  slotOf(nodeId: string): number | undefined;
};

export type Behavior = {
  /** The node's value in this step. Absent for nodes without an output. */
  readonly compute?: (run: Run) => Value;
  /** End of step, after every value is known: take up the inputs for the next step. */
  readonly settle?: (run: Run) => void;
  /** After that: raise an intent or a notification. */
  readonly act?: (run: Run) => void;
  /** The number of a closed candle that the value is, if it is nothing more. */
  readonly field?: CandleField;
  /** Age of what a source reads. */
  readonly asOf?: (run: Run) => number | null;
  /** What it says against one more buy behind it, buys of this very evaluation counted; `null` if nothing. */
  readonly limit?: (run: Run) => Unknown | null;
};

/** An objection that needs the wiring to be seen. `setting` names the field of the config it is about. */
export type Objection = {
  readonly code: string;
  readonly message: string;
  readonly setting?: string;
};

/** What the compiler knows of an input when it asks a node for objections. */
export type InputView = {
  /** Edges into the port; the rest is about all of them together. */
  readonly edges: number;
  readonly clock: Clock;
  /** A pure function of one candle series. */
  readonly isHistory: boolean;
  /** The node behind the edge is a candle node. */
  readonly isCandle: boolean;
  /** A candle that is still forming has a part in it. */
  readonly isForming: boolean;
  /** The node behind the edge raises orders. */
  readonly isAction: boolean;
};

/** A node type with its settings filled in. */
export type Configured = {
  /** What moves the node besides its inputs; `null` if nothing does. */
  readonly moves?: 'tick' | CandleSeriesName;
  /** Reads its inputs at the end of a step only, so that it may close a cycle; as its type `delays`. */
  readonly isDelayed?: boolean;
  /** Its value is a pure function of its inputs (or of a closed candle), without memory. */
  readonly isPure?: boolean;
  /** Pure, but says in every step how far it is from switching: it is computed although nothing has moved. */
  readonly hasDistance?: boolean;
  /** Closed candles it looks back over itself, the newest included, where its input has a past; 1 if it does not look back. */
  readonly window?: number;
  /** An action: what it does with which instrument. */
  readonly trade?: Trade;
  readonly needs?: NodeNeeds;
  /** Samples it keeps in memory, at most. */
  readonly samples?: number;
  /** Values it keeps in memory, at most, where its input moves with candles and has no past of its own. */
  readonly steps?: number;
  /** Ids of nodes its text mentions. */
  readonly mentions?: readonly string[];
  object?(input: (port: string) => InputView | null): readonly Objection[];
  build(wiring: Wiring): Behavior;
};

export type Trade = {
  readonly tokenId: string;
  readonly origin: ActionOrigin;
  readonly side: 'buy' | 'sell';
};

/** Laws of the answers of a node type, in words: part of its schema and of the manual. */
export type Laws = {
  /** When its answer is unknown; of an action, when it waits. */
  readonly unknown: string;
  /** Which numbers it takes for equal, where it matters. */
  readonly equality?: string;
  /** How it takes time or values that are missing, where it looks back. */
  readonly gap?: string;
};

export type NodeType = {
  readonly type: string;
  readonly group: Group;
  readonly title: string;
  readonly help: string;
  readonly laws: Laws;
  readonly inputs: readonly InputPort[];
  readonly outputs: readonly OutputPort[];
  /** Hands on what it took up one step earlier, so that it may close a cycle. */
  readonly delays: boolean;
  /** Raises orders for the instrument in its settings. */
  readonly trades: boolean;
  readonly config: z.ZodType;
  /** The settings read and the node type bound to them, or what is wrong with them. */
  configure(config: unknown): ConfigureResult;
};

export type ConfigureResult =
  | { readonly ok: true; readonly settings: Readonly<Record<string, unknown>>; readonly node: Configured }
  | { readonly ok: false; readonly problems: readonly z.core.$ZodIssue[] };

export type NodeSpec<S extends z.ZodType<Record<string, unknown>>> = {
  readonly type: string;
  readonly group: Group;
  readonly title: string;
  readonly help: string;
  readonly laws: Laws;
  readonly inputs?: readonly InputPort[];
  readonly outputs?: readonly OutputPort[];
  readonly delays?: true;
  readonly trades?: true;
  readonly config: S;
  readonly bind: (config: z.output<S>) => Configured;
};

/** Writes a node type down; the type of its settings stays inside. */
export function defineNode<S extends z.ZodType<Record<string, unknown>>>(spec: NodeSpec<S>): NodeType {
  const { bind, inputs = [], outputs = [], delays = false, trades = false, ...rest } = spec;
  return {
    ...rest,
    inputs,
    outputs,
    delays,
    trades,
    configure(config) {
      const parsed = spec.config.safeParse(config);
      if (!parsed.success) return { ok: false, problems: parsed.error.issues };
      return { ok: true, settings: parsed.data, node: { ...bind(parsed.data), isDelayed: delays } };
    },
  };
}

type PortOptions = { optional?: true; many?: true; when?: PortCondition };

export function input(name: string, kind: PortKind, help: string, options: PortOptions = {}): InputPort {
  const { optional, many, when } = options;
  const port = { name, kind, help, required: optional !== true, many: many === true };
  return when === undefined ? port : { ...port, when };
}

export function output(kind: PortKind, help: string, when?: PortCondition): OutputPort {
  return when === undefined ? { name: 'out', kind, help } : { name: 'out', kind, help, when };
}
