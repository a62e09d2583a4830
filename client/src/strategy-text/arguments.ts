/** Tells the arguments of a call apart: settings of the node, and inputs of its ports. */
import type { InputOutline } from '../node-outline.ts';
import {
  CONDITION,
  choicesOf,
  isAction,
  type NodeFunction,
  nextRequired,
  portsOf,
  type Settings,
  settingNamesOf,
} from './functions.ts';
import { didYouMean } from './nearest-name.ts';
import type { Argument, Expression, Literal } from './syntax.ts';
import { SPAN, TextFault } from './tokens.ts';

export type Reference = { readonly parameter: string };
export type BoundArguments = {
  /** Settings as the graph stores them. */
  readonly settings: Readonly<Record<string, Literal | Reference>>;
  /** In the order of the text. */
  readonly inputs: readonly { readonly port: string; readonly value: Expression }[];
};

/** Values of parameters by name. */
export type ParameterValues = ReadonlyMap<string, unknown>;

/**
 * Named arguments are settings or inputs by their name. Those without a name feed the ports in order, then the required
 * settings in order; from the first text on, all are settings. Those of an action, and of a node without ports, are all settings.
 */
export function bindArguments(
  { name, node, chosen }: NodeFunction,
  found: readonly Argument[],
  parameters: ParameterValues,
): BoundArguments {
  const settingNames = settingNamesOf(node);
  const portNames = new Set(node.inputs.map((port) => port.name));
  const settings: Record<string, Literal | Reference> = { ...chosen };
  const inputs = new Map<Argument, string>();

  const set = (setting: string, { value, column }: Argument): void => {
    if (Object.hasOwn(settings, setting))
      throw new TextFault('unknown_argument', column, `“${name}” has “${setting}” already: leave one out.`);
    settings[setting] = settingOf(value, setting, parameters);
    const written = settings[setting];
    const seconds = IN_SECONDS.test(setting) && typeof written === 'string' ? secondsOf(written) : null;
    if (seconds !== null)
      throw new TextFault(
        'bad_value',
        value.column,
        `“${setting}” is a number of seconds: write ${seconds}.`,
      );
    const choices = choicesOf(node, setting);
    if (typeof written !== 'string' || choices === null || choices.includes(written)) return;
    const all = choices.map(String);
    const message = `“${setting}” is one of ${[...new Set(all)].join(', ')}, not “${written.slice(0, 40)}”.`;
    throw new TextFault('bad_value', value.column, `${message}${didYouMean(written, all)}`);
  };

  const unnamed: Argument[] = [];
  for (const argument of found) {
    if (argument.name === null) unnamed.push(argument);
    else if (portNames.has(argument.name)) inputs.set(argument, argument.name);
    else if (settingNames.has(argument.name)) set(argument.name, argument);
    else {
      const known = [...portNames, ...settingNamesOf(node, chosen)].filter((each) => !(each in chosen));
      const message = `“${name}” has no “${argument.name.slice(0, 40)}”; it has ${known.join(', ') || 'no arguments'}.`;
      throw new TextFault(
        'unknown_argument',
        argument.column,
        `${message}${didYouMean(argument.name, known)}`,
      );
    }
  }

  const takesValues = !isAction(node) && node.inputs.length > 0;
  const firstText = takesValues ? unnamed.findIndex(({ value }) => isText(value)) : 0;
  const setNext = (argument: Argument): void => {
    const next = nextRequired(node, settings);
    if (next === null) {
      if (firstText === 0 && takesValues) throw textForValue(name, unnamed[0] ?? argument);
      const given = new Set([...Object.keys(settings), ...inputs.values()]);
      const free = isAction(node) ? portsOf(node, withValues(settings, parameters)) : [];
      const names = [...free.map((port) => port.name), ...settingNamesOf(node, settings)];
      const left = names.filter((each) => !given.has(each));
      if (takesValues && left.length === 0 && isText(argument.value)) throw textForValue(name, argument);
      throw tooMany(name, left, argument);
    }
    set(next, argument);
  };

  const split = firstText < 0 ? unnamed.length : firstText;
  for (const argument of unnamed.slice(split)) setNext(argument);
  const byName = new Set(inputs.values());
  const ports = portsOf(node, withValues(settings, parameters)).filter((port) => !byName.has(port.name));
  for (const [index, argument] of unnamed.slice(0, split).entries()) {
    const port = portAt(ports, index);
    if (port !== null) inputs.set(argument, port.name);
    else setNext(argument);
  }
  return {
    settings,
    inputs: found.flatMap((argument) => {
      const port = inputs.get(argument);
      return port === undefined ? [] : [{ port, value: argument.value }];
    }),
  };
}

/** Returns the port of the unnamed input at this index: one that takes many takes all that follow. */
function portAt(ports: readonly InputOutline[], index: number): InputOutline | null {
  const many = ports.findIndex((port) => port.many);
  return ports[many >= 0 && many < index ? many : index] ?? null;
}

/** Settings that are numbers of seconds. */
const IN_SECONDS = /^seconds$|Sec$/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Returns the seconds of a span such as 5m; null for another text, and for months. */
function secondsOf(text: string): number | null {
  const unit = SPAN.test(text) ? SECONDS[text.slice(-1)] : undefined;
  return unit === undefined ? null : Number(text.slice(0, -1)) * unit;
}

const isText = (value: Expression): boolean => value.kind === 'literal' && typeof value.value !== 'number';

function settingOf(value: Expression, setting: string, parameters: ParameterValues): Literal | Reference {
  if (value.kind === 'literal') return value.value;
  if (value.kind !== 'name')
    throw new TextFault(
      'bad_value',
      value.column,
      `“${setting}” is a setting: it takes a value or a parameter, not a calculation.`,
    );
  if (parameters.has(value.name)) return { parameter: value.name };
  const message = `“${setting}” is a setting, and there is no parameter “${value.name.slice(0, 60)}”.`;
  throw new TextFault(
    'unknown_name',
    value.column,
    `${message}${didYouMean(value.name, parameters.keys()) || ' Write a text in quotes, or a number.'}`,
  );
}

/** Returns settings with the values of their parameters. */
export function withValues(settings: Settings, parameters: ParameterValues): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const reference = parameterOf(value);
      return [name, reference === null ? value : parameters.get(reference)];
    }),
  );
}

/** Returns the name of the parameter that a setting refers to; null if it is a value. */
export function parameterOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { parameter, ...others } = value as Readonly<Record<string, unknown>>;
  return typeof parameter === 'string' && Object.keys(others).length === 0 ? parameter : null;
}

function textForValue(name: string, { value, column }: Argument): TextFault {
  const text = value.kind === 'literal' ? JSON.stringify(value.value).slice(0, 40) : 'a text';
  return new TextFault(
    'bad_value',
    column,
    `“${name}” computes with values, and ${text} is none. Start with a source, such as crypto.candle("BTCUSDT", 5m).`,
  );
}

function tooMany(name: string, left: readonly string[], { column }: Argument): TextFault {
  const words = left.map((each) => (each === CONDITION ? `${each} …` : `${each}: …`));
  const hint = left.length === 0 ? '' : ` Name it: ${words.join(', ')}.`;
  return new TextFault('unknown_argument', column, `“${name}” takes no further value without a name.${hint}`);
}
