import { outcomeTitleOf } from './order.ts';

type Held = { blueprintId: string; tokenId: string; title: string };

/** The instruments that each strategy holds, in words. */
export function heldWords(positions: readonly Held[] = []): ReadonlyMap<string, string> {
  const byStrategy = Map.groupBy(positions, ({ blueprintId }) => blueprintId);
  return new Map([...byStrategy].map(([id, held]) => [id, held.map(outcomeTitleOf).join(', ')]));
}
