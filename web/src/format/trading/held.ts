import { outcomeTitleOf } from './order.ts';

type Held = { blueprintId: string; tokenId: string; title: string };

/** More are a number. */
const NAMED = 3;

function wordsOf(held: readonly Held[]): string {
  const names = held.slice(0, NAMED).map(outcomeTitleOf).join(', ');
  return held.length > NAMED ? `${names} +${held.length - NAMED}` : names;
}

/** The instruments that each strategy holds, in words. */
export function heldWords(positions: readonly Held[] = []): ReadonlyMap<string, string> {
  const byStrategy = Map.groupBy(positions, ({ blueprintId }) => blueprintId);
  return new Map([...byStrategy].map(([id, held]) => [id, wordsOf(held)]));
}
