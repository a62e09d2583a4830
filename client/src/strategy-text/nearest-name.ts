const NAME_MAX = 64;
const EDITS_MAX = 3;

/** Returns the name that differs least from a mistyped one, by at most three letters and half of them; null if none is near. */
export function nearestName(written: string, names: Iterable<string>): string | null {
  let nearest: string | null = null;
  let least = Math.min(EDITS_MAX, Math.floor(written.length / 2)) + 1;
  for (const name of names) {
    if (written.length > NAME_MAX || Math.abs(name.length - written.length) >= least) continue;
    const edits = editsBetween(written.toLowerCase(), name.toLowerCase());
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}

/** Counts the letters to insert, remove or replace (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = Number(row[column - 1]) + (other[column - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, Number(row[column]) + 1, Number(next[column - 1]) + 1));
    }
    row = next;
  }
  return Number(row.at(-1));
}

/** Ends a sentence with the nearest of these names, else with one that begins so, or with nothing. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const all = [...names];
  const isLonger = (name: string) => name.toLowerCase().startsWith(written.toLowerCase());
  const nearest = nearestName(written, all) ?? (written.length > 2 ? all.find(isLonger) : null) ?? null;
  return nearest === null ? '' : ` Did you mean “${nearest}”?`;
}
