/** Compares tags as the service does: without their case. */
const fold = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** Tags from typed text, separated by commas. */
export const typedTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Each tag that at least one of these has, and whether all of them do. */
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

/** The tags that boxes and typed words ask for. A typed tag is added, whatever its box says. */
export function tagChange(
  wanted: ReadonlyMap<string, boolean>,
  typed: readonly string[],
): { add: string[]; remove: string[] } {
  const requested = [...wanted];
  const isTyped = new Set(typed.map(fold));
  return {
    add: [...requested.flatMap(([tag, isWanted]) => (isWanted ? [tag] : [])), ...typed],
    remove: requested.flatMap(([tag, isWanted]) => (isWanted || isTyped.has(fold(tag)) ? [] : [tag])),
  };
}
