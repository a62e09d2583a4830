type Item = {
  label?: string | undefined;
  description?: string | undefined;
  keywords?: string | readonly string[] | undefined;
};
type Group<Of extends Item> = { group: string; actions: Of[] };

/**
 * Groups with what fits the words: those first in which something is called so, each as it was. The group that hands the words on to
 * a page always fits, and is last: it must not stand before what was found.
 */
export function narrowed<Of extends Item>(
  query: string,
  groups: readonly Group<Of>[],
  handsOn: string,
): Group<Of>[] {
  const words = query.trim().toLowerCase();
  const has = (text: string | undefined) => text?.toLowerCase().includes(words) === true;
  const isCalledSo = ({ label }: Item) => has(label);
  const fits = (item: Item) =>
    isCalledSo(item) || has(item.description) || [item.keywords ?? []].flat().some(has);
  const rank = ({ group, actions }: Group<Of>) => (group === handsOn ? 2 : actions.some(isCalledSo) ? 0 : 1);
  return groups
    .map(({ group, actions }) => ({
      group,
      actions: [...actions.filter(isCalledSo), ...actions.filter((each) => !isCalledSo(each) && fits(each))],
    }))
    .filter(({ actions }) => actions.length > 0)
    .sort((one, other) => rank(one) - rank(other));
}
