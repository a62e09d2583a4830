/** Words by which a person finds blueprints again: ten at most, each once whatever its case. Pure. */

export const TAGS_MAX = 10;
/** Code points. */
export const TAG_LENGTH_MAX = 32;

/** What two spellings of one tag have in common. */
export const foldTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** Each tag once, as it was first written, in an order that is the same wherever they are shown. */
export function uniqueTags(tags: readonly string[]): string[] {
  const byFold = new Map<string, string>();
  for (const tag of tags) if (!byFold.has(foldTag(tag))) byFold.set(foldTag(tag), tag.normalize('NFC'));
  return [...byFold].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

/** `tags` without those of `remove`, and with those of `add`. What is there keeps its spelling. */
export function changedTags(
  tags: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] {
  const gone = new Set(remove.map(foldTag));
  return uniqueTags([...tags.filter((tag) => !gone.has(foldTag(tag))), ...add]);
}

export const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((each) => foldTag(each) === foldTag(tag));

/** A tag of an account, in the spelling of its newest blueprint, and the blueprints that have it. */
export type TagUse = { readonly tag: string; readonly blueprintIds: readonly string[] };

/** All tags of these blueprints, in order. */
export function tagUses(blueprints: readonly { id: string; tags: readonly string[] }[]): TagUse[] {
  const uses = blueprints.flatMap(({ id, tags }) => tags.map((tag) => ({ id, tag })));
  const byFold = Map.groupBy(uses, ({ tag }) => foldTag(tag));
  return uniqueTags(uses.map(({ tag }) => tag)).map((tag) => ({
    tag,
    blueprintIds: (byFold.get(foldTag(tag)) ?? []).map(({ id }) => id),
  }));
}
