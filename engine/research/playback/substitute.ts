import type { BacktestRequest } from './request.ts';

/** Which token of the drawing is run over other instruments, and over which; without one, the drawing is run once. */
export type Substitution = { readonly token: string | null; readonly instead: readonly string[] };

export function substituted({ data }: Pick<BacktestRequest, 'data'>): Substitution {
  const [only] = Object.entries(data.substitute);
  return only === undefined
    ? { token: null, instead: ['the drawing'] }
    : { token: only[0], instead: only[1] };
}

/** A drawing in which one token stands for another: every text that is it, and no part of one. Pure. */
export function withToken(visual: unknown, token: string, instead: string): unknown {
  if (visual === token) return instead;
  if (Array.isArray(visual)) return visual.map((each) => withToken(each, token, instead));
  if (typeof visual !== 'object' || visual === null) return visual;
  return Object.fromEntries(
    Object.entries(visual).map(([name, value]) => [name, withToken(value, token, instead)]),
  );
}
