/** Words by which a person finds blueprints again: at most ten, each once in any case. Pure. */

export const TAGS_MAX = 10;
/** Code points. */
export const TAG_LENGTH_MAX = 32;

/** The common form of two spellings of one tag. */
export const foldTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** Each tag once, in its first spelling, in an order that is the same on every page. */
export function uniqueTags(tags: readonly string[]): string[] {
  const byFold = new Map<string, string>();
  for (const tag of tags) if (!byFold.has(foldTag(tag))) byFold.set(foldTag(tag), tag.normalize('NFC'));
  return [...byFold].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

/** `tags` without those of `remove`, and with those of `add`. Existing tags keep their spelling. */
export function changedTags(
  tags: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] {
  const removed = new Set(remove.map(foldTag));
  return uniqueTags([...tags.filter((tag) => !removed.has(foldTag(tag))), ...add]);
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
