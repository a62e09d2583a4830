/** As the service tells tags apart: by nothing of their case. */
const fold = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** Tags as a person types them, with commas between. */
export const typedTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Each tag that one of these has, and whether all of them do. */
export function tagsIn(
  blueprints: readonly { tags: readonly string[] }[],
): { tag: string; isOnAll: boolean }[] {
  const byFold = Map.groupBy(
    blueprints.flatMap(({ tags }) => tags),
    fold,
  );
  return [...byFold]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folded, [tag = folded, ...others]]) => ({
      tag,
      isOnAll: others.length + 1 === blueprints.length,
    }));
}

/** What boxes and typed words ask for. A word that is typed is wanted, whatever its box says. */
export function changeOf(
  wanted: ReadonlyMap<string, boolean>,
  typed: readonly string[],
): { add: string[]; remove: string[] } {
  const asked = [...wanted];
  const isTyped = new Set(typed.map(fold));
  return {
    add: [...asked.flatMap(([tag, isWanted]) => (isWanted ? [tag] : [])), ...typed],
    remove: asked.flatMap(([tag, isWanted]) => (isWanted || isTyped.has(fold(tag)) ? [] : [tag])),
  };
}
