/** The backtest of a template, with money in USD. */
export type TemplateBacktest = {
  from: string;
  to: string;
  markets: readonly string[];
  equity: readonly number[];
  buyAndHold: number | null;
  maxExposure: number;
  filled: number;
};

/** Money in USD. */
export type TemplateResult = {
  /** The most that was held at once. */
  most: number;
  profit: number;
  /** Profit of holding `most` of its coins over the same days; null with contracts. */
  holding: number | null;
};

/**
 * Returns a template's profit, beside that of holding its coins with the same money. A share of the whole account would flatter it: a template
 * holds a hundredth of that, and the coins would be held with all of it.
 */
export function resultOf({
  equity: [cash = 0, ...rest],
  maxExposure,
  buyAndHold,
}: TemplateBacktest): TemplateResult {
  const most = maxExposure * cash;
  return {
    most,
    profit: (rest.at(-1) ?? cash) - cash,
    holding: buyAndHold === null ? null : buyAndHold * most,
  };
}

/** Returns the profit beyond holding, per dollar held: compares templates that hold different sums. Null with contracts. */
export function edgeOf(of: TemplateBacktest): number | null {
  const { most, profit, holding } = resultOf(of);
  if (holding === null) return null;
  return most > 0 ? (profit - holding) / most : 0;
}

const DAY_MS = 86_400_000;

export const ordersADay = ({ filled, from, to }: TemplateBacktest): number =>
  (filled * DAY_MS) / (Date.parse(to) - Date.parse(from));

/** Returns the market of the backtests on the days of the first one: these days, and how each coin moved, 0.02 is 2 %. */
export function marketOf(all: readonly TemplateBacktest[]): {
  from: string;
  to: string;
  moved: ReadonlyMap<string, number>;
} | null {
  const [first] = all;
  if (!first) return null;
  const { from, to } = first;
  const moved = all.flatMap(({ markets: [coin, ...others], buyAndHold, ...days }) =>
    coin && others.length === 0 && buyAndHold !== null && days.from === from && days.to === to
      ? [[coin, buyAndHold] as const]
      : [],
  );
  return { from, to, moved: new Map(moved) };
}
