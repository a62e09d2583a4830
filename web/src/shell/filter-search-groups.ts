type Item = {
  label?: string | undefined;
  description?: string | undefined;
  keywords?: string | readonly string[] | undefined;
};
const wordsOf = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);
const hasAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word));

type Group<Of extends Item> = { group: string; actions: Of[] };

/**
 * Groups with the items that match the words, in any order. Groups with a matching name come first, each in its own order. The
 * group of links that search on a page always matches, and is last: it must not come before results.
 */
export function filterSearchGroups<Of extends Item>(
  query: string,
  groups: readonly Group<Of>[],
  handsOn: string,
): Group<Of>[] {
  const words = wordsOf(query);
  const isCalledSo = ({ label = '' }: Item) => hasAll(label, words);
  const fits = ({ label, description, keywords }: Item) =>
    hasAll([label, description, keywords ?? []].flat().join(' '), words);
  const rank = ({ group, actions }: Group<Of>) => (group === handsOn ? 2 : actions.some(isCalledSo) ? 0 : 1);
  return groups
    .map(({ group, actions }) => ({
      group,
      actions: [...actions.filter(isCalledSo), ...actions.filter((each) => !isCalledSo(each) && fits(each))],
    }))
    .filter(({ actions }) => actions.length > 0)
    .sort((one, other) => rank(one) - rank(other));
}

/** Those whose name has all words come first, each part in its own order. */
export function bestNamed<Of>(found: readonly Of[], typed: string, nameOf: (each: Of) => string): Of[] {
  const words = wordsOf(typed);
  const isCalledSo = (each: Of) => hasAll(nameOf(each), words);
  return [...found.filter(isCalledSo), ...found.filter((each) => !isCalledSo(each))];
}
