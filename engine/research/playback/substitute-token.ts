import type { BacktestRequest } from './request.ts';

/** Lists the substitutes of the graph's token; without any, the graph is run once. */
export type Substitution = { readonly token: string | null; readonly instead: readonly string[] };

export function substitutionOf({ data }: Pick<BacktestRequest, 'data'>): Substitution {
  const [only] = Object.entries(data.substitute);
  return only === undefined
    ? { token: null, instead: ['the drawing'] }
    : { token: only[0], instead: only[1] };
}

/** Replaces one token of a graph by another: every text that equals it, not parts of texts. Pure. */
export function substituteToken(visual: unknown, token: string, instead: string): unknown {
  if (visual === token) return instead;
  if (Array.isArray(visual)) return visual.map((each) => substituteToken(each, token, instead));
  if (typeof visual !== 'object' || visual === null) return visual;
  return Object.fromEntries(
    Object.entries(visual).map(([name, value]) => [name, substituteToken(value, token, instead)]),
  );
}
