/** Defines a node type once, for compiler, catalogue and editor. */

import type { z } from 'zod';
import type { CandleInterval } from '../../../../venues/port.ts';
import type { CandleField } from '../candles.ts';
import type { Computation, Run } from '../run/run.ts';
import type { ActionOrigin, PortKind, Unknown, Value } from '../types.ts';
import type { UpdateClock } from '../update-clock.ts';

export const GROUPS = ['source', 'transform', 'condition', 'control', 'risk', 'action'] as const;
export type Group = (typeof GROUPS)[number];

/** A port that exists only for some values of a setting. */
export type PortCondition = {
  readonly setting: string;
  readonly in: readonly string[];
};

export type InputPort = {
  readonly name: string;
  readonly kind: PortKind;
  readonly help: string;
  readonly required: boolean;
  /** Accepts any number of edges; other ports accept one. */
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

/** Data that one node needs. `open`: includes the candle that is still forming. */
export type NodeNeeds = {
  readonly quote?: string;
  readonly book?: string;
  readonly instrument?: string;
  readonly listing?: string;
  readonly position?: string;
  readonly account?: boolean;
  readonly signal?: string;
  readonly candle?: CandleSeriesName & { readonly open: boolean };
};

/** The slot of a port without an edge. */
export const NOT_CONNECTED = -1;

/** The past of an input that is a pure function of closed candles: it can be computed at any of them. */
export type History = {
  /** Equal for equal calculations on equal candles, in whatever graph. */
  readonly key: string;
  /** The clock of those candles. */
  readonly clock: UpdateClock;
  /** The candle field that the input is; `null` if it is computed from candles. */
  readonly field: CandleField | null;
  /** Computations of the input, in order. */
  readonly computations: readonly Computation[];
};

/** Facts that a node receives about its place in the graph when it is built. */
export type Wiring = {
  readonly nodeId: string;
  /** The end of the node's id that names its instrument of a list; empty without a list. */
  readonly copy: string;
  readonly slot: number;
  /** Clock on which the node steps. */
  readonly clock: UpdateClock;
  /** Slot of the edge into a port, `NOT_CONNECTED` if there is none. */
  input(port: string): number;
  /** Slots of all edges into a port, in the order of the drawing. */
  inputs(port: string): readonly number[];
  /** Past of an input; `null` unless it is a pure function of one candle series. */
  history(port: string): History | null;
  /** Slot of any node by its id, for texts that quote values. */
  slotOf(nodeId: string): number | undefined;
};

export type Behavior = {
  /** Computes the node's value in this step. Absent for nodes without an output. */
  readonly compute?: (run: Run) => Value;
  /** Runs at the end of a step, when every value is known: stores the inputs for the next step. */
  readonly settle?: (run: Run) => void;
  /** Runs after that: raises an intent or a notification. */
  readonly act?: (run: Run) => void;
  /**
   * For an action: whether this step would raise and remember nothing, with the orders and holdings of the step before. Absent if
   * that depends on more than its condition and its memory.
   */
  readonly isIdle?: (run: Run) => boolean;
  /** The field of a closed candle, if the value is nothing else. */
  readonly field?: CandleField;
  /** Returns the timestamp of a source's data. */
  readonly asOf?: (run: Run) => number | null;
  /** Returns the reason against one more buy behind it, including buys of this evaluation; `null` if there is none. */
  readonly limit?: (run: Run) => Unknown | null;
};

/** An issue that depends on the wiring. `setting` names the field of the config it is about. */
export type NodeIssue = {
  readonly code: string;
  readonly message: string;
  readonly setting?: string;
};

/** Facts about an input, for the issues of a node. */
export type InputView = {
  /** Number of edges into the port; the other fields cover all of them. */
  readonly edges: number;
  readonly clock: UpdateClock;
  /** Interval of the candles with which it changes; `null` if it changes at other times. */
  readonly interval: CandleInterval | null;
  /** Whether it is a pure function of one candle series. */
  readonly isHistory: boolean;
  /** Whether the source is a candle node. */
  readonly isCandle: boolean;
  /** Whether a candle that is still forming takes part in it. */
  readonly isForming: boolean;
  /** Whether the source raises orders. */
  readonly isAction: boolean;
};

/** A node type with its settings. */
export type Configured = {
  /** The clock of the node in addition to its inputs; `null` if there is none. */
  readonly moves?: 'tick' | CandleSeriesName;
  /** Reads its inputs only at the end of a step, so that it may close a cycle; as its type `delays`. */
  readonly isDelayed?: boolean;
  /** Its value is a pure function of its inputs (or of a closed candle), without memory. */
  readonly isPure?: boolean;
  /** Pure, but reports its distance to switching in every step: it is computed even if nothing has changed. */
  readonly hasDistance?: boolean;
  /** Number of closed candles in its own window, the newest included, if its input has a past; 1 if it does not look back. */
  readonly window?: number;
  /** For an action: what it does with which instrument. */
  readonly trade?: Trade;
  readonly needs?: NodeNeeds;
  /** Limit of the samples in its memory. */
  readonly samples?: number;
  /** Limit of the values in its memory, if its input changes with candles and has no past of its own. */
  readonly steps?: number;
  /** Ids of nodes that its text mentions. */
  readonly mentions?: readonly string[];
  object?(input: (port: string) => InputView | null): readonly NodeIssue[];
  build(wiring: Wiring): Behavior;
};

export type Trade = {
  readonly tokenId: string;
  readonly origin: ActionOrigin;
  readonly side: 'buy' | 'sell';
  /** The node cancels and replaces its own orders, this many seconds apart at least. */
  readonly refreshMinSec?: number;
  /** The node is a leg of this basket. If another leg fails, it trades back at a loss of at most `maxLoss` of its limit. */
  readonly basket?: string;
  readonly maxLoss?: number;
};

/** Rules for the output of a node type, in words: part of its schema and of the manual. */
export type OutputRules = {
  /** When its output is unknown; for an action, when it waits. */
  readonly unknown: string;
  /** Which numbers it treats as equal, if that matters. */
  readonly equality?: string;
  /** How it treats missing time or values, if it looks back. */
  readonly gap?: string;
};

/** A port that takes the values of all instruments of a list, where other ports take that of one. */
export type Gathering = {
  readonly port: string;
  /** Port whose list it takes if nothing is connected. */
  readonly of?: string;
};

/** Settings as a draft has them, valid or not. */
export type RawSettings = Readonly<Record<string, unknown>>;

/** Parts of the words for a node. */
export type Words = {
  /** The short name of its instrument. */
  readonly name: string;
  /** The phrase of a port's source; `''` if there is none. */
  one(port: string): string;
  /** The phrase of a port's source; an ellipsis if there is none. */
  needed(port: string): string;
  all(port: string): readonly string[];
  text(value: unknown): string;
  /** The words for a choice of a setting. */
  word(value: unknown): string;
  percent(value: unknown): string;
  /** `all` or a percentage. */
  share(value: unknown): string;
  /** Seconds in the largest unit that states them exactly. */
  span(value: unknown, isRate?: boolean): string;
  /** How often a value is sampled; `''` if it is not. */
  sampled(seconds: unknown): string;
  /** The fee that is counted; `''` for none. */
  atFee(settings: RawSettings): string;
  /** Says what an action does if its condition is true at the deploy; `''` if it fires. */
  atDeploy(ifTrueAtDeploy: unknown): string;
};

type InWords = {
  /** Describes its value. */
  readonly phrase?: (settings: RawSettings, words: Words) => string;
  /** Describes what an action does. */
  readonly sentence?: (settings: RawSettings, words: Words) => string;
};

export type NodeType = InWords & {
  readonly type: string;
  readonly group: Group;
  readonly title: string;
  readonly help: string;
  readonly laws: OutputRules;
  readonly inputs: readonly InputPort[];
  readonly outputs: readonly OutputPort[];
  /** Passes on the input of the previous step, so that it may close a cycle. */
  readonly delays: boolean;
  /** Raises orders for the instrument in its settings. */
  readonly trades: boolean;
  readonly gathers: Gathering | null;
  readonly config: z.ZodType;
  /** Returns the node type bound to its settings, or the issues of the settings. */
  configure(config: unknown): ConfigureResult;
};

export type ConfigureResult =
  | { readonly ok: true; readonly settings: Readonly<Record<string, unknown>>; readonly node: Configured }
  | { readonly ok: false; readonly problems: readonly z.core.$ZodIssue[] };

export type NodeSpec<S extends z.ZodType<Record<string, unknown>>> = InWords & {
  readonly type: string;
  readonly group: Group;
  readonly title: string;
  readonly help: string;
  readonly laws: OutputRules;
  readonly inputs?: readonly InputPort[];
  readonly outputs?: readonly OutputPort[];
  readonly delays?: true;
  readonly trades?: true;
  readonly gathers?: Gathering;
  readonly config: S;
  readonly bind: (config: z.output<S>) => Configured;
};

/** Defines a node type; the type of its settings stays inside. */
export function defineNode<S extends z.ZodType<Record<string, unknown>>>(spec: NodeSpec<S>): NodeType {
  const { bind, inputs = [], outputs = [], delays = false, trades = false, gathers = null, ...rest } = spec;
  return {
    ...rest,
    inputs,
    outputs,
    delays,
    trades,
    gathers,
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
