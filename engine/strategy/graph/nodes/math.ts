import { z } from 'zod';
import type { Run } from '../run/run.ts';
import type { Value } from '../types.ts';
import { equal, finite } from '../values.ts';
import {
  type Behavior,
  defineNode,
  input,
  output,
  type RawSettings,
  type Wiring,
  type Words,
} from './node.ts';

const MANY = ['add', 'multiply', 'min', 'max'] as const;
const TWO = ['subtract', 'divide', 'power', 'modulo'] as const;
const ONE = ['abs', 'clamp', 'round', 'floor', 'ceil', 'sign', 'sqrt', 'log', 'exp'] as const;

const op = <const O extends string>(name: O, description: string) =>
  z.strictObject({ op: z.literal(name).meta({ description }) });

const settings = z
  .discriminatedUnion('op', [
    op('add', 'Sum of all inputs.'),
    op('multiply', 'Product of all inputs.'),
    op('min', 'Smallest input.'),
    op('max', 'Largest input.'),
    op('subtract', 'a − b.'),
    op('divide', 'a ÷ b; unknown when b is 0.'),
    op('power', 'a to the power of b; unknown where it has no real result.'),
    op('modulo', 'a − b × floor(a ÷ b), which has the sign of b; unknown when b is 0.'),
    op('abs', 'a without its sign.'),
    op('floor', 'The largest whole number not above a; a number next to a whole one is that one.'),
    op('ceil', 'The smallest whole number not below a; a number next to a whole one is that one.'),
    op('sign', '1 above 0, −1 below 0, 0 at 0.'),
    op('sqrt', 'Square root of a; unknown below 0.'),
    op('log', 'Natural logarithm of a; unknown at 0 and below.'),
    op('exp', 'e to the power of a.'),
    z.strictObject({
      op: z.literal('clamp').meta({ description: 'a, kept between two bounds.' }),
      low: z.number().meta({ description: 'Lower bound.' }),
      high: z.number().meta({ description: 'Upper bound, not below the lower one.' }),
    }),
    z.strictObject({
      op: z.literal('round').meta({ description: 'a, rounded to a multiple of a step; halves go up.' }),
      step: z
        .number()
        .positive()
        .default(1)
        .meta({ description: 'The step: 1 for whole numbers, 0.01 for cents.' }),
    }),
  ])
  .refine((config) => config.op !== 'clamp' || config.low <= config.high, {
    path: ['high'],
    error: 'The upper bound lies below the lower one. Swap them.',
  });
type Settings = z.output<typeof settings>;

export const math = defineNode({
  type: 'math',
  group: 'transform',
  title: 'Math',
  help: 'Arithmetic on numbers. Unknown if an input is unknown or the result is not finite.',
  phrase: calculation,
  laws: {
    unknown: 'While an input is; where the result is not finite.',
    equality:
      '`floor`, `ceil` and `modulo` take a number for the whole one it differs from by less than one part in 10¹²: 0.3 ÷ 0.1 is 3.',
  },
  inputs: [
    input('in', 'number', 'The numbers.', { many: true, when: { setting: 'op', in: MANY } }),
    input('a', 'number', 'The number.', {
      when: { setting: 'op', in: [...TWO, ...ONE] },
    }),
    input('b', 'number', 'What is subtracted, divided by, or the exponent.', {
      when: { setting: 'op', in: TWO },
    }),
  ],
  outputs: [output('number', 'The result.')],
  config: settings,
  bind: (config) => ({ isPure: true, build: (wiring) => behavior(config, wiring) }),
});

function behavior(config: Settings, wiring: Wiring): Behavior {
  switch (config.op) {
    case 'add':
      return { compute: fold(wiring.inputs('in'), (sum, value) => sum + value) };
    case 'multiply':
      return { compute: fold(wiring.inputs('in'), (product, value) => product * value) };
    case 'min':
      return { compute: fold(wiring.inputs('in'), Math.min) };
    case 'max':
      return { compute: fold(wiring.inputs('in'), Math.max) };
    case 'subtract':
      return { compute: fold([wiring.input('a'), wiring.input('b')], (a, b) => a - b) };
    case 'divide':
      return { compute: fold([wiring.input('a'), wiring.input('b')], (a, b) => a / b) };
    case 'power':
      return { compute: fold([wiring.input('a'), wiring.input('b')], (a, b) => a ** b) };
    case 'modulo':
      return { compute: fold([wiring.input('a'), wiring.input('b')], modulo) };
    case 'floor':
      return { compute: map(wiring.input('a'), floor) };
    case 'ceil':
      return { compute: map(wiring.input('a'), (a) => -floor(-a)) };
    case 'sign':
      return { compute: map(wiring.input('a'), Math.sign) };
    case 'sqrt':
      return { compute: map(wiring.input('a'), Math.sqrt) };
    case 'log':
      return { compute: map(wiring.input('a'), Math.log) };
    case 'exp':
      return { compute: map(wiring.input('a'), Math.exp) };
    case 'abs':
      return { compute: map(wiring.input('a'), Math.abs) };
    case 'clamp':
      return { compute: map(wiring.input('a'), (a) => Math.min(Math.max(a, config.low), config.high)) };
    case 'round':
      return { compute: map(wiring.input('a'), (a) => roundTo(a, config.step)) };
  }
}

function fold(slots: readonly number[], join: (left: number, right: number) => number) {
  const [first = -1, ...others] = slots;
  return (run: Run): Value => {
    const start = run.values[first] as Value;
    if (typeof start !== 'number') return start;
    let result = start;
    for (const slot of others) {
      const value = run.values[slot] as Value;
      if (typeof value !== 'number') return value;
      result = join(result, value);
    }
    return finite(result);
  };
}

function map(slot: number, apply: (value: number) => number) {
  return (run: Run): Value => {
    const value = run.values[slot] as Value;
    return typeof value === 'number' ? finite(apply(value)) : value;
  };
}

/** Rounds down, but returns the whole number from which only rounding noise separates the value: 0.3 ÷ 0.1 is 3. */
function floor(value: number): number {
  const whole = Math.round(value);
  return equal(value, whole) ? whole : Math.floor(value);
}

function modulo(a: number, b: number): number {
  if (b === 0) return Number.NaN;
  const times = a / b;
  return equal(times, Math.round(times)) ? 0 : a - b * Math.floor(times);
}

/**
 * Rounds to a multiple of `step`. For steps like 0.01, whose reciprocal is a whole number, it divides by that: 3 ÷ 100 is the
 * double nearest to 0.03, which 3 × 0.01 is not.
 */
function roundTo(value: number, step: number): number {
  const perUnit = 1 / step;
  const whole = Math.round(perUnit);
  return Math.abs(perUnit - whole) < 1e-9 && whole > 0
    ? Math.round(value * whole) / whole
    : Math.round(value / step) * step;
}

const SIGNS: Readonly<Record<string, string>> = {
  add: '+',
  subtract: '−',
  multiply: '×',
  divide: '÷',
  power: '^',
  modulo: 'mod',
};

function calculation(config: RawSettings, { all, text }: Words): string {
  const op = text(config['op']);
  const settings = [config['low'], config['high'], config['step']].map(text).filter(Boolean);
  const operands = [...all('in'), ...all('a'), ...all('b'), ...settings];
  const sign = SIGNS[op];
  return sign === undefined ? `${op}(${operands.join(', ')})` : `(${operands.join(` ${sign} `)})`;
}
