/** The combinations of values that a sweep tries. */

import { Xoshiro } from '../../books/statistics/xoshiro.ts';
import { exact } from '../../platform/decimal.ts';
import { valueAtPointer, withValueAt } from './json-pointer.ts';
import {
  DIMENSIONS_MAX,
  type Dimension,
  type Scalar,
  type Search,
  type Space,
  TRIALS_MAX,
  VALUES_MAX,
} from './request.ts';

/** One value of each dimension, as indexes of its values. */
export type Combination = readonly number[];

export type SpaceIssue = { readonly path: string; readonly message: string };

/** Limit of random draws per wanted combination: duplicates and forbidden ones are drawn again. */
const DRAWS_A_TRIAL = 50;

/** Returns the values of a dimension, in order. Steps are decimal: 0.1 three times is 0.3. */
export function valuesOf(dimension: Dimension): readonly Scalar[] {
  if ('values' in dimension) return dimension.values;
  return Array.from({ length: countOf(dimension) }, (_, index) => stepOf(dimension, index));
}

const stepOf = ({ from, step }: { readonly from: number; readonly step: number }, index: number): number =>
  exact(step).times(index).plus(from).toNumber();

function scalarAt(dimension: Dimension, index: number): Scalar {
  const value = 'values' in dimension ? dimension.values[index] : stepOf(dimension, index);
  if (value === undefined) throw new RangeError(`${dimension.pointer} has no value ${index}.`);
  return value;
}

function countOf(dimension: Dimension): number {
  if ('values' in dimension) return dimension.values.length;
  const { from, to, step } = dimension;
  if (!(step > 0) || !(to >= from)) return 0;
  return exact(to).minus(from).div(step).floor().toNumber() + 1;
}

/** Counts all combinations, including those that a constraint forbids. */
export const sizeOf = ({ dimensions }: Space): number =>
  dimensions.reduce((product, dimension) => product * countOf(dimension), 1);

/** Returns all issues of a space over a graph, by the path in the space; empty if it can be run. */
export function issuesOf(space: Space, search: Search, visual: unknown): SpaceIssue[] {
  const { dimensions, constraints } = space;
  const issues: SpaceIssue[] = [];
  const say = (path: string, message: string) => issues.push({ path, message });
  if (dimensions.length === 0 || dimensions.length > DIMENSIONS_MAX) {
    say('/dimensions', `There are 1 to ${DIMENSIONS_MAX} dimensions, not ${dimensions.length}.`);
  }
  dimensions.forEach((dimension, index) => {
    const path = `/dimensions/${index}`;
    const count = countOf(dimension);
    if (count === 0 || count > VALUES_MAX) {
      say(path, `A dimension has 1 to ${VALUES_MAX} values, not ${count}: check from, to and step.`);
    } else if (new Set(valuesOf(dimension)).size !== count) {
      say(path, 'Every value of a dimension is tried once: one is there twice.');
    }
    if (!isScalar(valueAtPointer(visual, dimension.pointer))) {
      say(`${path}/pointer`, `The graph has no number, text or switch at ${dimension.pointer}.`);
    }
    if (dimensions.findIndex(({ pointer }) => pointer === dimension.pointer) !== index) {
      say(`${path}/pointer`, `${dimension.pointer} is a dimension already.`);
    }
  });
  constraints.forEach(({ less, than }, index) => {
    for (const [name, pointer] of [
      ['less', less],
      ['than', than],
    ] as const) {
      if (typeof valueAtPointer(visual, pointer) !== 'number') {
        say(`/constraints/${index}/${name}`, `The graph has no number at ${pointer}.`);
      }
    }
  });
  const size = sizeOf(space);
  if (search.kind === 'grid' && size > TRIALS_MAX) {
    say('/dimensions', `These are ${size} combinations; ${TRIALS_MAX} are allowed. Draw some at random.`);
  }
  return issues;
}

export const isScalar = (value: unknown): value is Scalar =>
  ['number', 'string', 'boolean'].includes(typeof value);

/** Returns the value of each dimension in a combination. */
export const scalarsOf = ({ dimensions }: Space, combination: Combination): Scalar[] =>
  dimensions.map((dimension, index) => scalarAt(dimension, combination[index] ?? -1));

/** Returns the graph with the values of a combination. */
export function graphWith(visual: unknown, space: Space, combination: Combination): unknown {
  return scalarsOf(space, combination).reduce(
    (graph: unknown, value, index) => withValueAt(graph, space.dimensions[index]?.pointer ?? '', value),
    visual,
  );
}

const isAllowed = ({ constraints }: Space, graph: unknown): boolean =>
  constraints.every(
    ({ less, than }) => Number(valueAtPointer(graph, less)) < Number(valueAtPointer(graph, than)),
  );

/**
 * Returns the combinations to try, without those that a constraint forbids. A grid tries all, the last dimension changing
 * first. A random search tries the requested number without duplicates, or fewer if there are not enough.
 */
export function combinationsOf(visual: unknown, space: Space, search: Search): Combination[] {
  const counts = space.dimensions.map(countOf);
  const isTried = (combination: Combination) => isAllowed(space, graphWith(visual, space, combination));
  return search.kind === 'grid'
    ? [...gridOf(counts)].filter(isTried)
    : randomCombinations(counts, search, isTried);
}

function* gridOf([count = 0, ...rest]: readonly number[]): Generator<Combination> {
  for (let index = 0; index < count; index++) {
    if (rest.length === 0) yield [index];
    else for (const inner of gridOf(rest)) yield [index, ...inner];
  }
}

function randomCombinations(
  counts: readonly number[],
  { count, seed }: Extract<Search, { kind: 'random' }>,
  isTried: (combination: Combination) => boolean,
): Combination[] {
  const chance = new Xoshiro(seed);
  const seen = new Set<string>();
  const found: Combination[] = [];
  for (let draw = 0; draw < count * DRAWS_A_TRIAL && found.length < count; draw++) {
    const combination = counts.map((values) => chance.below(values));
    const key = combination.join();
    if (seen.has(key)) continue;
    seen.add(key);
    if (isTried(combination)) found.push(combination);
  }
  return found;
}
